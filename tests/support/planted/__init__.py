"""Faults to plant in sound characters, by class."""
