"""Everything that lives on the GPU.

This package owns all OpenGL objects. It must never know ImGui, files of characters or a clock.
"""
