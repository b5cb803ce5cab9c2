"""A monkey: random input for the window, with checks after every action."""

import pyglet

pyglet.options.shadow_window = False  # otherwise importing pyglet's windows needs a display
