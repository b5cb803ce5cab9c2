"""Write a table of the clips of some characters: clip_table.py clips.csv a.glb b.glb."""

import csv
import sys

import numpy as np

import rigview

with open(sys.argv[1], "w", newline="", encoding="utf-8") as file:
    table = csv.writer(file)
    table.writerow(["file", "clip", "seconds", "keys", "metres to where it begins"])
    for path in sys.argv[2:]:
        model = rigview.load(path)
        for clip in model.clips:
            ends = model.skeleton.to_model(clip.sample([clip.start, clip.end]))
            gap = np.linalg.norm(ends[1, :, :3, 3] - ends[0, :, :3, 3], axis=1).max()
            table.writerow([path, clip.name, f"{clip.duration:.3f}", clip.key_count, f"{gap:.4f}"])
