"""What a command is, how it is found, and its keys; `..actions` is the table of commands."""
