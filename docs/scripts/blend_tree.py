"""Blend a walk into a run, and wave above it: blend_tree.py character.glb film.webp."""

import sys

import numpy as np
from PIL import Image

import rigview

model = rigview.load(sys.argv[1])
walk, run, wave = (model.clips[name] for name in ("Walk", "Run", "Wave"))
phase, times = np.linspace(0, 3, 90) % 1, np.linspace(0, 3, 90)
speeds = rigview.BlendSpace1D([1.4, 4.0])  # metres per second
share = speeds.weights(np.linspace(1.4, 4.0, 90))[:, 1]
legs = rigview.blend(walk.sample(phase * walk.end), run.sample(phase * run.end), share)
arms = rigview.Mask.of(model.skeleton, {"RightShoulder": 1.0})
poses = rigview.blend(legs, wave.sample(times), 1.0, mask=arms)
film = [Image.fromarray(each) for each in rigview.render(model, pose=poses, resolution=(120, 160))]
film[0].save(sys.argv[2], save_all=True, append_images=film[1:], duration=33, loop=0)
