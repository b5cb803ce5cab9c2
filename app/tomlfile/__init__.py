"""TOML with source positions, value types, and edits that keep comments; knows no motion file."""
