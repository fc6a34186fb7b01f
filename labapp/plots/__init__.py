"""The plotting toolkit of the shell: a theme-aware plot, layers with meanings, draggable handles, pictures."""
