"""The rules of `check`, a subject a module; each returns findings as data."""
