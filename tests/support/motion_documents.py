"""Hypothesis strategies for motion documents."""

from dataclasses import replace
from types import MappingProxyType

from hypothesis import assume
from hypothesis import strategies as st

from rigview.motion import document as doc
from rigview.motion.cross_references import layers_of

NAMES = st.sampled_from(
    ["Walk", "Run", "Idle #2", "a b", 'q"t', "ünï", "x.y", "base", "#3", "true", "\\", "\x7f"]
)
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 9) + 0.0) | st.integers(
    -5, 5
).map(float)
FRACTIONS = st.floats(0, 1).map(lambda x: round(x, 12))
SECONDS = st.floats(0, 1e3).map(lambda x: round(x, 6))
FACTORS = st.floats(1e-3, 1e3)
SPEEDS = st.floats(-1000, 1000).map(lambda x: round(x, 9) + 0.0)
DIRECTIONS = st.tuples(NUMBERS, NUMBERS, st.just(1.0))
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)


def mapping(keys, values, least=0, most=3):
    return st.dictionaries(keys, values, min_size=least, max_size=most).map(MappingProxyType)


def interval(numbers):
    pair = st.tuples(numbers, numbers)
    return pair.filter(lambda p: p[0] != p[1]).map(lambda p: (min(p), max(p)))


def optional(strategy):
    return st.none() | strategy


parameters = st.builds(
    doc.Parameter,
    NUMBERS,
    optional(interval(NUMBERS)),
    SECONDS,
    st.booleans(),
) | st.builds(doc.Parameter, VECTORS, st.none(), SECONDS)
marks = st.builds(doc.ClipEvent, NAMES, phase=FRACTIONS) | st.builds(
    doc.ClipEvent, NAMES, time=SECONDS
)
roots = st.builds(
    doc.Root,
    NAMES,
    st.sampled_from(["keep", "in-place", "accumulate"]),
    st.sampled_from(["xz", "x", "xyz"]),
    st.booleans(),
)
references = (
    st.builds(doc.Reference, clip=NAMES, time=optional(SECONDS))
    | st.just(doc.Reference(pose="rest"))
    | st.just(doc.Reference(pose="bind"))
    | st.just(doc.Reference(pose="stand"))
)
additives = st.builds(
    doc.Additive,
    NAMES,
    references,
    st.sampled_from(["joint", "parent", "model"]),
    mapping(NAMES, st.floats(0, 180)),
)
masks = st.builds(
    doc.MaskSettings, mapping(NAMES, FRACTIONS, least=1), st.sampled_from(["local", "model"])
)
ROTATION = st.sampled_from(["nlerp", "slerp"])
EVENTS = st.sampled_from(["heaviest", "all", "none"])
still_poses = (
    st.builds(doc.StillClip, NAMES, SECONDS)
    | st.builds(doc.StillPose, st.sampled_from(["rest", "bind", "stand"]))
    | NAMES
)
joint_poses = st.builds(doc.JointPose, optional(VECTORS), optional(VECTORS), optional(VECTORS))
poses = mapping(NAMES, joint_poses)
retarget = st.builds(
    doc.RetargetSettings,
    st.sampled_from(["bind", "rest", "Walk@0.5"]),
    st.sampled_from(["bind", "a@b@1"]),
    st.booleans(),
    st.booleans(),
    optional(NAMES),
    optional(NAMES),
    optional(NAMES),
)


@st.composite
def clips(draw, numbers):
    cycles = draw(st.integers(1, 3))
    phases = (
        st.lists(FRACTIONS, min_size=cycles, max_size=cycles, unique=True).map(sorted).map(tuple)
    )
    drives = st.none()
    if numbers:
        pairs = st.tuples(NUMBERS, NUMBERS).filter(lambda pair: pair[0] != pair[1])
        to = st.tuples(st.floats(1, 50), st.floats(1, 50))
        unit = st.sampled_from(["seconds", "key"])
        drives = optional(st.builds(doc.Drive, st.sampled_from(numbers), pairs, to, unit))
    return doc.ClipSettings(
        draw(st.sampled_from([None, "once", "loop", "pingpong", "3", "pingpong:2"])),
        draw(optional(interval(SECONDS))),
        cycles,
        draw(mapping(NAMES, phases)),
        draw(st.lists(marks, max_size=3).map(tuple)),
        draw(optional(roots)),
        draw(drives),
    )


@st.composite
def spaces(draw, axis):
    kind = draw(st.sampled_from(["line", "points", "corners", "strafe"]))
    if kind == "strafe":
        roles = st.sampled_from(["forward", "left", "right_back"])
        return doc.StrafeSpace(
            draw(axis),
            draw(mapping(roles, NAMES, least=1)),
            draw(mapping(st.sampled_from(["left_to_back"]), NAMES)),
            draw(st.floats(0, 45)),
            draw(SECONDS),
            True,  # sync
            draw(ROTATION),
            draw(EVENTS),
        )
    places = {
        "line": st.tuples(st.integers(-170, 170).map(float)),
        "points": st.tuples(NUMBERS, NUMBERS),
    }
    corners = st.permutations([(0.0, 1.0), (0.0, 3.5), (-2.0, 1.0), (-2.0, 3.5)])
    at = (
        draw(corners)
        if kind == "corners"
        else draw(st.lists(places[kind], min_size=2, max_size=4, unique=True))
    )
    held = tuple(doc.SpaceClip(draw(NAMES), place) for place in at)
    y = 0.0 if kind == "line" else draw(axis)
    x = draw(axis)
    return doc.Space(kind, held, x, y, draw(st.booleans()), draw(ROTATION), draw(EVENTS))


@st.composite
def layers(draw, names, held_masks, held_additives, scalars=(), deep=True):
    """Layers whose names are taken from a list, so that no two are the same."""
    found = []
    for _ in range(draw(st.integers(0, min(3, len(names))))):
        if not names:
            break
        name = names.pop()
        play = draw(still_poses)
        if deep and draw(st.booleans()):
            inner = draw(layers(names, held_masks, held_additives, scalars, deep=False))
            play = doc.Nested(inner) if inner else play
        mode = "replace"
        if held_additives and draw(st.booleans()):
            play = draw(st.sampled_from(held_additives))
            mode = draw(st.sampled_from(["add", "replace"]))
        weight = draw(st.sampled_from([0.0, 0.5, 1.0, *scalars]))
        mask = draw(st.sampled_from([None, "touched", *held_masks]))
        nested = isinstance(play, doc.Nested)
        speed = draw(SPEEDS if nested or not scalars else SPEEDS | st.sampled_from(scalars))
        phase = draw(FRACTIONS)
        mute, solo, rotation = draw(st.booleans()), draw(st.booleans()), draw(ROTATION)
        found.append(
            doc.LayerSettings(name, play, mask, weight, mode, speed, phase, mute, solo, rotation)
        )
    return tuple(found)


@st.composite
def timed_changes(draw, names, scalars, vectors):
    if not names:
        return ()
    layer = st.sampled_from(names)
    settable = st.sampled_from([*scalars, *(f"{name}.weight" for name in names)])
    deeds = [
        st.builds(
            doc.Fade,
            layer,
            still_poses,
            SECONDS,
            st.sampled_from(["cubic", "linear"]),
            st.sampled_from(["smooth", "frozen"]),
            st.booleans(),
        ),
        st.builds(doc.Set, settable, FRACTIONS, optional(SECONDS)),
        st.builds(doc.Seek, layer, SECONDS),
        st.builds(doc.Speed, layer, SPEEDS),
        st.builds(doc.Cut, st.just("")),
    ]
    if vectors:
        deeds.append(st.builds(doc.Set, st.sampled_from(vectors), VECTORS, optional(SECONDS)))
    return tuple(draw(st.lists(st.builds(doc.At, SECONDS, st.one_of(deeds)), max_size=4)))


@st.composite
def documents(draw):
    held = draw(mapping(NAMES, parameters))
    scalars = [name for name, each in held.items() if not isinstance(each.default, tuple)]
    vectors = [name for name in held if name not in scalars]
    axis = NUMBERS | st.sampled_from(scalars) if scalars else NUMBERS
    free = draw(st.permutations(["Walk", "Run", "a b", "x.y", "#1", 'q"', "é", "1", "e", "f"]))
    free = list(free)

    def some(strategy):
        return MappingProxyType(
            {free.pop(): draw(strategy) for _ in range(draw(st.integers(0, 2)))}
        )

    held_additives = some(additives)
    held_masks = draw(mapping(NAMES, masks, most=2))
    target = st.sampled_from(["Head", *vectors]).filter(lambda name: name not in scalars)
    chain = mapping(NAMES, st.floats(0.1, 1), least=1)
    aims = st.builds(
        doc.Aim,
        chain,
        target,
        DIRECTIONS,
        optional(DIRECTIONS),
        optional(st.floats(0, 180)),
        optional(FACTORS),
    )
    limbs = st.lists(NAMES, min_size=3, max_size=3, unique=True).map(tuple)
    names = ["base", "top", "b c", "w.x", "é", '"', "n"]
    held_spaces = some(spaces(axis))
    plain = [each for each in held_spaces.values() if isinstance(each, doc.Space)]
    assume(not {each.source for each in held_additives.values()} & {*held_spaces})
    assume(not {place.clip for each in plain for place in each.clips} & {*held_additives})
    added = list(held_additives)
    if draw(st.booleans()):
        held_additives = MappingProxyType(
            {**held_additives, "left": doc.Additive("L"), "right": doc.Additive("R")}
        )
        places = doc.SpaceClip("left", (-1.0,)), doc.SpaceClip("right", (1.0,))
        held_spaces = MappingProxyType(
            {**held_spaces, "look": doc.Space("line", places, draw(axis))}
        )
        added = [*held_additives, "look"]
    stack = draw(layers(names, list(held_masks), added, scalars))
    used = [
        layer.name
        for _, layer in layers_of(stack)
        if not isinstance(layer.weight, str) and not isinstance(layer.speed, str)
    ]
    document = doc.MotionDoc(
        anims=draw(
            st.builds(
                doc.Anims, st.lists(NAMES, max_size=2).map(tuple), mapping(NAMES, NAMES, most=2)
            )
        ),
        parameters=held,
        clips=some(clips(scalars)),
        additives=held_additives,
        masks=held_masks,
        spaces=held_spaces,
        aims=some(aims),
        iks=some(st.builds(doc.Ik, limbs, target, DIRECTIONS)),
        pivot=draw(optional(st.builds(doc.Pivot, axis))),
        retarget=draw(retarget),
        layers=stack,
        at=draw(timed_changes(used, scalars, vectors)),
        facing=draw(st.sampled_from([None, (0.0, 0.0, -1.0), (0.5, 0.25, 0.0)])),
        morphs=draw(mapping(NAMES, FACTORS, most=3)),
        poses=draw(mapping(NAMES, poses)),
    )
    if "'stand'" in repr(document):
        held = MappingProxyType({**document.poses, "stand": draw(poses)})
        document = replace(document, poses=held)
    return document
