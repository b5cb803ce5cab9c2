"""A monkey: random input for the window, with checks after every action."""
