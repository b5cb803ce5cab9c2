"""The motion file (layers, blend spaces, events and more beyond glTF): read, write, edit, bind.

This package does not depend on rendering, the window or the command line.
"""
