"""`rigview bake`: reduce the keys of a file or resample them, and report the error."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..animation.clip import Clip
from ..console import Progress, print_message
from ..errors import MotionError, UnsupportedError, UsageError
from ..fields.readers import loop_text
from ..gltf.bake import DEGREES, Baked, bake
from ..gltf.document import Document, parse
from ..gltf.read_model import read_model
from ..gltf.save import model_bytes, save
from ..model.model import Model
from ..options.command_options import Options
from ..tasks.clip_choice import choose_clips
from ..tasks.input_file import load_with_document, print_file_warnings, source_name
from ..tasks.output import STANDARD, check_extension, write
from ..tasks.output_check import check_outputs
from ..tasks.playback_setup import morph_values, motion_file, with_clips
from ..wording import columns, one_line

if TYPE_CHECKING:
    from ..motion.document import MotionDoc
    from ..motion.read import MotionFile

MOST_KEYS = 20_000_000  # over all tracks, at a fixed rate


def run(options: Options) -> int:
    """Bake and write; returns the exit code."""
    options = _with_target(options)
    _check(options)
    document, model = original = _open(options)
    wanted = options.shown.motion.file is not None or bool(options.scene.anims)
    file = motion_file(options) if wanted else None
    cut = None if options.keys.cut is None else _cut_file(options.keys.cut)
    if cut is not None:
        document, model = _with_parts(document, model, cut, cut.document)
    grown = with_clips(options, model, file) if wanted else model
    if file is not None:
        whole = {name: each for name, each in file.document.clips.items() if not each.source}
        document, model = _with_parts(document, model, file, replace(file.document, clips=whole))
    clips = choose_clips(options, grown)
    own = len(model.clips)
    if not clips:
        raise UsageError("no animation to bake", file=source_name(options))
    keys = options.keys
    _check_rate(keys.fps, [grown.clips[c] for c in clips])
    with Progress(len(clips), "animation", quiet=options.general.quiet) as bar:
        baked = bake(
            document,
            model,
            fps=keys.fps,
            loop=_loop(options),
            metres=None if keys.tolerance_mm is None else keys.tolerance_mm / 1000,
            degrees=DEGREES if keys.tolerance_deg is None else keys.tolerance_deg,
            clips=[c for c in clips if c < own],
            extra_clips=[grown.clips[c] for c in clips if c >= own],
            morphs=morph_values(options, model, file),
            step=bar.step,
        )
    if document is not original[0]:
        baked = replace(baked, before=save(original[0], {}).before)
    write(options.output.file, baked.data)
    _print_report(options, baked)
    print_file_warnings(options, model)
    return 0


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


def _check(options: Options) -> None:
    """Raise UsageError for options that exclude each other, before files are read."""
    for given in options.shown.motion.parameters:
        message = f"--set {given.text}: bake plays no motion; it sets the weights of morph targets"
        raise UsageError(message, hint="write --set morph:NAME=VALUE")
    if options.output.file == STANDARD and options.output.json:
        raise UsageError(
            "--json and -o - both write to standard output", hint="name a file after -o"
        )
    keys = options.keys
    if keys.fps is not None and (keys.tolerance_mm, keys.tolerance_deg) != (None, None):
        raise UsageError("--fps and a tolerance exclude each other", hint="run bake twice")
    if _loop(options) and keys.fps is None:
        raise UsageError("--loop loop needs --fps", hint="without a rate, the key at the end stays")
    if options.output.file != STANDARD:
        check_extension(options.output.file, _endings(options))
    check_outputs(options, [options.output.file])


def _loop(options: Options) -> bool:
    """Return whether clips are baked without the key at their end, which closes a loop."""
    if options.shown.loop is None:
        return False
    mode = loop_text(options.shown.loop)
    if mode not in ("once", "loop"):
        raise UsageError(f"--loop {mode}: bake takes once or loop")
    return mode == "loop"


def _endings(options: Options) -> tuple[str, ...]:
    """Return the extensions that the output may have."""
    vrm = str(options.file).lower().endswith(".vrm")
    return (".glb", ".vrm") if vrm else (".glb",)


def _with_target(options: Options) -> Options:
    """Return options that name the output: FILE for --in-place without -o.

    Raises
    ------
    UsageError
        No output is named, or FILE cannot be replaced.
    """
    if "output" in options.given:
        return options
    if not options.output.in_place:
        raise UsageError(
            "the following arguments are required: -o/--output",
            hint="name a file, or replace FILE with --in-place",
        )
    if options.file is None or options.file == STANDARD:
        raise UsageError("--in-place: no file to replace", hint="name a .glb file")
    if not options.file.lower().endswith(_endings(options)):
        raise UsageError(
            f"--in-place: {options.file!r} is not a .glb file", hint="name a .glb file with -o"
        )
    return replace(options, output=replace(options.output, file=options.file))


def _check_rate(fps: float | None, clips: Sequence[Clip]) -> None:
    """Raise UsageError for a rate with too many keys."""
    if fps is None:
        return
    keys = sum(len(clip.tracks) * (clip.duration * fps + 1) for clip in clips)
    if keys > MOST_KEYS:
        raise UsageError(
            f"--fps: {fps:g} per second makes {keys:.3g} keys; at most {MOST_KEYS} are allowed"
        )


def _open(options: Options) -> tuple[Document, Model]:
    document = None
    if not str(options.file).lower().endswith(".bvh"):
        model, document = load_with_document(options)
    if document is None:
        raise UnsupportedError(
            "a BVH file has no glTF to bake",
            file=source_name(options),
            hint="retarget it to a character: rigview bake CHARACTER --anims FILE",
        )
    return document, model


def _print_report(options: Options, baked: Baked) -> None:
    """Print the report on standard output, or on standard error if the file is written there."""
    if options.output.json:
        write(STANDARD, json.dumps(as_json(baked), ensure_ascii=False, indent=2).encode() + b"\n")
    elif options.output.file != STANDARD:
        write(STANDARD, as_text(baked).encode() + b"\n")
    elif not options.general.quiet:
        print_message(_total(baked))


def as_json(baked: Baked) -> dict[str, object]:
    """Return the report for JSON; joint and time are those of `max_mm`.

    If no vertex moved they are those of `max_deg`, and null if nothing changed.
    """
    return {
        "bytes": [baked.before, len(baked.data)],
        "clips": [
            {
                "name": report.name,
                "keys": list(report.keys),
                "max_mm": report.deviation.metres * 1000,
                "max_deg": report.deviation.degrees,
                "joint": _joint(
                    baked,
                    report.deviation.joint if report.deviation.metres else report.deviation.turned,
                ),
                "time": report.deviation.time
                if report.deviation.metres
                else report.deviation.turned_time,
            }
            for report in baked.reports
        ],
    }


def _joint(baked: Baked, joint: int) -> str | None:
    return baked.model.skeleton.names[joint] if joint >= 0 else None


def as_text(baked: Baked) -> str:
    """Return the report as lines of text."""
    rows = [("animation", "keys", "", "greatest error", "", "")]
    for report in baked.reports:
        off = report.deviation
        metres = f"{off.metres * 1000:.4f} mm", _where(baked, off.joint, off.time)
        turns = f"{off.degrees:.4f}°", _where(baked, off.turned, off.turned_time)
        name = one_line(report.name)
        rows.append((name, f"{report.keys[0]} to {report.keys[1]}", *metres, *turns))
    return "\n".join([_total(baked), *(f"  {line}" for line in columns(rows))])


def _where(baked: Baked, joint: int, time: float) -> str:
    name = _joint(baked, joint)
    return "" if name is None else f"{one_line(name)} at {time:.4g} s"


def _total(baked: Baked) -> str:
    before, after = baked.before, len(baked.data)
    share = 100 * after / before if before else 100.0
    keys = [sum(report.keys[k] for report in baked.reports) for k in range(2)]
    return f"{before} to {after} bytes ({share:.0f} %), {keys[0]} to {keys[1]} keys"
