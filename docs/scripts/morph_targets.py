"""Draw the face with each morph target: morph_targets.py character.glb Head faces.png."""

import sys

import numpy as np
from PIL import Image

import rigview

model = rigview.load(sys.argv[1])
matrices = model.skeleton.to_model(model.skeleton.rest)
x, y, z = matrices[model.skeleton.find(sys.argv[2]), :3, 3].tolist()
names = dict.fromkeys(
    name
    for mesh in model.meshes
    for part in mesh.primitives
    if part.morph is not None
    for name in part.morph.names
)
faces = [
    rigview.render(
        model,
        pose="rest",
        set={f"morph:{name}": 1.0},
        camera_position=(x, y + 0.1, z + 0.8),
        camera_target=(x, y + 0.1, z),
        resolution=(160, 160),
    )
    for name in names
]
Image.fromarray(np.concatenate(faces, axis=1)).save(sys.argv[3])
print(*names)
