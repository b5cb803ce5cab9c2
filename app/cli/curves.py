"""`rigview curves`: plot the tracks of a joint as .svg, .png or .jpg, without OpenGL."""

from ..animation.clip import Clip
from ..blending.mixer import clip_begin
from ..curves.chart import draw
from ..curves.curve_set import CurveSet
from ..curves.from_tracks import animated_joints, channel_curves, value_names
from ..curves.model_space_curves import SPACES
from ..errors import UsageError
from ..images.stills import DISPLAYED, as_still
from ..model.lookup import find_joint
from ..model.model import Model
from ..options.command_options import Options
from ..tasks.input_file import choose_clip, load_source, print_file_warnings, source_name
from ..tasks.output import check_extension, write
from ..tasks.output_check import check_outputs
from ..wording import first_of

SMALLEST = 160, 120  # pixels, least size of a plot with axes


def run(options: Options) -> int:
    """Draw and write; returns the exit code."""
    target, size = options.output.file, options.curves.plot_size
    ending = check_extension(target, (".svg", *DISPLAYED)) or ".svg"
    check_outputs(options, [target])
    if size is not None and (size[0] < SMALLEST[0] or size[1] < SMALLEST[1]):
        raise UsageError(f"--resolution: must be at least {SMALLEST[0]}x{SMALLEST[1]}")
    model = load_source(options).with_key_rotation(options.scene.key_rotation)
    clip = choose_clip(options, model, options.shown.clip)
    if clip < 0:
        raise UsageError("no animation to draw the curves of", file=source_name(options))
    curves = _curves(options, model, model.clips[clip])
    drawing = draw(curves, size, source_name(options).replace("\\", "/").split("/")[-1])
    if ending == ".svg":
        write(target, drawing.svg().encode())
    else:
        write(target, as_still(drawing.pixels(), target))
    print_file_warnings(options, model)
    return 0


def _curves(options: Options, model: Model, clip: Clip) -> CurveSet:
    """Return the curves of --joint: a joint, a pointer, or a morph target.

    Raises
    ------
    UsageError
        The name is unknown, or the clip does not animate it.
    """
    begin = clip_begin(clip, trim=options.shown.trim)
    channel = _channel(model, clip, options.curves.joint)
    if channel is not None:
        curves = channel_curves(model, clip, channel[0], column=channel[1], begin=begin)
    else:
        try:
            joint = find_joint(model, options.curves.joint).index
        except UsageError as error:
            error.file = source_name(options)
            raise
        angles = options.curves.rotation
        curves = SPACES[options.curves.space](model, clip, joint, angles=angles, begin=begin)
    if not curves.charts:
        raise UsageError(
            f"{clip.name!r} does not animate {curves.subject!r}",
            file=source_name(options),
            hint=_movers(model, clip),
        )
    return curves


def _channel(model: Model, clip: Clip, text: str) -> tuple[int, int | None] | None:
    """Return the channel index and column (None: all) of a pointer or a morph target name.

    Of several morph targets with one name the first animated one is returned.
    """
    for number, channel in enumerate(model.channels):
        if channel.pointer == text:
            return number, None
    if text in model.skeleton.names:
        return None
    targets = []
    for number in range(len(model.channels)):
        names = value_names(model, number)
        if text in names and model.channels[number].is_weights:
            targets.append((number, names.index(text)))
    animated = (
        target
        for target in targets
        if channel_curves(model, clip, target[0], column=target[1]).charts
    )
    return next(animated, targets[0] if targets else None)


def _movers(model: Model, clip: Clip) -> str:
    names = [model.skeleton.names[joint] for joint in animated_joints(model, clip)]
    if not names:
        return "it animates nothing"
    return f"it animates {first_of([repr(name) for name in names], 5)}"
