"""The commands, and groups of commands that share options."""

COMMANDS = {
    "view": "open the window on files (also without the word `view`)",
    "render": "render a picture, a numbered sequence of pictures, or a video",
    "sheet": "write a contact sheet: a row for each clip or file, a column for each phase",
    "turntable": "render a turntable video of the playing character",
    "report": "write an HTML page about characters: pictures, loops, facts, findings",
    "curves": "draw the keys and animation curves of a joint",
    "info": "print the contents of a file",
    "pose": "write the evaluated pose as numbers",
    "events": "print the events that a motion fires",
    "check": "report errors of a character, and how to fix them",
    "diff": "compare two versions of a character",
    "bench": "measure the time from loading a file to rendering a frame",
    "bake": "write the file with reduced keys, or with keys at a fixed rate",
}

MANY_FILES = ("sheet", "report", "check")  # any number of files, processed one by one
IN_ONE_SCENE = ("view", "render", "turntable")  # several files side by side in one scene
TWO_FILES = ("diff",)  # two files

RENDERING = ("view", "render", "sheet", "turntable", "report", "diff")
POSING = ("view", "render", "sheet", "turntable", "report", "pose")
PLAYING = (*POSING, "events")
READING = (*PLAYING, "curves", "info", "check", "bench", "bake")
ALL = (*READING, "diff")
