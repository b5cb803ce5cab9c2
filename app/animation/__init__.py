"""Curves, tracks, poses, clips and playback, as numpy arrays with the batch in front.

It computes poses over time, without files, windows, the GPU or a clock.
"""
