"""Session files: the whole state of the lab in one HDF5 file. ``sessions`` is the door; nothing heavy loads with it."""
