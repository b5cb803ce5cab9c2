"""Write all clips of a character as arrays: clips_to_numpy.py robot.glb arrays/."""

import sys
from pathlib import Path

import numpy as np

import rigview

model = rigview.load(sys.argv[1])
for clip in model.clips:
    poses = clip.sample(np.arange(clip.start, clip.end, 1 / 30))
    matrices = model.skeleton.to_model(poses)  # [frames, joints, 4, 4]
    np.save(Path(sys.argv[2], f"{clip.name}.npy"), matrices)
    print(clip.name, *matrices.shape)
