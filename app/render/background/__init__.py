"""What is behind everything else: a gradient, or the environment."""
