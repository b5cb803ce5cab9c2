"""The HTML report about characters, built from statistics, findings, pictures and loops.

Models are used only for the rows of the joint table. This package does not draw or read user
files, and the report makes no network requests.
"""
