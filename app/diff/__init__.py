"""Two versions of a character compared: what it is made of, how it stands, how it moves.

Data only: nothing here draws or prints.
"""
