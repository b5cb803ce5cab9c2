"""The commands there are, and which of them have what in common."""

COMMANDS = {
    "view": "open the window on files (also without the word `view`)",
    "render": "write a picture, a numbered sequence of pictures, or a video",
    "sheet": "write a contact sheet: a row a clip, or a row a file; a column a phase",
    "turntable": "write a video once around the character, while it moves",
    "report": "write a page about characters: pictures, loops, facts, findings",
    "curves": "draw the keys and curves of a joint",
    "info": "tell what a file holds",
    "pose": "write the evaluated pose as numbers",
    "events": "tell the events that a motion fires",
    "check": "tell what is wrong with a character, and how to mend it",
    "diff": "compare two versions of a character",
    "bench": "time the steps from a file to a frame on this machine",
    "bake": "write the file with fewer keys, or with keys at a fixed rate",
}

SEVERAL = ("sheet", "report", "check")  # take any number of files
TOGETHER = ("view", "render", "turntable")  # several files stand side by side
PAIR = ("diff",)  # takes two

DRAWING = ("view", "render", "sheet", "turntable", "report", "diff")
MOVING = ("view", "render", "sheet", "turntable", "report", "pose")
PLAYING = (*MOVING, "events")
READING = (*PLAYING, "curves", "info", "check", "bench", "bake")
ALL = (*READING, "diff")
