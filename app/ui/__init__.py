"""Panels, drawn with ImGui: functions of the session without state of their own.

This package does not import OpenGL, windows or file formats.
"""
