"""BVH files: a figure with thighs, a calf, a tail and a spine, and a whole body; two frames."""

from tests.support.humanoids import HUMANOID

BVH = """HIERARCHY
ROOT pelvis
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT thigh_l {
OFFSET 10 -5 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT calf_l {
OFFSET 0 -45 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 -45 0
}
}
}
JOINT tail {
OFFSET 0 0 -20
CHANNELS 1 Xrotation
}
JOINT spine_01 {
OFFSET 0 20 0
CHANNELS 0
}
}
MOTION
Frames: 2
Frame Time: 1
0 95 0 0 0 0 0 -30 0 0 0 0 0
0 95 50 0 0 0 0 30 0 0 60 0 0
"""


def body_bvh():
    """A BVH file of a whole body, which walks 50 cm."""
    lines = ["HIERARCHY", *_joint("Hips", "ROOT")]
    rest = "0 " * 3 * (len(HUMANOID) - 1)
    lines += ["MOTION", "Frames: 2", "Frame Time: 1"]
    lines += [f"0 100 {z} 0 0 0 {rest}" for z in (0, 50)]
    return "\n".join(lines) + "\n"


def _joint(name, kind="JOINT"):
    parent, at = HUMANOID[name]
    above = HUMANOID[parent][1] if parent else at
    yield f"{kind} {name} {{"
    yield "OFFSET " + " ".join(f"{100 * (a - b):g}" for a, b in zip(at, above, strict=True))
    position = "" if parent else "Xposition Yposition Zposition "
    yield f"CHANNELS {3 if parent else 6} {position}Zrotation Xrotation Yrotation"
    for child, (above_it, _) in HUMANOID.items():
        if above_it == name:
            yield from _joint(child)
    yield "}"
