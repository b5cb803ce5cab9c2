"""Checks across the parts of a motion file: names exist, shapes fit.

Names of clips and joints are checked by `rigview.motion.bind`, with the model.
"""

from collections.abc import Iterable, Iterator

from ..blending.parameters import wrap_degrees
from ..errors import KeyPath
from ..tomlfile.toml_errors import motion_error, quoted
from .document import (
    STILLS,
    Additive,
    ClipSettings,
    Cut,
    Fade,
    LayerSettings,
    MotionDoc,
    Nested,
    Play,
    Seek,
    Set,
    Space,
    Speed,
    StillPose,
    StrafeSpace,
    Value,
)

TOUCHED = "touched"  # built-in mask: 1 on the joints animated by a layer's clips
BASE = "base"  # the layer of a file without layers
WEIGHT = ".weight"  # suffix of a layer's name in `set`


def check(doc: MotionDoc) -> None:
    """Raise MotionError where the parts of a document are inconsistent."""
    check_entries(doc)
    _check_at(doc)


def check_entries(doc: MotionDoc) -> None:
    """Raise MotionError where the parts of a document but its schedule are inconsistent."""
    _check_names(doc)
    for name, parameter in doc.parameters.items():
        if isinstance(parameter.default, tuple) and parameter.angle:
            message = "a parameter of three numbers cannot be an angle"
            raise motion_error(("parameters", name, "angle"), message)
    for name, clip in doc.clips.items():
        _check_clip(doc, clip, ("clips", name))
    if TOUCHED in doc.masks:
        raise motion_error(("masks", TOUCHED), '"touched" is the name of a built-in mask')
    for name, space in doc.spaces.items():
        _check_space(doc, space, ("spaces", name))
    for name, additive in doc.additives.items():
        _check_additive(doc, additive, ("additives", name))
        _check_pose(doc, additive.reference.pose, ("additives", name, "reference"))
    _check_poses(doc)
    _check_chains(doc)
    if doc.pivot is not None:
        _check_number(doc, doc.pivot.rate, ("pivot", "rate"))
    _check_layers(doc)


def layers_of(
    layers: Iterable[LayerSettings], path: KeyPath = ("layers",)
) -> Iterator[tuple[KeyPath, LayerSettings]]:
    """Yield all layers, including nested ones, with their key paths."""
    for number, layer in enumerate(layers):
        place = (*path, number)
        yield place, layer
        if isinstance(layer.play, Nested):
            yield from layers_of(layer.play.layers, (*place, "play", "layers"))


def all_layers(doc: MotionDoc) -> Iterator[tuple[KeyPath, LayerSettings]]:
    """Yield all layers, including those that fades lead to."""
    yield from layers_of(doc.layers)
    for number, at in enumerate(doc.at):
        if isinstance(at.do, Fade) and isinstance(at.do.to, Nested):
            yield from layers_of(at.do.to.layers, ("at", number, "fade", "to", "layers"))


def layer_names(doc: MotionDoc) -> list[str]:
    """Return the names of all layers; "base" if the document has none."""
    names = [layer.name for _, layer in all_layers(doc)]
    return names if doc.layers else [BASE, *names]


def settable(doc: MotionDoc) -> list[str]:
    """Return the names that `set` accepts: parameters, and weights that are no parameters."""
    bound = weight_parameters(doc)
    weights = [f"{name}{WEIGHT}" for name in layer_names(doc)]
    return [*doc.parameters, *(name for name in weights if name not in bound)]


def weight_parameters(doc: MotionDoc) -> dict[str, str]:
    """Return `LAYER.weight` and the parameter, for each layer whose weight is a parameter."""
    layers = [layer for _, layer in all_layers(doc)]
    return {f"{each.name}{WEIGHT}": each.weight for each in layers if isinstance(each.weight, str)}


def name_error(doc: MotionDoc, name: str) -> str:
    """Return an error message for a name that `set` does not accept, ``""`` if it does."""
    bound = weight_parameters(doc).get(name)
    if bound is not None:
        return f"{quoted(name)} is the parameter {quoted(bound)}: set that"
    return "" if name in settable(doc) else f"no parameter or layer weight {quoted(name)}"


def initial(doc: MotionDoc, value: float | str) -> float:
    """Return a number, or the default of the parameter of that name; 0 if it has none."""
    if not isinstance(value, str):
        return value
    default = doc.parameters[value].default if value in doc.parameters else 0.0
    return 0.0 if isinstance(default, tuple) else float(default)


def differences(doc: MotionDoc, play: Play) -> tuple[Additive, ...]:
    """Return the additives that a layer adds: one, or those of a space; none for other content."""
    if not isinstance(play, str):
        return ()
    if play in doc.additives:
        return (doc.additives[play],)
    space = doc.spaces.get(play)
    if not isinstance(space, Space):
        return ()
    return tuple(doc.additives[each.clip] for each in space.clips if each.clip in doc.additives)


def value_error(doc: MotionDoc, name: str, value: Value) -> str:
    """Return an error message for a value that `set` gives to a name, ``""`` if it fits."""
    parameter = doc.parameters.get(name)
    vector = parameter is not None and isinstance(parameter.default, tuple)
    if vector != isinstance(value, tuple):
        return f"{quoted(name)} must be {'three numbers' if vector else 'one number'}"
    if parameter is None and isinstance(value, float) and value < 0:
        return f"a weight must not be negative: {value:g}"
    return ""


def _check_names(doc: MotionDoc) -> None:
    """Check that clips, spaces, additives, aims and iks have distinct names, as `play` needs."""
    taken: dict[str, str] = {}
    for kind in ("clips", "spaces", "additives", "aims", "iks"):
        for name in getattr(doc, kind):
            if name in taken:
                raise motion_error(
                    (kind, name), f"the name is already used by {taken[name]}.{name}"
                )
            taken[name] = kind


def _check_clip(doc: MotionDoc, clip: ClipSettings, path: KeyPath) -> None:
    for name, phases in clip.sync.items():
        if len(phases) != clip.cycles:
            message = f"{len(phases)} phases for {clip.cycles} cycles"
            raise motion_error(
                (*path, "sync", name), message, hint="a sync mark has one phase for each cycle"
            )
    if clip.source is not None and clip.range is None:
        hint = "write range = [0.5, 1.2], in seconds"
        raise motion_error((*path, "source"), "a clip that is cut out needs a range", hint=hint)
    for number, mark in enumerate(clip.events):
        if (mark.phase is None) == (mark.time is None):
            message = f"has {'neither' if mark.phase is None else 'both'} a phase and a time"
            raise motion_error((*path, "events", number), message, hint="give one of them")
    if clip.drive is None:
        return
    _check_number(doc, clip.drive.by, (*path, "drive", "by"))
    if clip.drive.start[0] == clip.drive.start[1]:
        raise motion_error((*path, "drive", "from"), "start and end must be different values")
    least = 1 if clip.drive.unit == "key" else 0
    if min(clip.drive.to) < least:
        message = "key numbers start at 1" if least else "a time must not be negative"
        raise motion_error((*path, "drive", "to"), message)


def _check_number(doc: MotionDoc, name: str | float, path: KeyPath) -> None:
    """Check a constant, or the name of a parameter of one number."""
    if not isinstance(name, str):
        return
    if name not in doc.parameters:
        raise motion_error(path, f"no parameter {quoted(name)}", wrong=name, known=doc.parameters)
    if isinstance(doc.parameters[name].default, tuple):
        raise motion_error(path, f"the parameter {quoted(name)} has three numbers instead of one")


def _check_poses(doc: MotionDoc) -> None:
    """Check the names of poses, and of those that layers and fades play."""
    for name in STILLS:
        if name in doc.poses:
            raise motion_error(("poses", name), f"{quoted(name)} is the model's own pose")
    for path, layer in all_layers(doc):
        if isinstance(layer.play, StillPose):
            _check_pose(doc, layer.play.pose, (*path, "play"))
    for number, at in enumerate(doc.at):
        if isinstance(at.do, Fade) and isinstance(at.do.to, StillPose):
            _check_pose(doc, at.do.to.pose, ("at", number, "fade", "to"))


def _check_pose(doc: MotionDoc, name: str | None, path: KeyPath) -> None:
    """Check the name of a still pose, if there is one."""
    known = [*STILLS, *doc.poses]
    if name is not None and name not in known:
        message = f"no pose {quoted(name)}"
        raise motion_error((*path, "pose"), message, wrong=name, known=known)


def _check_chains(doc: MotionDoc) -> None:
    for name, aim in doc.aims.items():
        _check_target(doc, aim.target, ("aims", name, "target"))
        if not any(aim.chain.values()):
            raise motion_error(("aims", name, "chain"), "rotates no joint: all weights are 0")
    for name, ik in doc.iks.items():
        _check_target(doc, ik.target, ("iks", name, "target"))
        if len(set(ik.chain)) < 3:
            raise motion_error(("iks", name, "chain"), "contains a joint twice")


def _check_target(doc: MotionDoc, name: str, path: KeyPath) -> None:
    """Check that a target is a parameter of three numbers, or a joint."""
    if name in doc.parameters and not isinstance(doc.parameters[name].default, tuple):
        hint = "a target is a point: default = [0, 1, 2]"
        raise motion_error(
            path, f"the parameter {quoted(name)} has one number instead of three", hint=hint
        )


def _check_space(doc: MotionDoc, space: Space | StrafeSpace, path: KeyPath) -> None:
    _check_number(doc, space.x, (*path, "x"))
    if isinstance(space, StrafeSpace):
        if not space.sync:
            message = "the clips of a strafe space share one phase, in which its halves change"
            raise motion_error((*path, "sync"), message, hint="leave out sync")
        return
    _check_number(doc, space.y, (*path, "y"))
    _check_differences(doc, space, path)
    line = space.kind == "line"
    if line and space.y != 0.0:
        raise motion_error(
            (*path, "y"), 'kind "line" has no second axis', hint='kind "points" has one'
        )
    for number, clip in enumerate(space.clips):
        if len(clip.at) != (1 if line else 2):
            count = "one number" if line else "two numbers, such as [0, 1]"
            raise motion_error(
                (*path, "clips", number, "at"), f"a position in this kind of space is {count}"
            )
    least = {"line": 2, "corners": 4, "points": 1}[space.kind]
    if len(space.clips) < least:
        message = f"{len(space.clips)} clips; {quoted(space.kind)} needs {least}"
        raise motion_error((*path, "clips"), message)
    _check_places(doc, space, path)
    if space.kind == "corners" and not _is_rectangle([clip.at for clip in space.clips]):
        message = "not the four corners of a rectangle along the axes"
        raise motion_error((*path, "clips"), message, hint='kind "points" allows any positions')


def _check_differences(doc: MotionDoc, space: Space, path: KeyPath) -> None:
    """Check that a space has either clips or additives, and that these can be blended."""
    first: Additive | None = None
    for number, each in enumerate(space.clips):
        place = (*path, "clips", number, "clip")
        additive = doc.additives.get(each.clip)
        if number and (additive is None) != (first is None):
            pair = f"{quoted(space.clips[0].clip)} and {quoted(each.clip)}"
            raise motion_error(place, f"a space has clips or additives, not both: {pair}")
        if additive is None:
            continue
        first = first or additive
        if additive.source in doc.spaces:
            message = f"{quoted(each.clip)} is the additive of a space"
            raise motion_error(place, message, hint="a space blends additives of clips")
        if additive.space != first.space:
            message = f"{quoted(each.clip)} is in {additive.space} space, the first one is not"
            raise motion_error(place, message, hint=f"its space must be {quoted(first.space)}")
        if additive.limits:
            message = f"{quoted(each.clip)} has limits, which act where a layer plays it"
            hint = "give them to an additive whose source is a space of clips"
            raise motion_error(place, message, hint=hint)


def _check_additive(doc: MotionDoc, additive: Additive, path: KeyPath) -> None:
    """Check that the source of an additive can be subtracted from."""
    space = doc.spaces.get(additive.source)
    if space is None:
        return
    if isinstance(space, StrafeSpace):
        raise motion_error((*path, "source"), f"{quoted(additive.source)} is a strafe space")
    if differences(doc, additive.source):
        message = f"the clips of {quoted(additive.source)} are additives"
        raise motion_error((*path, "source"), message, hint="a layer can play the space itself")


def _check_places(doc: MotionDoc, space: Space, path: KeyPath) -> None:
    ring = isinstance(space.x, str) and doc.parameters[space.x].angle and space.kind == "line"
    seen: dict[tuple[float, ...], str] = {}
    for number, clip in enumerate(space.clips):
        at = (float(wrap_degrees(clip.at[0])),) if ring else clip.at
        if at in seen:
            place = ", ".join(f"{part:g}" for part in at)
            message = f"{quoted(seen[at])} and {quoted(clip.clip)} have the same position {place}"
            raise motion_error((*path, "clips", number, "at"), message)
        seen[at] = clip.clip


def _is_rectangle(corners: list[tuple[float, ...]]) -> bool:
    xs, ys = ({corner[axis] for corner in corners} for axis in (0, 1))
    return len(corners) == 4 and len(set(corners)) == 4 and len(xs) == len(ys) == 2


def _check_layers(doc: MotionDoc) -> None:
    seen: dict[str, KeyPath] = {}
    masks = [*doc.masks, TOUCHED]
    for path, layer in all_layers(doc):
        if layer.name in seen:
            raise motion_error((*path, "name"), f"two layers have the name {quoted(layer.name)}")
        seen[layer.name] = path
        if layer.mask is not None and layer.mask not in masks:
            message = f"no mask {quoted(layer.mask)}"
            raise motion_error((*path, "mask"), message, wrong=layer.mask, known=masks)
        _check_controls(doc, layer, path)
        _check_random(doc, layer, path)
        additive = bool(differences(doc, layer.play))
        if layer.mode == "add" and not additive:
            message = '"add" needs an additive'
            if isinstance(layer.play, str):
                message = f'"add" needs an additive; {quoted(layer.play)} is not one'
            wrong = layer.play if isinstance(layer.play, str) else None
            raise motion_error((*path, "mode"), message, wrong=wrong, known=doc.additives)
        if not additive and isinstance(layer.weight, float) and layer.weight > 1:
            message = f"must be from 0 to 1, not {layer.weight:g}"
            raise motion_error((*path, "weight"), message, hint="only additives may exceed 1")


def _check_random(doc: MotionDoc, layer: LayerSettings, path: KeyPath) -> None:
    """Check that a layer can start with what it draws."""
    drawn = layer.random
    if drawn is None:
        return
    place = (*path, "random")
    if isinstance(layer.play, Nested):
        raise motion_error(place, "nested layers start as one", hint="give it to the inner layers")
    if drawn.phase and layer.time is not None:
        raise motion_error((*place, "phase"), "the time of the layer is a parameter")
    if drawn.speed is not None and isinstance(layer.speed, str):
        raise motion_error((*place, "speed"), f"the speed is the parameter {quoted(layer.speed)}")
    added = bool(differences(doc, layer.play))
    for number, name in enumerate(drawn.choice):
        if bool(differences(doc, name)) != added:
            message = f"{quoted(name)} is {'no' if added else 'an'} additive, `play` is not so"
            raise motion_error((*place, "choice", number), message)


def _check_controls(doc: MotionDoc, layer: LayerSettings, path: KeyPath) -> None:
    """Check the parameters of a layer's weight, speed and time."""
    _check_number(doc, layer.weight, (*path, "weight"))
    _check_number(doc, layer.speed, (*path, "speed"))
    if isinstance(layer.speed, str) and isinstance(layer.play, Nested):
        message = "nested layers have no speed parameter"
        raise motion_error((*path, "speed"), message, hint="set it on the inner layers")
    if layer.time is None:
        return
    _check_number(doc, layer.time, (*path, "time"))
    play = layer.play
    added = doc.additives.get(play) if isinstance(play, str) else None
    others = {*doc.spaces, *doc.aims, *doc.iks}
    if not isinstance(play, str) or (play if added is None else added.source) in others:
        message = "only a clip, or the additive of a clip, has a time"
        raise motion_error((*path, "time"), message, hint="drive the clips of a space one by one")
    if layer.speed != 1.0 or layer.phase:
        what = "speed" if layer.speed != 1.0 else "phase"
        raise motion_error((*path, "time"), f"has both a {what} and a time that is set")


def _check_at(doc: MotionDoc) -> None:
    layers, names = layer_names(doc), settable(doc)
    bound = {
        layer.name: (what, by)
        for _, layer in all_layers(doc)
        for what, by in (("time", layer.time), ("speed", layer.speed))
        if isinstance(by, str)
    }
    for number, at in enumerate(doc.at):
        path: KeyPath = ("at", number)
        if isinstance(at.do, Set):
            unknown = name_error(doc, at.do.name)
            if unknown:
                raise motion_error((*path, "set", "name"), unknown, wrong=at.do.name, known=names)
            wrong = value_error(doc, at.do.name, at.do.value)
            if wrong:
                raise motion_error((*path, "set", "value"), wrong)
        elif isinstance(at.do, Cut):
            continue  # checked with the model
        elif isinstance(at.do, Speed | Seek) and at.do.layer in bound:
            by = bound[at.do.layer]
            message = f"the {by[0]} of layer {quoted(at.do.layer)} is the parameter {quoted(by[1])}"
            hint = f"set it with set, name = {quoted(by[1])}"
            raise motion_error((*path, _key(at.do), "layer"), message, hint=hint)
        elif at.do.layer not in layers:
            place = (*path, _key(at.do), "layer")
            message = f"no layer {quoted(at.do.layer)}"
            raise motion_error(place, message, wrong=at.do.layer, known=layers)


def _key(deed: Fade | Seek | Speed) -> str:
    return type(deed).__name__.lower()
