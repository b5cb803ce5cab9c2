"""The rules of `check`, one topic per module; each returns findings as data."""
