"""Saving and reading under kills, failing disks and damaged files: a tenth in the suite, the whole by ``make torture``.

Each module has ``torture(folder, count, seed)``, which raises ``AssertionError`` with what went wrong, and gives the
figures in a sentence.
"""
