"""Draw a character in captured motion: retarget_bvh.py character.glb walk.bvh walk.png."""

import sys

import numpy as np
from PIL import Image

import rigview

model = rigview.load(sys.argv[1])
(clip,) = rigview.retarget(model, sys.argv[2])
poses = clip.sample(np.linspace(clip.start, clip.end, 6))
pictures = rigview.render(model, pose=poses, resolution=(160, 240), view="iso")  # [6, 240, 160, 4]
Image.fromarray(np.concatenate(list(pictures), axis=1)).save(sys.argv[3])
print(f"{clip.name}: {clip.duration:.2f} s")
