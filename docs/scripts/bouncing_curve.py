"""Make a clip from a Bézier curve: bouncing_curve.py character.glb bouncing.glb."""

import sys

import numpy as np

import rigview

model = rigview.load(sys.argv[1])
root = 0  # joints are sorted by depth: the first has no parent
height = rigview.Bezier.of([0.0], [0.5], [0.5], [0.0])  # metres: up and down again
times = np.linspace(0, 1, 31, dtype=np.float32)
places = np.repeat(model.skeleton.rest.translation[root][None], 31, axis=0)
places[:, 1] += height.sample(times)[:, 0]
track = rigview.Track(root, "translation", "LINEAR", times, places)
bounce = rigview.Clip.of("Bounce", [track], model.skeleton.rest)
rigview.save(model.with_clips([*model.clips, bounce]), sys.argv[2])
