"""The motion file: what glTF cannot say. Its types, reading, writing, editing and binding.

Knows the model and the animation system; knows nothing of drawing, windows and the command line.
"""
