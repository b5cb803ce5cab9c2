"""What is drawn behind the characters: a gradient, or the environment."""
