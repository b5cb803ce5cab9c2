"""Cases of the rules about names and budgets."""

import numpy as np

from tests.support.rule_case import Case
from tests.support.rule_figure import (
    HEAD,
    HIPS,
    LEFT_ARM,
    LEFT_HAND,
    RIGHT_ARM,
    context,
    document_change,
    extra_vertices,
)

SOUND = context()


def called(joint, name):
    def change(figure):
        figure.names[joint] = name

    return change


def body_called(name):
    return lambda figure: figure.body.update(name=name)


def clip(name, again=None):
    """Rename the clip, and optionally add a second one."""

    @document_change
    def change(b):
        b.json["animations"][0]["name"] = name
        if again is not None:
            b.json["animations"].append(b.json["animations"][0] | {"name": again})

    return change


def chain(count):
    """Add a chain of joints below the hips; the last one moves the topmost vertex."""

    def change(figure):
        first = len(figure.names)
        figure.names += [f"Tail{k}" for k in range(count)]
        figure.parents += [HIPS, *range(first, first + count - 1)]
        figure.nodes += [{"translation": [0, 0, -0.1]} for _ in range(count)]
        binds = np.tile(np.eye(4), (count, 1, 1))
        binds[:, 1, 3], binds[:, 2, 3] = -0.9, 0.1 * np.arange(1, count + 1)
        figure.inverse = np.concatenate((figure.inverse, binds))
        figure.joints[-1, 0] = first + count - 1

    return change


@document_change
def bodies(b):
    """Add two nodes with the same mesh."""
    for _ in range(2):
        b.add("nodes", name="Copy", mesh=0, skin=0)
        b.json["scenes"][0]["nodes"].append(len(b.json["nodes"]) - 1)


def repeated(times):
    """Repeat the triangles."""

    def change(figure):
        figure.indices = np.tile(figure.indices, times)

    return change


def parts(count):
    @document_change
    def change(b):
        b.json["meshes"][0]["primitives"] *= count

    return change


def materials(count):
    @document_change
    def change(b):
        b.json["materials"] = [{"name": f"Cloth {k}"} for k in range(count)]

    return change


def targets(count):
    @document_change
    def change(b):
        primitive = b.json["meshes"][0]["primitives"][0]
        primitive["targets"] = [{"POSITION": primitive["attributes"]["NORMAL"]}] * count

    return change


def feet(ahead):
    """Add legs with feet that point along z; `ahead` is -1 for a figure that faces -Z."""

    def change(figure):
        for joint, name in enumerate(figure.names):
            if ahead < 0 and name.startswith(("Left", "Right")):
                figure.names[joint] = name.replace(*_SWAPPED[name.startswith("Left")])
        for side, x in (("Left", 0.1 * ahead), ("Right", -0.1 * ahead)):
            first = len(figure.names)
            figure.names += [f"{side}UpLeg", f"{side}Leg", f"{side}Foot", f"{side}Toe"]
            figure.parents += [HIPS, first, first + 1, first + 2]
            places = [[x, 0, 0], [0, -0.4, 0], [0, -0.4, 0], [0, -0.1, 0.15 * ahead]]
            figure.nodes += [{"translation": place} for place in places]
            binds = np.tile(np.eye(4), (4, 1, 1))
            binds[:, :3, 3] = -np.cumsum(places, axis=0) - [0, 0.9, 0]
            figure.inverse = np.concatenate((figure.inverse, binds))

    return change


_SWAPPED = {True: ("Left", "Right"), False: ("Right", "Left")}
CASES = {
    "facing": Case(context(feet(-1)), context(feet(1)), place="/scenes"),
    "name-duplicate": Case(
        context(called(LEFT_HAND, "Hand"), called(RIGHT_ARM, "Hand")),
        context(body_called("Head")),
        1,
        "/nodes/5/name",
    ),
    "name-shared": Case(context(body_called("Head")), SOUND, 1, "/nodes/7/name"),
    "name-missing": Case(
        context(called(HEAD, None), called(HIPS, " ")), context(body_called("")), 2, "/nodes/0"
    ),
    "clip-name-missing": Case(context(clip("")), context(clip("0")), 1, "/animations/0"),
    "clip-name-duplicate": Case(
        context(clip("Nod", "Nod")), context(clip("Nod", "nod")), 2, "/animations/1/name"
    ),
    "name-mirror": Case(context(called(LEFT_HAND, "Hook")), SOUND, 1, "/nodes/6/name"),
    "name-illegal": Case(
        context(called(HEAD, "Body/Head"), called(HIPS, "Hips ")),
        context(called(HEAD, "H" * 63), called(HIPS, "Körper: Hüfte")),
        2,
        "/nodes/0/name",
    ),
    "name-renamed": Case(
        context(called(LEFT_ARM, "Arm.L"), called(RIGHT_ARM, "Arm.R")),
        context(called(LEFT_ARM, "Arm_L"), called(RIGHT_ARM, "Arm-R")),
        2,
        "/nodes/3/name",
    ),
    "name-collides": Case(
        context(called(LEFT_ARM, "Arm.L"), called(RIGHT_ARM, "arm_L")),
        context(called(LEFT_ARM, "Arm.L"), called(RIGHT_ARM, "Arm.R")),
        1,
        "/nodes/5/name",
    ),
    "clip-name-illegal": Case(
        context(clip("Nod\tfast")), context(clip("Nod|fast")), place="/animations/0/name"
    ),
    "clip-name-renamed": Case(context(clip("Nod|fast")), context(clip("Nod fast_2.1")), 1),
    "budget-joints": Case(context(chain(250)), context(chain(249)), 257),
    "budget-palette": Case(context(chain(335)), context(chain(334)), 342 * 48),
    "budget-vertices": Case(context(extra_vertices(66_600), bodies), context(bodies), 3 * 66_672),
    "budget-triangles": Case(
        context(repeated(2942)), context(repeated(2941)), 2942 * 68, "/meshes"
    ),
    "budget-draws": Case(context(parts(11), bodies), context(parts(32)), 33),
    "budget-materials": Case(context(materials(33)), context(materials(32)), 33),
    "budget-morphs": Case(context(targets(65)), context(targets(64)), 65),
}
