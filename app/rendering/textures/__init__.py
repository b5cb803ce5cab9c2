"""Textures of materials: uploading images, their mipmaps and wrap modes.

Depends on models and on the OpenGL context; knows nothing of surfaces or passes.
"""
