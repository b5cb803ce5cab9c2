"""Panels for clips of other files: what to do with a dropped file, and the joint mapping."""
