"""Bake the clips of a file, or what plays as a new clip, as the options of `bake` say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..animation.clip import Clip
from ..animation.resample import MOST_KEYS
from ..console import Progress, captured_messages
from ..errors import MotionError, UnsupportedError, UsageError
from ..fields.readers import loop_text
from ..gltf.bake import Baked, BakedClip, bake
from ..gltf.document import Document, parse
from ..gltf.read_model import read_model
from ..gltf.save import model_bytes, save
from ..model.model import Model
from ..options.command_options import Options
from ..wording import counted
from .clip_choice import choose_clips
from .conversion import converting
from .input_file import load_file, source_name
from .playback_setup import choose_playback, morph_values, motion_file, with_clips

if TYPE_CHECKING:
    from ..animation.types import F32
    from ..motion.document import MotionDoc
    from ..motion.read import MotionFile

MOST_MIX_KEYS = 20_000  # of a track, of what plays: each is a frame of the mixer


class _Job(NamedTuple):
    """What is baked: clips of a model, and clips that are added to it, at a rate."""

    document: Document
    model: Model
    clips: Sequence[int]
    extra: Sequence[Clip]
    fps: float | None
    weights: "F32 | None" = None


def bake_file(options: Options) -> tuple[Baked, Model]:
    """Return the baked file, and the model that was read, whose warnings are not printed yet.

    Raises
    ------
    AppError
        A file cannot be read or is not glTF, or the options do not fit what it contains.
    """
    document, model = _open(options)
    keys, mixes = options.keys, options.keys.mix is not None
    job = _mix(options, document, model) if mixes else _clips(options, document, model)
    total = len(job.clips) + len(job.extra)
    with Progress(total, "animation", quiet=options.general.quiet) as bar:
        baked = bake(
            job.document,
            job.model,
            fps=job.fps,
            loop=leaves_out_end(options),
            metres=None if keys.tolerance_mm is None else keys.tolerance_mm / 1000,
            degrees=keys.tolerance_deg,
            keep_keys=keys.keep_keys,
            quantize_rotations=keys.quantize_rotations,
            clips=job.clips,
            extra_clips=job.extra,
            morphs=job.weights,
            step=bar.step,
        )
    if job.document is not document:
        baked = replace(baked, before=save(document, {}).before)
    if mixes:
        new = tuple(replace(each, keys=(0, each.keys[1])) for each in baked.reports)
        baked = replace(baked, reports=new)
    return baked, model


def _clips(options: Options, document: Document, model: Model) -> _Job:
    """Return the chosen clips, with those that files of the options add."""
    options = options.with_scene(key_rotation="slerp")
    given = options.shown.motion
    wanted = (given.file, given.document) != (None, None) or bool(options.scene.anims)
    file = _motion(options) if wanted else None
    cut = None if options.keys.cut is None else _cut_file(options.keys.cut)
    if cut is not None:
        document, model = _with_parts(document, model, cut, cut.document)
    grown, own = with_clips(options, model, file) if wanted else model, len(model.clips)
    clips = choose_clips(options, grown)
    if not clips:
        raise UsageError("no animation to bake", file=source_name(options))
    if file is not None:
        chosen = {grown.clips[c].name for c in clips if c < own}
        settings = file.document.clips.items()
        whole = {name: each for name, each in settings if name in chosen and not each.source}
        document, model = _with_parts(document, model, file, replace(file.document, clips=whole))
    fps = options.keys.fps
    if fps is not None:
        each_clip = (grown.clips[c] for c in clips)
        _check_keys(fps, sum(len(c.tracks) * (c.duration * fps + 1) for c in each_clip))
    extra = [grown.clips[c] for c in clips if c >= own]
    weights = morph_values(options, model, file)
    return _Job(document, model, [c for c in clips if c < own], extra, fps, weights)


def _motion(options: Options) -> "MotionFile | None":
    """Return the motion file without attachments: they are not written."""
    file = motion_file(options)
    if file is None or not file.document.attachments:
        return file
    return replace(file, document=replace(file.document, attachments={}))


def _mix(options: Options, document: Document, model: Model) -> _Job:
    """Return what plays as a clip."""
    from ..motion.mixed_clip import mixed_rate, mixed_span, sampled_mix

    name = options.keys.mix or ""
    if name in model.clips.names:
        message = f"--mix {name}: the file has an animation of this name"
        raise UsageError(message, file=source_name(options), hint="choose another name")
    played = options.with_shown(loop=None)
    file = _motion(options)
    setup = choose_playback(played, with_clips(played, model, file), file)
    if not setup.plays:
        raise UsageError("nothing plays", file=source_name(options))
    mixer = setup.mixer(played)
    begin, end = options.times.interval
    if end <= begin:
        begin, end = mixed_span(mixer)
    fps = options.keys.fps or mixed_rate(mixer)
    if not (end - begin) * fps <= MOST_MIX_KEYS:  # also for NaN
        raise UsageError(
            f"{end - begin:g} seconds at {fps:g} per second are more than {MOST_MIX_KEYS} keys",
            file=source_name(options),
            hint="choose a lower --fps, or a part with --time A..B",
        )
    _check_keys(fps, 2 * (end - begin) * fps * 3 * model.skeleton.count)
    loop, span = leaves_out_end(options), (begin, end)
    mix = sampled_mix(setup.model, mixer, name, span, fps, loop=loop, weights=setup.morphs)
    return _Job(document, model, (), [mix.moving], fps)


def _check_keys(fps: float, keys: float) -> None:
    """Raise UsageError for a rate with too many keys."""
    if keys > MOST_KEYS:
        raise UsageError(
            f"--fps: {fps:g} per second makes {keys:.3g} keys; at most {MOST_KEYS} are allowed"
        )


class BakeFigures(NamedTuple):
    """Sizes and errors of a baked file, before and after; errors are the greatest of its clips."""

    bytes: tuple[int, int]
    keys: tuple[int, int]
    metres: float
    degrees: float
    rest: tuple[str, ...]  # what of the clips could not be reduced or quantized, in words


def bake_figures(options: Options, _report: Callable[[object], object]) -> BakeFigures:
    """Return what `bake` would write, without a file and messages."""
    general = replace(options.general, quiet=True)
    with captured_messages(), converting(general):
        baked, _ = bake_file(replace(options, general=general))
    reports = baked.reports
    return BakeFigures(
        (baked.before, len(baked.data)),
        key_counts(baked),
        max((report.deviation.metres for report in reports), default=0.0),
        max((report.deviation.degrees for report in reports), default=0.0),
        tuple(f"{each.name}: {words}" for each in reports for words in not_changed(each)),
    )


def key_counts(baked: Baked) -> tuple[int, int]:
    """Return the number of keys of all baked clips, before and after."""
    before, after = (sum(report.keys[k] for report in baked.reports) for k in range(2))
    return before, after


def not_changed(report: BakedClip) -> Iterator[str]:
    """Yield what of a clip could not be reduced or quantized, in words."""
    if report.not_reduced:
        yield f"{counted(report.not_reduced, 'track')} with all keys"
    if report.not_quantized:
        yield f"{counted(report.not_quantized, 'rotation')} not quantized"


def leaves_out_end(options: Options) -> bool:
    """Return whether clips are baked without the key at their end, which closes a loop."""
    if options.shown.loop is None:
        return False
    mode = loop_text(options.shown.loop)
    if mode not in ("once", "loop"):
        raise UsageError(f"--loop {mode}: bake takes once or loop")
    return mode == "loop"


def _cut_file(path: str) -> "MotionFile":
    """Return the file of --cut, which names at least one clip to cut out."""
    from ..motion.read import read_motion  # imported late: rarely needed

    file = read_motion(path, versioned=False)
    if not any(each.source for each in file.document.clips.values()):
        hint = 'write [clips.NAME], source = "Long" and range = [0.5, 1.2]'
        raise MotionError("cuts out no clip", file=file.name, hint=hint)
    return file


def _with_parts(
    document: Document, model: Model, file: "MotionFile", parts: "MotionDoc"
) -> tuple[Document, Model]:
    """Return the file with the clips that are cut out, and shortened to their ranges."""
    from ..motion.cut_clips import with_parts_only

    try:
        cut = with_parts_only(model, parts)
    except MotionError as error:
        raise file.locate(error) from None
    if cut is model:
        return document, model
    data = model_bytes(replace(cut, document=document))
    document = parse(data, document.name, None, None)
    return document, read_model(document)


def _open(options: Options) -> tuple[Document, Model]:
    if not str(options.file).lower().endswith(".bvh"):
        model = load_file(options)
        if isinstance(model.document, Document):
            return model.document, model
    raise UnsupportedError(
        "a BVH file has no glTF to bake",
        file=source_name(options),
        hint="retarget it to a character: rigview bake CHARACTER --anims FILE",
    )
