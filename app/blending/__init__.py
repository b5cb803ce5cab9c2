"""Blending: the kernel, masks, additive, blend spaces, fades, IK, layers, mixer; numpy only."""
