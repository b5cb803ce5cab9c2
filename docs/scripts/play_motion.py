"""Print where the hips are in a motion: play_motion.py character.glb steps.motion.toml."""

import sys

import rigview

model = rigview.load(sys.argv[1])
mixer = rigview.bind(model, sys.argv[2])
pose, hips = model.skeleton.rest.copy(), model.skeleton.find("Hips")
for frame in range(0, 61, 15):
    mixer.play(frame / 30)
    mixer.sample(pose)
    matrices = mixer.world @ model.skeleton.to_model(pose)
    x, y, z = matrices[hips, :3, 3]
    print(f"{frame / 30:.1f} s: {x:.3f} {y:.3f} {z:.3f} m", *mixer.fired)
