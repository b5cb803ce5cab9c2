"""The rows of the options table, a module a subject; `rigview.options.table` puts them together.

It knows what each option is called, means and reads; never what a command does with it.
"""
