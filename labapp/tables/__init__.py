"""Tables that people bring: reading text tables, and the dialog that chooses from them.

The readers load their libraries when the first table is read, so that starting the program doesn't pay for them.
"""
