"""Data only: themes, scenes, lessons, icons. A package, so that an editable install finds its files too."""
