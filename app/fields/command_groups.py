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

# The page of the manual, and examples from it, by command.
MANUAL = {
    "view": ("window.md", "rigview character.glb", "rigview character.glb --crowd 5x8"),
    "render": (
        "commands.md#render-pictures",
        "rigview render character.glb --animation Walk --time 0.4 --view right --no-background "
        "-o step.png",
        "rigview render character.glb --animation Walk --resolution 320,320 -o walk.mp4",
    ),
    "sheet": (
        "commands.md#sheet-contact-sheets",
        "rigview sheet character.glb -o sheet.png",
        "rigview sheet characters -o characters.png",
    ),
    "turntable": (
        "commands.md#videos-and-turntables",
        "rigview turntable character.glb --animation Run --frame-rate 15 --resolution 240,240 "
        "-o turn.gif",
    ),
    "report": (
        "commands.md#report-html-pages",
        "rigview report character.glb --animation Walk --animation Run -o report.html",
        "rigview report characters -o characters.html",
    ),
    "curves": (
        "commands.md#curves",
        "rigview curves character.glb --joint LeftArm --animation Wave -o arm.svg",
    ),
    "info": ("commands.md#info-file-contents", "rigview info character.glb"),
    "pose": (
        "commands.md#pose-poses-as-numbers",
        "rigview pose character.glb --animation Walk --time 0,0.25,0.5 -o pose.npz",
    ),
    "events": (
        "motion-file.md#events-of-a-motion",
        "rigview events character.glb --motion steps.motion.toml --at 1:set:speed=4,0.5 "
        "--time 0..3",
    ),
    "check": ("checks.md", "rigview check character.glb", "rigview check characters/"),
    "diff": (
        "commands.md#diff-two-versions-of-a-character",
        "rigview diff old.glb character.glb",
        "rigview diff HEAD~1:character.glb character.glb -o worst.png",
    ),
    "bench": ("commands.md#bench-timings", "rigview bench character.glb"),
    "bake": (
        "commands.md#bake-fewer-keys",
        "rigview bake character.glb -o smaller.glb",
        "rigview bake character.glb --animation Walk --fps 15 -o walk.glb",
    ),
}

MANY_FILES = ("sheet", "report", "check")  # any number of files, processed one by one
IN_ONE_SCENE = ("view", "render", "turntable")  # several files side by side in one scene
TWO_FILES = ("diff",)  # two files

RENDERING = ("view", "render", "sheet", "turntable", "report", "diff")
POSING = ("view", "render", "sheet", "turntable", "report", "pose")
PLAYING = (*POSING, "events")
READING = (*PLAYING, "curves", "info", "check", "bench", "bake")
ALL = (*READING, "diff")
