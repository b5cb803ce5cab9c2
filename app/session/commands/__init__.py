"""The table of commands (`actions`), how a command is found, and the keys of all."""
