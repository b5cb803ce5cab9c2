"""The timeline without a window: its ticks, labels, events, loop seam, and the strips of layers."""
