"""`rigview bake`: reduce the keys of a file or resample them, and report the error."""

import json
from dataclasses import replace

from ..console import is_captured, print_message
from ..errors import UsageError
from ..gltf.bake import Baked
from ..options.command_options import Options
from ..tasks.bake import bake_file, key_counts, leaves_out_end, not_changed
from ..tasks.input_file import print_file_warnings
from ..tasks.output import STANDARD, check_extension, check_one_standard, write
from ..tasks.output_check import check_outputs
from ..wording import columns, one_line


def run(options: Options) -> int:
    """Bake and write; returns the exit code."""
    options = _with_target(options)
    _check(options)
    baked, model = bake_file(options)
    write(options.output.file, baked.data)
    _print_report(options, baked)
    print_file_warnings(options, model)
    return 0


def _check(options: Options) -> None:
    """Raise UsageError for options that exclude each other, before files are read."""
    mixes = options.keys.mix is not None
    for given in options.shown.motion.parameters if not mixes else ():
        message = f"--set {given.text}: it sets the weights of morph targets, unless --mix is given"
        raise UsageError(message, hint="write --set morph:NAME=VALUE")
    check_one_standard(options, options.output.file)
    keys = options.keys
    limited = (keys.tolerance_mm, keys.tolerance_deg) != (None, None)
    if keys.keep_keys and (keys.fps is not None or limited):
        raise UsageError("--keep-keys excludes --fps and tolerances")
    if leaves_out_end(options) and keys.fps is None and not mixes:
        raise UsageError("--loop loop needs --fps", hint="without a rate, the key at the end stays")
    if leaves_out_end(options) and limited:
        raise UsageError("--loop loop and a tolerance exclude each other", hint="run bake twice")
    if mixes and (keys.cut is not None or len(options.clips.animations) > 1):
        raise UsageError("--mix plays the motion file, or one --animation", hint="run bake twice")
    check_extension(options.output.file, _endings(options))
    check_outputs(options, [options.output.file])


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


def _print_report(options: Options, baked: Baked) -> None:
    """Print the report on standard output, or on standard error if the file is written there."""
    if options.output.json:
        write(STANDARD, json.dumps(as_json(baked), ensure_ascii=False, indent=2).encode() + b"\n")
    elif options.output.file != STANDARD and not is_captured():
        write(STANDARD, as_text(baked).encode() + b"\n")
    elif not options.general.quiet:
        print_message(_total(baked))
        for report in baked.reports:
            for words in not_changed(report):
                print_message(f"{report.name}: {words}")


def as_json(baked: Baked) -> dict[str, object]:
    """Return the report for JSON; joint and time are those of `max_mm`.

    If no vertex moved they are those of `max_deg`, and null if nothing changed. `not_reduced` and
    `not_quantized` count tracks.
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
                "not_reduced": report.not_reduced,
                "not_quantized": report.not_quantized,
            }
            for report in baked.reports
        ],
    }


def _joint(baked: Baked, joint: int) -> str | None:
    return baked.model.skeleton.names[joint] if joint >= 0 else None


def as_text(baked: Baked) -> str:
    """Return the report as lines of text."""
    rows = [("animation", "keys", "", "greatest error", "", "", "")]
    for report in baked.reports:
        off = report.deviation
        metres = f"{off.metres * 1000:.4f} mm", _where(baked, off.joint, off.time)
        turns = f"{off.degrees:.4f}°", _where(baked, off.turned, off.turned_time)
        name = one_line(report.name)
        keys = f"{report.keys[0]} to {report.keys[1]}"
        rows.append((name, keys, *metres, *turns, "; ".join(not_changed(report))))
    return "\n".join([_total(baked), *(f"  {line}" for line in columns(rows))])


def _where(baked: Baked, joint: int, time: float) -> str:
    name = _joint(baked, joint)
    return "" if name is None else f"{one_line(name)} at {time:.4g} s"


def _total(baked: Baked) -> str:
    before, after = baked.before, len(baked.data)
    share = 100 * after / before if before else 100.0
    keys = key_counts(baked)
    return f"{before} to {after} bytes ({share:.0f} %), {keys[0]} to {keys[1]} keys"
