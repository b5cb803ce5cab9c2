"""Stored pictures and poses, and whether what is made now is still the same."""
