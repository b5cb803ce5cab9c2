"""The motion file: what glTF cannot say. Its types, reading, writing, editing and binding to a model.

Knows the model and the animation system; knows nothing of drawing, windows and the command line.
"""
