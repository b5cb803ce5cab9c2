"""The pytest plug-in: fixtures that render and pose a character, and compare with goldens."""
