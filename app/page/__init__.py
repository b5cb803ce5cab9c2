"""A page about characters: plain facts, findings, pictures and loops in, one HTML text out.

It knows models only where rows of a table are read off them; it never draws, never reads a file
that a user named, and what it makes asks nothing of any network.
"""
