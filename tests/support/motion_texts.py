"""Texts of motion files: the example of the manual, and unusual ways to write TOML."""

from rigview.motion.document import MotionDoc
from rigview.motion.read import parse_motion

EXAMPLE = """version = 1
anims = { files = ["run.glb"], names = { "mixamorig:*" = "*" } }
[parameters]
speed = { default = 1.2, range = [0, 4], damp = 0.2 }      # damp: seconds to reach a new value
look_at = { default = [0, 1, 2] }
[clips.Walk]                                               # a clip's name; "#3" is an index
loop = "loop"                                              # once | loop | pingpong | N
range = [0.0, 1.2]                                         # seconds of the file
cycles = 1
sync = { left = 0.10, right = 0.60 }                       # phases
events = [{ name = "foot_l", phase = 0.10 }, { name = "shout", time = 0.7 }]
root = { joint = "Hips", mode = "in-place", axes = "xz", turn = true }
[additives.Lean]
source = "LeanLeft"
reference = { clip = "Walk" }                              # same phase
space = "joint"                                            # joint | parent | model
[masks.upper]
joints = { Spine = 0.3, Spine1 = 0.6, RightShoulder = 1.0 }
[spaces.locomotion]
kind = "line"                                              # line | corners | points | strafe
x = "speed"
clips = [{ clip = "Idle", at = 0 }, { clip = "Walk", at = 1.4 }, { clip = "Run", at = 4 }]
sync = true
[aims.head]
chain = { Spine2 = 0.2, Neck = 0.5, Head = 1.0 }
forward = [0, 0, 1]
limit = 70
target = "look_at"                                         # a parameter, or a joint
[[layers]]                                                 # the first is the base
name = "base"
play = "locomotion"
[[layers]]
name = "wave"
play = "Wave"
mask = "upper"
weight = 1.0
mode = "replace"                                           # replace | add
[[at]]
time = 1.0
fade = { layer = "base", to = "Run", seconds = 0.3, ease = "cubic", kind = "smooth" }
"""


SPACED = """# The walk of the hero.
version = 1

# -- what people set
[parameters]
speed = { default = 1.2 } # metres a second

# -- clips

# the walk
[clips.Walk]
loop = "loop"
events = [
  { name = "left", phase = 0.1 },  # heel
  { name = "right", phase = 0.6 },
]

# the run
[clips.Run]
loop = "loop"

# -- layers, the base first

[[layers]]
name = "base" # always
play = "Walk"

# waves a hand
[[layers]]
name = "wave"
play = "Wave"

# -- what happens

[[at]]
time = 1 # second
seek = { layer = "base", time = 0.5 }
"""


FORMS = """version = 1
parameters.speed.default = 1
parameters.look = { default = [0, 1, 2] }
clips = { Walk = { cycles = 1 } }
spaces.loco.kind = "line"
spaces.loco.x = "speed"
[[spaces.loco.clips]]
clip = "Walk"
at = 0 # here
[[spaces.loco.clips]]
clip = "Run"
at = 1
[additives.Lean]
source = "LeanLeft"
[additives.Lean.reference]
clip = "Walk"
[[layers]]
name = "base"
[[layers.play.layers]]
name = "inner" # within
play = "Walk"
"""


def document_from(text) -> MotionDoc:
    """Return the document of a motion file's text."""
    return parse_motion(text).document
