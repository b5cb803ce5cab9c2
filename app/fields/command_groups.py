"""The commands, and groups of commands that share options."""

from typing import NamedTuple


class Command(NamedTuple):
    """A command of the command line.

    Attributes
    ----------
    help
        What it does, in one line.
    manual
        Its place in the manual.
    examples
        Of the manual, for the help.
    """

    help: str
    manual: str
    examples: tuple[str, ...]


COMMANDS = {
    "view": Command(
        "open the window on files (also without the word `view`)",
        "window.md",
        ("rigview character.glb", "rigview character.glb --crowd 5x8"),
    ),
    "render": Command(
        "render a picture, a numbered sequence of pictures, or a video",
        "commands.md#render-pictures",
        (
            "rigview render character.glb --animation Walk --time 0.4 --view right --no-background "
            "-o step.png",
            "rigview render character.glb --animation Walk --resolution 320,320 -o walk.mp4",
        ),
    ),
    "sheet": Command(
        "write a contact sheet: a row for each clip or file, a column for each phase",
        "commands.md#sheet-contact-sheets",
        (
            "rigview sheet character.glb -o sheet.png",
            "rigview sheet characters -o characters.png",
        ),
    ),
    "turntable": Command(
        "render a turntable video of the playing character",
        "commands.md#videos-and-turntables",
        (
            "rigview turntable character.glb --animation Run --frame-rate 15 --resolution 240,240 "
            "-o turn.gif",
        ),
    ),
    "report": Command(
        "write an HTML page about characters: pictures, loops, facts, findings",
        "commands.md#report-html-pages",
        (
            "rigview report character.glb --animation Walk --animation Run -o report.html",
            "rigview report characters -o characters.html",
        ),
    ),
    "page": Command(
        "write an HTML page in which a character turns and plays, in any browser",
        "commands.md#page-a-page-that-plays",
        ("rigview page character.glb -o character.html",),
    ),
    "curves": Command(
        "draw the keys and animation curves of a joint",
        "commands.md#curves",
        ("rigview curves character.glb --joint LeftArm --animation Wave -o arm.svg",),
    ),
    "info": Command(
        "print the contents of a file, or a table of several",
        "commands.md#info-file-contents",
        ("rigview info character.glb", "rigview info characters"),
    ),
    "pose": Command(
        "write the evaluated pose as numbers",
        "commands.md#pose-poses-as-numbers",
        (
            "rigview pose character.glb --animation Walk --time 0,0.25,0.5 -o pose.npz",
            "rigview pose character.glb --animation Walk --time 0..1:0.25 -o steps.npz",
        ),
    ),
    "events": Command(
        "print the events that a motion fires",
        "motion-file.md#events-of-a-motion",
        (
            "rigview events character.glb --motion steps.motion.toml --at 1:set:speed=4,0.5 "
            "--time 0..3",
        ),
    ),
    "check": Command(
        "report errors of a character, and how to fix them",
        "checks.md",
        ("rigview check character.glb", "rigview check characters/"),
    ),
    "diff": Command(
        "compare two versions of a character",
        "commands.md#diff-two-versions-of-a-character",
        (
            "rigview diff old.glb character.glb",
            "rigview diff HEAD~1:character.glb character.glb -o worst.png",
        ),
    ),
    "bench": Command(
        "measure the time from loading a file to rendering a frame",
        "commands.md#bench-timings",
        ("rigview bench character.glb",),
    ),
    "bake": Command(
        "write the file with reduced keys, with keys at a fixed rate, or with what plays as a clip",
        "commands.md#bake-fewer-keys",
        (
            "rigview bake character.glb -o smaller.glb",
            "rigview bake character.glb --motion steps.motion.toml --mix Steps -o steps.glb",
        ),
    ),
    "thumbnail": Command(
        "write the small picture of a file that file managers show",
        "commands.md#thumbnail-small-pictures",
        ("rigview thumbnail character.glb -o small.png --size 128",),
    ),
    "desktop": Command(
        "put Rigview into the menu and the file manager of the user, or take it out (Linux)",
        "install.md#the-desktop",
        ("rigview desktop install", "rigview desktop uninstall"),
    ),
    "convert": Command(
        "convert files of other formats to glTF, with Blender",
        "convert.md",
        (
            "rigview convert hero.blend -o hero.glb",
            "rigview convert sources -o 'characters/{stem}.glb' --jobs 4",
        ),
    ),
}

NO_FILES = ("desktop",)  # a command about the installation
FOLDERS = ("sheet", "report", "info", "check")  # any number of files and folders of characters
MANY_FILES = (*FOLDERS, "convert")  # any number of files, processed one by one
IN_ONE_SCENE = ("view", "render", "turntable")  # several files side by side in one scene
TWO_FILES = ("diff",)  # two files

RENDERING = ("view", "render", "sheet", "turntable", "report", "page", "diff")
POSING = ("view", "render", "sheet", "turntable", "report", "page", "pose")
PLAYING = (*POSING, "events")
MOVING = (*PLAYING, "bake")  # commands that may play a motion
_OTHERS = (*TWO_FILES, "convert", "thumbnail", *NO_FILES)  # that have no options of one character
READING = tuple(command for command in COMMANDS if command not in _OTHERS)
CONVERTING = tuple(command for command in COMMANDS if command not in NO_FILES)
ALL = tuple(COMMANDS)
