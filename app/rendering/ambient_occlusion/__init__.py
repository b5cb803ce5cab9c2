"""How much ambient light surfaces and the floor receive, from the depth of what is before them."""
