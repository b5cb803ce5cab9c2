"""Write the points of a posed character: posed_surface.py character.glb Walk 0.25 points.obj."""

import sys

import numpy as np

import rigview

model = rigview.load(sys.argv[1])
pose = model.clips[sys.argv[2]].sample(float(sys.argv[3]))
matrices = model.skeleton.to_model(pose)
with open(sys.argv[4], "w", encoding="utf-8") as file:
    for instance in model.instances:
        for part in model.meshes[instance.mesh].primitives:
            moves = matrices[instance.joint][None, :3]  # [1, 3, 4]: a rigid part
            if part.joints is not None and part.weights is not None:
                palette = model.skins[instance.skin].palette(matrices)  # [S, 3, 4]
                moves = np.einsum("vi,viab->vab", part.weights, palette[part.joints])
            points = np.einsum("vab,vb->va", moves[..., :3], part.positions) + moves[..., 3]
            file.writelines(f"v {x:.5f} {y:.5f} {z:.5f}\n" for x, y, z in points)
