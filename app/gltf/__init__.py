"""glTF 2.0 files, read and checked into a `Model`.

This package knows the file format. It must never know the GPU, a window or how a pose is blended.
"""
