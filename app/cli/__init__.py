"""The command line: one command a module.

This package parses, reports and sets exit codes. It must never hold what Python could want too.
"""
