"""The shell of the laboratory: store, runner, window, controls, files. It knows no subject of the lesson."""
