"""The text of a BVH file: a figure with thighs, a calf, a tail and a spine, two frames."""

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
