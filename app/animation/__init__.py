"""Curves, tracks, poses, clips and playback, as numpy arrays with the batch in front.

This package knows how a character moves. It must never know files, windows, the GPU or a clock.
"""
