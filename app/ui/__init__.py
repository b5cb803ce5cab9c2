"""ImGui panels: each a function of the scene, one a module.

This package keeps no truth of its own and must never touch OpenGL.
"""
