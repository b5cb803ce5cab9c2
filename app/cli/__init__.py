"""The command line: one module per command.

These modules parse options, print results and return exit codes; `rigview.tasks` does the work.
"""
