"""Compiled poses, with the extra `fast`: sampling, hierarchy and palettes of many characters."""
