"""The options of the commands, one module per subject; `rigview.options.table` combines them.

Each option has a name, a help text and a parser; the commands interpret the values.
"""
