"""The commands of `compute-atlas`, one module a command, imported when called."""
