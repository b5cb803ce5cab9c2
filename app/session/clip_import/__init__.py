"""Clips of other files for the active character, and their joint mapping."""
