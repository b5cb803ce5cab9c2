"""What is behind all surfaces: a gradient or the environment, the grid, and when they are drawn."""
