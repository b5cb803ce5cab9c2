"""The options of the commands: records with a type for each option, one module per subject.

The fields of the records are declared with `rigview.fields` and are the rows of the options table
(`rigview.options.table`); the parser, configuration files and Python calls build the records, and
the commands use them.
"""
