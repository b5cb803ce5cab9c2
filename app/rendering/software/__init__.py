"""How renderers on the CPU draw faster: with one door to it, `SoftwareDrawing`."""
