"""Measures Rigview beside other programs, in alternation, and writes docs/performance.md."""
