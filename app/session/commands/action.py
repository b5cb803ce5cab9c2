"""An action of the user interface, and the actions that a search finds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..session import Session

LEAST = 3  # letters of a word that is looked up in the synonyms
SYNONYMS = (  # what one term of a row names is found by the others
    ("turntable", "orbit", "view cube", "turn", "rotate", "spin", "360"),
    ("skeleton", "bones", "armature", "rig"),
    ("joint", "joints", "bone", "node"),
    ("video", "export", "gif", "movie", "film", "animation", "render", "record", "mp4", "webm"),
    ("picture", "screenshot", "snapshot", "photo", "image", "png"),
    ("weights", "skinning", "vertex groups"),
    ("dope sheet", "keyframes", "timeline"),
    ("curves", "graph", "f-curve", "fcurve"),
    ("mixer", "layers", "blend", "blending"),
    ("stage", "light", "lighting", "background", "environment", "hdri", "skybox"),
    ("onion skins", "ghosting", "motion trail"),
    ("path", "trail", "trajectory"),
    ("morphs", "shape keys", "blend shapes"),
    ("findings", "check", "errors", "problems", "lint", "validate"),
    ("compare", "diff", "versions", "difference"),
    ("mapping", "retarget", "retargeting"),
    ("clip", "clips", "animation", "action", "motion"),
    ("view mode", "shading", "material", "channel"),
    ("theme", "dark", "light", "colours", "colors", "settings", "preferences"),
    ("text size", "zoom", "scale", "font", "settings", "preferences"),
    ("orthographic", "perspective", "projection"),
    ("frame", "focus", "fit", "centre", "center"),
    ("hide", "show", "toggle"),
    ("files of the folder", "browse", "browser", "thumbnails", "gallery", "wall"),
    ("attach", "prop", "weapon", "parent"),
)

Run = Callable[[Session], None]
Check = Callable[[Session], bool]


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the user interface.

    Keys are written as in "Ctrl+Shift+Left". Characters other than letters ("[", "?", "1") are
    matched against the typed character, whatever the keyboard layout. Ctrl is Cmd on macOS.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    run: Run
    checked: Check | None = None  # of a toggle: returns whether it is on
    repeat: bool = False  # repeats while the key is held
    modal: bool = False  # also runs while a pop-up is open
    group: str = ""  # the menu that has it
    tip: str = ""


def found_commands(actions: Sequence[Action], text: str) -> list[Action]:
    """Return the actions whose label, group or name contain all words of a text, or synonyms.

    Those whose label begins with the text come first, then those with a word of the label that
    begins with the first word of the text, then others, and last those found by synonyms; otherwise
    they keep their order. Dots at the end of the text count as little as those of a label.
    """
    typed = text.casefold().strip().rstrip(".… ")
    words = typed.split()
    meant = [_synonyms(word) for word in words]
    ranked: list[tuple[int, int, Action]] = []
    for number, each in enumerate(actions):
        label = each.label.casefold()
        whole = f"{each.group} {each.label} {each.name}".casefold().replace("…", "")
        if all(word in whole for word in words):
            begins = any(part.startswith(words[0]) for part in label.split()) if words else True
            rank = 0 if label.startswith(typed) else 1 if begins else 2
        elif all(any(f" {term} " in f" {whole} " for term in terms) for terms in meant):
            rank = 3  # by whole words: "spin" is no part of Spine
        else:
            continue
        ranked.append((rank, number, each))
    return [each for _, _, each in sorted(ranked, key=lambda row: row[:2])]


def _synonyms(word: str) -> set[str]:
    """Return a word and the terms of all rows of `SYNONYMS` with a word that begins with it."""
    known = SYNONYMS if len(word) >= LEAST else ()
    rows = [
        row for row in known if any(term.startswith(word) or f" {word}" in term for term in row)
    ]
    return {word, *(term for row in rows for term in row)}
