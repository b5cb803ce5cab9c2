"""Comparison of two versions of a character: content, rest pose and clips.

The results are plain data. This package does not draw or print.
"""
