"""Checks of a character: rules that examine a file, its clips and its motion file.

Findings are plain data. This package does not format or print them, and it does not use the GPU.
"""
