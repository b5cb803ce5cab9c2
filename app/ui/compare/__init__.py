"""The tab Compare and what it draws over the scene: two versions of a character."""
