"""Tracks as curves, axes and charts, drawn as SVG or pixels."""
