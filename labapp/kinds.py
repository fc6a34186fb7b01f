"""The kinds of file that the lab opens, by their suffix."""

SESSION = ".h5"
SESSIONS = (SESSION, ".hdf5")
TABLES = (".csv", ".tsv", ".txt")
