"""TOML with source positions, value types and edits that keep comments."""
