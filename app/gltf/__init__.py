"""Read, validate and write glTF 2.0 files; the result is a `Model`.

This package contains the file format only: nothing of the GPU, the window or pose blending.
"""
