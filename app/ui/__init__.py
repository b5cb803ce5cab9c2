"""Panels: each is a function of the session and keeps no truth of its own.

This package knows ImGui. It must never know OpenGL, a window or a file format.
"""
