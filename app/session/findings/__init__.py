"""The findings of `check` about open characters: the background check, and what panels show."""
