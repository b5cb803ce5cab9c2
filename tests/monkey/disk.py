"""The folder of the monkey: characters and motion files that change while they are open."""

import json
import shutil
from dataclasses import replace
from functools import cache

from rigview.motion.document import MotionDoc
from rigview.motion.read import MotionFile
from rigview.motion.write import write_motion
from tests.support import animated_value_files
from tests.support.command_files import write_document
from tests.support.full_motion_file import CLIPS, DOCUMENT, TIMED_CHANGES
from tests.support.gltf_documents import make_glb, split_glb
from tests.support.light_mannequin import light_mannequin
from tests.support.material_extension_files import every_extension
from tests.support.motion_texts import EXAMPLE, FORMS, SPACED
from tests.support.random_documents import RandomDocument

HOME = "figure.glb"
SPARSE = 16  # triangles of the bundled character to one that is drawn
FEW = frozenset(("Idle", "Walk", "Run"))
BROKEN = {  # contents that cannot be read, by the kind of fault
    "empty": b"",
    "noise": bytes(range(256)) * 8,
    "text": b"not a character\n",
    "json": b'{"asset": {"version": "2.0"}, "nodes": [{}], "scenes": [{"nodes": [7]}]}',
}
WRONG_MOTIONS = {
    "unknown clip": 'version = 1\n[[layers]]\nname = "base"\nplay = "Sprint"\n',
    "unknown key": "version = 1\nlayer = 3\n",
    "no TOML": "version = = 1",
    "cut": EXAMPLE[:700],
}
MOTIONS = {
    "full": lambda: write_motion(MotionFile(MotionDoc()), DOCUMENT),
    "timed": lambda: write_motion(MotionFile(MotionDoc()), _timed()),
    "spaced": lambda: SPACED,
    "forms": lambda: FORMS,
    "nothing": lambda: "",
    "version": lambda: "version = 1\n",
}
CHARACTERS = {
    HOME: {"all": lambda: _figure(CLIPS), "few": lambda: _figure(FEW)},
    "small.gltf": {"all": None, "no clips": None},
    "cameras.glb": {"all": lambda: animated_value_files.two_cameras().glb()},
    "book.glb": {
        "four": lambda: animated_value_files.flip_book().glb(),
        "two": lambda: animated_value_files.flip_book(2).glb(),
    },
    "glass.glb": {"all": lambda: every_extension().glb()},
    "random.glb": {
        "1": lambda: RandomDocument(1).glb(),
        "2": lambda: RandomDocument(2).glb(),
        "5": lambda: RandomDocument(5).glb(),
    },
}


def _timed():
    return replace(DOCUMENT, at=TIMED_CHANGES)


def _figure(clips):
    """Return the bundled character with few of its triangles, which is drawn quickly."""
    text, blob = split_glb(light_mannequin(clips))
    made = json.loads(text)
    for primitive in (each for mesh in made["meshes"] for each in mesh["primitives"]):
        indices = made["accessors"][primitive["indices"]]
        indices["count"] = max(indices["count"] // SPARSE // 3 * 3, 3)
    return make_glb(made, blob)


@cache
def _made(name, version):
    return CHARACTERS[name][version]()


class Disk:
    """A folder with characters, motion files, and what is not a character."""

    def __init__(self, folder):
        self.folder = folder
        for name in CHARACTERS:
            self.write(name, next(iter(CHARACTERS[name])))
        self.write("figure.motion.toml", "full")
        (folder / "notes.txt").write_text("notes\n")
        (folder / "folder.glb").mkdir()

    @property
    def names(self):
        """The names of all characters; they may be broken or removed."""
        return [*CHARACTERS]

    @property
    def droppable(self):
        """Names that are dropped on the window; some are no characters."""
        return [*CHARACTERS, "missing.glb", "notes.txt", "folder.glb", "figure.motion.toml"]

    def contents(self, name):
        """The names of the contents that a file may get."""
        if name.endswith(".toml"):
            return [*MOTIONS, *WRONG_MOTIONS]
        return [*CHARACTERS[name], *BROKEN, "half"]

    def write(self, name, content):
        path = self.folder / name
        if content in BROKEN:
            path.write_bytes(BROKEN[content])
        elif content == "half":
            whole = path.read_bytes() if path.is_file() else b"glTF"
            path.write_bytes(whole[: len(whole) // 2])
        elif name.endswith(".toml"):
            text = WRONG_MOTIONS.get(content)
            path.write_text(MOTIONS[content]() if text is None else text)
        elif name == "small.gltf":
            write_document(path, **({} if content == "all" else {"animations": None}))
        else:
            path.write_bytes(_made(name, content))

    def remove(self, name):
        (self.folder / name).unlink(missing_ok=True)

    def tidy(self):
        """Remove what the window has saved: pictures, and motion files under other names."""
        shutil.rmtree(self.folder / "pictures", ignore_errors=True)
        for path in self.folder.rglob("*.motion.toml"):
            path.unlink()
        self.write("figure.motion.toml", "full")
