"""The functions of the public package that need several of its parts.

All of them take a file, its bytes or a `Model`, work in memory and return data.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from .animation.clip import Clip
from .animation.playback import Loop
from .animation.pose import Pose
from .animation.skeleton import Skeleton
from .errors import MotionError, UsageError
from .gltf.document import MAX_MEMORY, Document, parse
from .gltf.read_model import read_model
from .loading.load import load as load_file
from .model.model import Model
from .wording import suggestion

if TYPE_CHECKING:
    import pygltflib

    from .blending.layer_mixer import LayerMixer
    from .blending.mask import Mask
    from .blending.mixer import Mixer
    from .checks.finding import Finding, Rule
    from .differences.difference import Difference
    from .gltf.bake import Baked
    from .motion.document import MotionDoc
    from .motion.read import MotionFile

Source = str | Path | bytes | Model


def load(
    source: "str | Path | bytes | pygltflib.GLTF2",
    *,
    root: Path | None = None,
    max_memory: int = MAX_MEMORY,
    motion: "MotionFile | str | Path | None" = None,
) -> Model:
    """Return the model of a file; needs no GPU.

    Parameters
    ----------
    source
        Path to a .gltf, .glb, .vrm or .bvh file, or to one that Blender reads (.blend, .fbx, .dae,
        .usd, .obj); bytes of glTF or BVH, or a `pygltflib.GLTF2`.
    root
        Folder that external files must lie in; None: the file's own folder.
    max_memory
        Bytes for the pixels and textures of all images; if they need more, the largest are halved.
    motion
        A motion file, or its path: the model has the clips of other files that it names, retargeted
        as it says, the clips that it cuts out of others, and its attachments.

    Returns
    -------
    Model
        The file as arrays; images are decoded on first use. Tolerable errors are in `warnings`.

    Raises
    ------
    GltfError, BvhError
        The file cannot be read, or is invalid.
    UnsupportedError
        The file has another format, or requires an unsupported extension.
    ConversionError
        There is no Blender, or it cannot convert the file.
    MotionError
        The motion file cannot be read, or does not fit the model.

    Examples
    --------
    >>> rigview.load("hero.glb")
    <Model 'hero' 4 clips, 73 joints, 2 meshes, 1 materials>
    >>> rigview.load(Path("hero.glb").read_bytes()).clips["Walk"].duration
    1.0
    """
    model = load_file(source, root=root, max_memory=max_memory)
    if motion is None:
        return model
    from .loading.import_clips import import_all_clips
    from .motion.read import MotionFile, read_motion

    file = motion if isinstance(motion, MotionFile) else read_motion(motion)
    return import_all_clips(model, file, root=root)[0]


def save(model: Model, path: str | Path) -> None:
    """Write a model as a .glb: its file, with the clips, weights and materials that it has now.

    Whatever was not changed keeps its bytes and its JSON. Clips are matched by name, else by their
    motion; new ones are added. Changed joints and weights of vertices, changed factors and options
    of materials, and JSON that was edited in ``model.document.json`` are written.

    Parameters
    ----------
    model
        Read from a glTF file.
    path
        The .glb or .vrm to write; an existing file is replaced.

    Raises
    ------
    UsageError
        The file has another ending.
    UnsupportedError
        The model is motion capture.
    OutputError
        The file cannot be written; an existing one is unchanged.

    Examples
    --------
    >>> walk = model.clips["Walk"]
    >>> rigview.save(model.with_clips([walk, walk.reversed("Back")]), "walks.glb")
    """
    from .file_io import write_file
    from .gltf.save import model_bytes

    if Path(path).suffix.lower() not in (".glb", ".vrm"):
        raise UsageError(f"a model is written as .glb, not as {str(path)!r}")
    write_file(str(path), model_bytes(model))


def check(
    source: Source,
    *,
    clips: Sequence[str | int] | None = None,
    rules: "Sequence[str | Rule]" = (),
    limits: Mapping[str, Mapping[str, float]] | None = None,
) -> "list[Finding]":
    """Return what `rigview check` finds, the most visible first.

    Parameters
    ----------
    source
        A file, its bytes, or a model.
    clips
        Names, patterns or indices of the clips to examine; None: all.
    rules
        Ids or patterns of the rules to run, or rules made by `rule`; empty: all.
    limits
        Limits by rule and name, as in ``rigview.toml``; lengths are for a character 1.8 m tall.

    Raises
    ------
    AppError
        The file cannot be read, a clip, rule or limit does not exist, or the code of a rule fails.

    Examples
    --------
    >>> [f.message for f in rigview.check("hero.glb") if f.severity == "error"]
    []
    """
    from .checks.check_context import CheckContext
    from .checks.examine import examine
    from .checks.rule_list import all_rules
    from .checks.rule_settings import Settings, matches_pattern

    own = [each for each in rules if not isinstance(each, str)]
    every = {rule.id: rule for rule in (*all_rules(), *own)}
    only = tuple(each if isinstance(each, str) else each.id for each in rules)
    for wanted in only:
        if not any(matches_pattern(rule, wanted) for rule in every):
            raise UsageError(f"no rule {wanted!r}", hint=suggestion(wanted, every))
    for wanted, values in (limits or {}).items():
        if wanted not in every:
            raise UsageError(f"no rule {wanted!r}", hint=suggestion(wanted, every))
        known = [limit.name for limit in every[wanted].limits]
        for name in values:
            if name not in known:
                hint = suggestion(name, known) or f"its limits: {', '.join(known) or 'none'}"
                raise UsageError(f"the rule {wanted!r} has no limit {name!r}", hint=hint)
    model = _model(source)
    settings = Settings(only=only, limits=limits or {})
    chosen = None if clips is None else [model.clips.find(clip).index for clip in clips]
    context = CheckContext(model, clips=chosen)
    return examine(context, settings, rules=tuple(every.values()))


def diff(
    a: Source,
    b: Source,
    *,
    metres: float | None = None,
    degrees: float | None = None,
) -> "Difference":
    """Return the differences of two versions of a character, as `rigview diff` lists them.

    Parameters
    ----------
    a, b
        Files, their bytes, or models.
    metres, degrees
        Smaller differences count as equal; None: 0.1 mm and 0.05 degrees.

    Examples
    --------
    >>> rigview.diff("old.glb", "new.glb").same
    False
    """
    from .differences.compare import compare
    from .differences.model_pair import DEGREES as TURN
    from .differences.model_pair import METRES

    return compare(
        _model(a),
        _model(b),
        metres=METRES if metres is None else metres,
        degrees=TURN if degrees is None else degrees,
    )


def attach(
    model: Model,
    path: str | Path,
    joint: str,
    *,
    translation: tuple[float, float, float] = (0.0, 0.0, 0.0),
    rotation: tuple[float, float, float] = (0.0, 0.0, 0.0),
    scale: float = 1.0,
) -> Model:
    """Return a character with another file on a joint, such as a prop in a hand.

    The file moves with the joint; its animations are left out. `save` writes both as one file.

    Parameters
    ----------
    model
        Read from a glTF file.
    path
        The file to attach.
    joint
        Name of the joint that carries it.
    translation
        Metres, in the axes of the joint.
    rotation
        Degrees about X, then Y, then Z.
    scale
        Its size, above 0; 1 is that of the file.

    Raises
    ------
    AppError
        The file cannot be read, the joint does not exist, or the model is motion capture.

    Examples
    --------
    >>> armed = rigview.attach(model, "sword.glb", "RightHand", scale=0.5)
    >>> armed.skeleton.count > model.skeleton.count
    True
    """
    from .loading.attachments import with_more_attachments
    from .motion.document import Attachment

    if not scale > 0:
        raise UsageError(f"scale must be above 0, not {scale}")
    made = Attachment(str(path), joint, translation, rotation, scale, given=True)
    return with_more_attachments(model, {Path(path).stem: made})


def bake(
    source: Source,
    *,
    fps: float | None = None,
    loop: bool = False,
    metres: float | None = None,
    degrees: float | None = None,
    keep_keys: bool = False,
    quantize_rotations: bool = False,
    clips: Sequence[str | int] | None = None,
    mix: "Mixer | None" = None,
    name: str = "Mix",
    span: tuple[float, float] | None = None,
) -> "Baked":
    """Return a character with fewer keys, or with keys at a fixed rate, as `rigview bake` does.

    With `mix` it returns the character with what a mixer plays as a further clip.

    Parameters
    ----------
    source
        A file, its bytes, or a model.
    fps
        Keys per second; None: the keys of the file, or those of a mix at a rate that fits the keys
        of its clips. Keys that the others give within the tolerances are then removed only if a
        tolerance is given.
    loop
        With `fps`: leave out the key at the end, which closes a loop.
    metres, degrees
        Tolerances of the surface and of the joints; None: 6/100000 of the height, which is 0.1 mm
        at 1.7 m, and 0.05°.
    keep_keys
        Whether no key is removed.
    quantize_rotations
        Whether rotations become 16-bit integers, where the tolerances allow it.
    clips
        Names, patterns or indices; None: all, with `mix` none.
    mix
        Of the character, from `bind`.
    name
        Of the clip of the mix.
    span
        Begin and end of the mix, seconds; None: until everything repeats.

    Returns
    -------
    Baked
        `model`, the bytes `data` of its .glb, and a report for each clip.

    Examples
    --------
    >>> baked = rigview.bake("hero.glb", fps=30)
    >>> baked.reports[0].name, Path("hero-30.glb").write_bytes(baked.data) > 1000
    ('Idle', True)
    >>> mix = rigview.bind(model, "steps.motion.toml")
    >>> baked = rigview.bake(model, mix=mix, name="Steps", span=(0.0, 1.0))
    >>> baked.reports[0].name, baked.model.clips[-1].duration
    ('Steps', 1.0)
    """
    from .gltf.bake import bake as bake_document
    from .gltf.save import model_bytes
    from .motion.mixed_clip import mixed_rate, mixed_span, sampled_mix

    model = _model(source)
    document = _document(model)
    if document is None or model.clips != read_model(document).clips:
        document = parse(model_bytes(model), model.name, None, None)
        model = read_model(document)
    chosen = None if clips is None else [model.clips.find(clip).index for clip in clips]
    extra: list[Clip] = []
    if mix is not None:
        chosen, fps = chosen or [], fps or mixed_rate(mix)
        played = sampled_mix(model, mix, name, span or mixed_span(mix), fps, loop=loop)
        extra = [played.moving]
    return bake_document(
        document,
        model,
        fps=fps,
        loop=loop,
        metres=metres,
        degrees=degrees,
        keep_keys=keep_keys,
        quantize_rotations=quantize_rotations,
        clips=chosen,
        extra_clips=extra,
    )


def bind(
    model: Model,
    motion: "MotionFile | MotionDoc | str | Path",
    *,
    speed: float = 1.0,
    loop: Loop | None = None,
    trim: bool = False,
    batch: tuple[int, ...] = (),
) -> "LayerMixer":
    """Return the mixer that plays the layers of a motion file on a model.

    Parameters
    ----------
    model
        With the clips of other files and the attachments that the motion file names, as `load`
        returns it.
    motion
        A motion file, its path, or its document.
    speed, loop, trim
        Applied to all clips; loop None: the setting of the motion file, else forever.
    batch
        Shape of a batch of characters; parameters are set for each one with `LayerMixer.set`.

    Raises
    ------
    MotionError
        The file cannot be read, the model lacks a name, or the motion does not fit the model.
    UsageError
        An argument has another type.

    Examples
    --------
    >>> mixer = rigview.bind(model, "steps.motion.toml")
    >>> mixer.layered, mixer.parameters.names()[0]
    (True, 'speed')
    """
    from .motion.bind import bind as bind_document
    from .motion.bind_names import set_morphs
    from .motion.document import MotionDoc
    from .motion.read import MotionFile, read_motion

    file = read_motion(motion) if isinstance(motion, str | Path) else motion
    file = MotionFile(file) if isinstance(file, MotionDoc) else file
    if not (isinstance(model, Model) and isinstance(file, MotionFile)):
        raise UsageError(
            f"a Model and a motion file are bound, not {type(model).__name__} and "
            f"{type(motion).__name__}",
            hint="load(path) and read_motion(path) return them",
        )
    document = file.document
    try:
        mixer = bind_document(model, document, speed=speed, loop=loop, trim=trim, batch=batch)
        mixer.override = set_morphs(model, document) if document.morphs else None
    except MotionError as error:
        if document.anims.files and not model.clips.aliases:
            error.hint = "load(path, motion=…) reads the clips of anims.files with the model"
        raise (file.locate(error) if file.name else error) from None
    return mixer


def retarget(
    model: Model,
    source: Source,
    *,
    names: Mapping[str, str] | None = None,
    force: bool = False,
) -> tuple[Clip, ...]:
    """Return the clips of another character or of motion capture for the skeleton of a model.

    Parameters
    ----------
    model
        The character that the clips shall move.
    source
        A file, its bytes, or a model.
    names
        Joint patterns of the model by those of the source: ``{"mixamorig:*": "*"}``. Other joints
        are matched by their names and by what they are called in known rigs.
    force
        Whether to convert also if less than a quarter of the joints match.

    Raises
    ------
    AppError
        The file cannot be read, or the skeletons hardly match.

    Examples
    --------
    >>> more = rigview.retarget(model, "capture.bvh")
    >>> rigview.save(model.with_clips([*model.clips, *more]), "more.glb")
    """
    from .loading.import_clips import import_clips

    extended, _ = import_clips(model, [_model(source)], names, force=force)
    return extended.clips[len(model.clips) :]


def blend(
    a: Pose,
    b: Pose,
    weight: ArrayLike,
    *,
    mask: "Mask | None" = None,
    mode: Literal["replace", "add"] = "replace",
    reference: Pose | None = None,
    model: Model | None = None,
) -> Pose:
    """Return a pose between two poses, or one with a difference added.

    Parameters
    ----------
    a, b
        Local poses with the same joints; the batch of the result is that of `a`.
    weight
        [...] 0: pose `a`; 1: pose `b`, or the whole difference.
    mask
        A weight per joint; None: 1 for all.
    mode
        "replace": interpolate from `a` to `b`, rotations on the shorter arc. "add": add the
        difference of `b` from `reference` to `a`, in the space of each joint.
    reference
        With "add": where the difference begins.
    model
        Of the poses; needed for a mask in model space, and for animated properties that are not
        interpolated, or are rotations.

    Raises
    ------
    UsageError
        The poses do not fit together, or an argument is missing.

    Examples
    --------
    >>> walk, run = (model.clips[name].sample(0.2) for name in ("Walk", "Run"))
    >>> jog = rigview.blend(walk, run, 0.3)
    """
    from .blending.additive import add, difference
    from .blending.blend import lerp_pose
    from .blending.pose_layout import PoseLayout
    from .motion.bind_names import model_rig

    if a.count != b.count or a.values.shape[-1] != b.values.shape[-1]:
        raise UsageError(f"the poses differ in what they have: {a!r} and {b!r}")
    if model is None and mask is not None and mask.space == "model":
        raise UsageError("a mask in model space needs the model")
    layout = PoseLayout.bare(_roots(a)) if model is None else model_rig(model)
    out = a.copy()
    if mode == "replace":
        lerp_pose(out, b, weight, mask, layout)
        return out
    if mode != "add":
        raise UsageError(f"mode is 'replace' or 'add', not {mode!r}")
    if reference is None:
        raise UsageError(
            "a difference needs a reference", hint="such as the first pose of its clip"
        )
    change = b.copy()
    difference(b, reference, "joint", layout, change)
    add(out, change, weight, mask, "joint", layout)
    return out


def _roots(pose: Pose) -> Skeleton:
    """Return a skeleton without hierarchy, for blends in local space."""
    numbers = np.arange(pose.count, dtype=np.int32)
    one = Pose.over(pose.data.reshape(-1, pose.data.shape[-1])[0], pose.count)
    return Skeleton(("",) * pose.count, np.full(pose.count, -1, np.int32), numbers, one)


def _model(source: Source) -> Model:
    return source if isinstance(source, Model) else load_file(source)


def _document(model: Model) -> Document | None:
    return model.document if isinstance(model.document, Document) else None
