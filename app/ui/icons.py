"""Icons of the icon font (Font Awesome 6), named by their use."""

PLAY = "\uf04b"
PAUSE = "\uf04c"
FIRST = "\uf048"
LAST = "\uf051"
PREVIOUS = "\uf104"
NEXT = "\uf105"
LOOP = "\uf363"
PING_PONG = "\uf07e"
ONCE = "\uf061"
SEARCH = "\uf002"
WARNING = "\uf071"
ERROR = "\uf057"
INFO = "\uf05a"
CHECKED = "\uf058"
ACCEPTED = "\uf00c"
AGAIN = "\uf021"
COPY = "\uf0c5"
OPEN = "\uf07c"
FILE = "\uf15b"
UNDO = "\uf2ea"
REDO = "\uf2f9"
ADD = "\uf067"
REMOVE = "\uf00d"
UP = "\uf062"
DOWN = "\uf063"
OPENED = "\uf107"
CLOSED = "\uf105"
FADE = "\uf362"
TARGET = "\uf05b"
LAYERS = "\uf5fd"
SAVE = "\uf0c7"
STOPWATCH = "\uf2f2"
BELL = "\uf0f3"
FIT = "\uf31e"
CONTINUOUS = "\uf534"
VISIBLE = "\uf06e"
HIDDEN = "\uf070"
STRIPS = "\uf550"
KEYS = "\uf58d"
SETTINGS = "\uf013"
OWN = "\uf303"
CHECK = "\uf00c"
POSE = "\uf183"

PANELS = {  # tabs, by label
    "View": VISIBLE,
    "Stage": "\uf0eb",
    "Inspector": "\uf610",
    "Findings": "\uf46c",
    "Mapping": "\uf0c1",
    "Compare": "\uf0db",
    "Space": "\uf601",
    "Mask": "\uf6fa",
    "Motion": "\uf15c",
    "Events": BELL,
    "Mixer": LAYERS,
    "Clips": "\uf008",
    "Joints": "\uf5d7",
    "Meshes": "\uf1b2",
    "Morphs": "\uf118",
}
