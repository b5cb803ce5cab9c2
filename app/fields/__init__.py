"""Fields of option records: the flag, help text, reader and limits of a value, declared once.

Pure; independent of what the options are for. `option` declares fields, `readers` reads their
values, `command_groups` names the commands that take them.
"""
