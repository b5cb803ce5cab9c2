"""Plants faults in sound characters, and prints how many of them `check` finds.

Run ``python -m tests.tools.planted_faults`` after a change of a rule; ``--part NAME`` plants only
the classes of one module of tests/support/planted, ``--model NAME`` in one model only,
``--held-out`` in those that no limit of a rule was chosen by, and
``--write`` replaces their rows of the table in docs/checks.md.

A fault is found if one of its class's rules has a finding that the untouched character has not.
Its cause is named if that finding names what is at fault, where that has a name; rows are findings
of the same cause, in the order in which `check` lists them, among all of the untouched character.
"""

import argparse
import re
from collections import Counter
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.finding import by_visible_size
from rigview.checks.rule_settings import Settings
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support import planted
from tests.support.mannequin_variants import write_other_proportions
from tests.support.planted.fault_class import FaultClass
from tests.support.shared import MODELS, SHARED

PAGE = Path(__file__).resolve().parents[2] / "docs" / "checks.md"
TOP = 3  # rows
_HEAD = (
    "| fault | rule | models × places | found, by size in limits | cause named "
    f"| in the first {TOP} rows |\n| --- | --- | --- | --- | --- | --- |\n"
)
_TABLE = r"<!-- {} -->\n((?:\|[^\n]*\n)*)"
SOUND = {
    "mannequin": asset_path("mannequin.glb"),
    "CesiumMan": MODELS / "CesiumMan.glb",
    "Fox": MODELS / "Fox.glb",
    "robot": MODELS / "robot.glb",
    "Woman": MODELS / "Woman.gltf",
    "RiggedSimple": MODELS / "RiggedSimple.gltf",
    "SimpleSkin": MODELS / "SimpleSkin.gltf",
    "skinned cylinder": MODELS / "blender-io/03_skinned_cylinder/03_skinned_cylinder.gltf",
    "all animations": MODELS / "blender-io/03_all_animations/03_all_animations.gltf",
    "AnimatedMorphCube": MODELS / "AnimatedMorphCube/AnimatedMorphCube.gltf",
    "SimpleMorph": MODELS / "SimpleMorph/SimpleMorph.gltf",
    "BoxAnimated": MODELS / "BoxAnimated.gltf",
}


LOOK = SHARED / "look"
HELD_OUT = {
    "AnisotropyBarnLamp": LOOK / "AnisotropyBarnLamp/AnisotropyBarnLamp.gltf",
    "CornellBox": LOOK / "CornellBox.glb",
    "DamagedHelmet": LOOK / "DamagedHelmet.glb",
    "FlightHelmet": LOOK / "FlightHelmet/FlightHelmet.gltf",
    "oaktree": LOOK / "oaktree.gltf",
    "interpolation": MODELS / "InterpolationTest/interpolation_test.gltf",
    "parent inverse": MODELS / "blender-io/06_parent-inverse-anim/06_parent-inverse-anim.gltf",
    "longer legs": None,  # the mannequin with other proportions
}
LONGER = ("Walk", "Run", "Wave", "Talk", "Jump", "Crouch", "Nod")  # its clips


def source_of(name):
    """The file of a model, or its bytes."""
    path = {**SOUND, **HELD_OUT}[name]
    if path is not None:
        return path
    with TemporaryDirectory() as folder:
        return write_other_proportions(Path(folder) / "a.glb", clips=LONGER).read_bytes()


class Sound:
    """A sound character with its findings; `source` is a file, or its bytes."""

    def __init__(self, name, source):
        self.name = name
        self.context = CheckContext(load(source))
        self.context.height  # noqa: B018 - cached before changes of the model
        self.findings = examine(self.context)
        self.known = {_key(finding) for finding in self.findings}


class Outcome(NamedTuple):
    """What `check` says about one planted fault."""

    found: bool
    named: bool | None  # None: what is at fault has no name
    row: int  # of the first finding about it, from 0; -1: none


def classes(part=""):
    """The classes of all modules, or of one."""
    names = [each.name for each in iter_modules(planted.__path__) if each.name != "fault_class"]
    assert not part or part in names
    return [
        fault
        for name in names
        if part in ("", name)
        for fault in import_module(f"tests.support.planted.{name}").CLASSES
    ]


def outcome(sound: Sound, fault: FaultClass, place, size) -> Outcome:
    """Plant a fault and look for it."""
    context = fault.plant(sound.context, place, size)
    findings = examine(context, Settings(only=fault.rules))
    new = [finding for finding in findings if _key(finding) not in sound.known]
    examined = {context.clip(c).name for c in context.clips} | {""}
    others = [
        finding
        for finding in sound.findings
        if finding.rule not in fault.rules or finding.clip not in examined
    ]
    causes = list(dict.fromkeys(each.cause for each in by_visible_size([*others, *findings])))
    names = [name for name in fault.causes(sound.context, place) if name]
    about = [
        each
        for each in new
        if any(name in (each.joint, each.item) or name in each.message for name in names)
    ]
    rows = [causes.index(finding.cause) for finding in about or new]
    return Outcome(bool(new), bool(about) if names else None, min(rows, default=-1))


def _key(finding):
    return finding.rule, finding.clip, finding.joint, finding.item, finding.message


def rows_of(faults, names):
    """The rows of a Markdown table of what is found, by the name of the fault."""
    counts = {fault.name: Counter() for fault in faults}
    for name in names:
        sound = Sound(name, source_of(name))
        for fault in faults:
            _count(sound, fault, counts[fault.name])
    return {fault.name: _row(fault, counts[fault.name]) for fault in faults}


def _count(sound, fault, counts):
    places = fault.places(sound.context)
    counts["models"] += bool(places)
    counts["places"] += len(places)
    for place in places:
        for size in fault.sizes or (1.0,):
            seen = outcome(sound, fault, place, size)
            counts["planted", size] += 1
            counts["found", size] += seen.found
            if size >= 1 and seen.found:
                counts["named"] += bool(seen.named)
                counts["nameable"] += seen.named is not None
                counts["first"] += 0 <= seen.row < TOP
                counts["all found"] += 1
            if seen.found != (size >= 1) or (seen.found and seen.named is False):
                print(sound.name, fault.name, size, place, seen, flush=True)


def _row(fault, counts):
    sizes = fault.sizes or (1.0,)
    shares = [
        (f"{size:g}×: " if fault.sizes else "")
        + f"{counts['found', size]}/{counts['planted', size]}"
        for size in sizes
    ]
    named = f"{counts['named']}/{counts['nameable']}" if counts["nameable"] else ""
    rules = ", ".join(f"`{identity}`" for identity in fault.rules)
    return (
        f"| {fault.name} | {rules} | {counts['models']} × {counts['places']} | {', '.join(shares)} "
        f"| {named} | {counts['first']}/{counts['all found']} |"
    )


def main():
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", default="", help="a module of tests/support/planted")
    parser.add_argument(
        "--held-out", action="store_true", help="models that no limit was chosen by"
    )
    parser.add_argument("--model", action="append", choices=[*SOUND, *HELD_OUT])
    parser.add_argument("--write", action="store_true", help="into docs/checks.md")
    chosen = parser.parse_args()
    title = "planted: held out" if chosen.held_out else "planted"
    models = HELD_OUT if chosen.held_out else SOUND
    rows = rows_of(classes(chosen.part), chosen.model or models)
    print(_HEAD + "\n".join(rows.values()))
    if chosen.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(
            re.sub(_TABLE.format(title), partial(_with_rows, title, rows), page), encoding="utf-8"
        )


def _with_rows(title, rows, found):
    """The table with other rows, in the order of the classes; the other rows are kept."""
    known = {line.split(" | ")[0].removeprefix("| "): line for line in found[1].splitlines()[2:]}
    known |= {name: row for name, row in rows.items() if "| 0 × 0 |" not in row}
    return f"<!-- {title} -->\n{_HEAD}" + "".join(
        f"{known[fault.name]}\n" for fault in classes() if fault.name in known
    )


if __name__ == "__main__":
    main()
