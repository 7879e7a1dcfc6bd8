"""Django's SQLite back end, whose writers stand in line. ENGINE: "workbench.lib.sqlite"."""
