"""Drawing with OpenGL.

This package owns all OpenGL objects. It does not depend on ImGui, on file formats or on a clock.
"""
