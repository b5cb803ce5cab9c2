"""Choose and load what a command plays: a single clip, or the layers of a motion file."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from ..animation.playback import Loop
from ..console import warn
from ..errors import MotionError, UsageError
from ..model.model import Model
from ..motion.file_paths import motion_path, path_from
from ..options.command_options import Options
from .input_file import add_anims, choose_clip, load_file, source_name, source_path
from .output import STANDARD
from .time_options import given_taus

if TYPE_CHECKING:
    from ..animation.pose import Pose
    from ..animation.types import F32, F64
    from ..blending.layer_mixer import LayerMixer
    from ..blending.mixer import Mixer
    from ..model.facing import Direction
    from ..motion.document import MotionDoc
    from ..motion.read import MotionFile


class PlaybackArguments(TypedDict):
    """Keyword arguments of `rigview.motion.bind.bind`, for all clips of a run."""

    speed: float
    loop: Loop | None
    default_loop: Loop
    trim: bool


@dataclass(slots=True)
class PlaybackSetup:
    """A model and what it plays.

    Attributes
    ----------
    clip
        Index of a single clip; -1 for none.
    document
        The layers, or the single clip with its motion settings; None: the clip without settings.
    layered
        Whether the document's layers play; times are then global times tau.
    file
        The motion file, if any.
    bind_clip
        Whether a single clip is bound as a layer: parameters of the document affect its pose.
    morphs
        Values [P] set in place of what plays, NaN: not set; None: none is set.
    still_time
        Seconds since its start at which it stands still; None: it plays with the others.
    poses
        Poses [N] that are shown in place of a clip, one a second.
    """

    model: Model
    clip: int
    document: "MotionDoc | None" = None
    layered: bool = False
    file: "MotionFile | None" = None
    bind_clip: bool = False
    morphs: "F32 | None" = None
    still_time: float | None = None
    poses: "Pose | None" = None

    @property
    def loop(self) -> Loop:
        """The default loop mode of clips."""
        return ("loop", math.inf) if self.layered else ("loop", 1.0)

    @property
    def plays(self) -> bool:
        """Whether there is a clip or a motion to play."""
        return self.clip >= 0 or self.layered

    @property
    def facing(self) -> "Direction | None":
        """The direction that the character faces by the motion file, None if it does not say."""
        return None if self.file is None else self.file.document.facing

    @property
    def name(self) -> str:
        """Name of what plays: of the clip, or "motion"."""
        return "motion" if self.clip < 0 else self.model.clips[self.clip].name

    def mixer(
        self, options: Options, *, default_loop: Loop | None = None, exact: bool = True
    ) -> "Mixer":
        """Return the mixer that plays with the playback options.

        Unless it is `exact`, a single clip plays without the parameters of the document, as in the
        window, where another clip can be chosen.

        Raises
        ------
        MotionError
            The document does not fit the model.
        UsageError
            An action of the command line does not fit the model.
        """
        if self.poses is not None:
            from ..blending.mixer import PosesMixer

            return PosesMixer(self.poses)
        if self.layered or (self.bind_clip and exact):
            return self.bound(options, default_loop=default_loop)
        run = self.clip_options(options, default_loop)
        if self.document is not None:
            from ..motion.single_clip import clip_mixer_with_settings

            return clip_mixer_with_settings(self.model, self.document, self.clip, **run)
        from ..blending.clip_mixer import clip_mixer

        return clip_mixer(
            self.model.clips,
            self.model.skeleton.rest,
            self.clip,
            loop=run["loop"] or run["default_loop"],
            speed=run["speed"],
            trim=run["trim"],
        )

    def bound(
        self, options: Options, *, advise: bool = False, default_loop: Loop | None = None
    ) -> "LayerMixer":
        """Return the mixer of the document with its events; errors as of `mixer`."""
        from ..motion.bind import bind
        from ..motion.document import MotionDoc

        document = MotionDoc() if self.document is None else self.document
        run = self.clip_options(options, default_loop)
        try:
            return bind(self.model, document, advise=advise, **run)
        except MotionError as error:
            text = self.option_of(error, options)
            if text:
                raise UsageError(f"--at {text}: {error.message}", hint=error.hint) from None
            raise self.with_location(error) from None

    def taus(self, options: Options) -> tuple[float, ...]:
        """Return the global times to show, seconds."""
        return given_taus(options, self.mixer(options).length)

    def option_of(self, error: MotionError, options: Options) -> str:
        """Return the text of the --at that caused an error, "" if the motion file did."""
        given = options.shown.motion.at
        if not self.layered or len(error.path) < 2 or error.path[0] != "at":
            return ""
        written = 0 if self.file is None else len(self.file.document.at)
        place = int(error.path[1]) - written
        return given[place].text if 0 <= place < len(given) else ""

    def clip_options(self, options: Options, default_loop: Loop | None = None) -> PlaybackArguments:
        """Return the playback options; --phase ignores speed and loop mode."""
        shown = options.shown
        once = options.times.phase is not None and not self.layered
        return PlaybackArguments(
            speed=1.0 if once else shown.speed,
            loop=("loop", 1.0) if once else shown.loop,
            default_loop=default_loop or self.loop,
            trim=shown.trim,
        )

    def clip_times(self, options: Options, taus: "F64") -> "F64":
        """Return the clip times [T] of a single clip, or the global times of layers, seconds."""
        playback = self.mixer(options).clip_playback
        return taus if self.layered or playback is None else playback.time(taus)

    def with_location(self, error: MotionError) -> MotionError:
        """Return an error with the motion file and line."""
        return error if self.file is None or error.file else self.file.locate(error)


def load_playback(options: Options, model: Model | None = None) -> PlaybackSetup:
    """Load the file, its motion file and imported clips, and return what to play.

    A `model` that is given takes the place of the file; it has no motion file beside it.

    Raises
    ------
    AppError
        A file cannot be read, or the files do not fit together.
    """
    if model is None:
        return choose_playback(options, *load_with_motion(options))
    file = None if options.shown.motion.file is None else motion_file(options)
    return choose_playback(options, with_clips(options, model, file), file)


def load_with_motion(options: Options) -> "tuple[Model, MotionFile | None]":
    """Load the file with imported clips, and its motion file; errors as of `load_playback`."""
    model, file = load_file(options), motion_file(options)
    return with_clips(options, model, file), file


def motion_file(options: Options) -> "MotionFile | None":
    """Return the motion file of --motion, else the one beside the character, else None.

    An edited document of the record takes the place of what the file contains; the files of
    --attach are added to it.
    """
    file, given = _motion_file(options), options.shown.motion.attach
    if not given:
        return file
    from ..motion.document import MotionDoc
    from ..motion.edit import with_attached
    from ..motion.read import MotionFile

    file = MotionFile(MotionDoc()) if file is None else file
    document, folder = file.document, Path(file.name).absolute().parent
    for name, joint in given:
        path = Path(name).absolute()
        written = path_from(path, folder) if file.name else str(path)
        document, _ = with_attached(document, written, joint, given=True)
    return replace(file, document=document)


def _motion_file(options: Options) -> "MotionFile | None":
    given = options.shown.motion
    path = None if given.file is None else Path(given.file)
    if given.none or (path is None and given.document is None and options.file == STANDARD):
        return None
    beside = path is None
    path = motion_path(source_path(options.file)) if path is None else path
    if given.document is None and beside and not path.is_file():
        return None
    from ..motion.read import MotionFile, read_motion

    if given.document is not None:
        return MotionFile(given.document, name=str(path))
    return read_motion(path)


def with_clips(options: Options, model: Model, file: "MotionFile | None") -> Model:
    """Return the model with imported and cut clips: those of the motion file, then of --anims.

    Rotations between keys are those of --key-rotation.
    """
    if options.scene.anims or (file is not None and file.document.extends_model):
        model = add_anims(options, model, file)
    return model.with_key_rotation(options.scene.key_rotation)


def choose_playback(options: Options, model: Model, file: "MotionFile | None") -> PlaybackSetup:
    """Return what to play: the clip of --animation, else layers, else the first clip."""
    animation = options.first_clip
    if options.shown.motion.all_clips:
        if animation is not None:
            raise UsageError("--all-clips and --animation exclude each other")
        from ..motion.document import MotionDoc
        from ..motion.read import MotionFile
        from ..motion.single_clip import layers_of_all_clips

        document = MotionDoc() if file is None else file.document
        document = replace(document, layers=layers_of_all_clips(model))
        file = MotionFile(document) if file is None else replace(file, document=document)
    layers = file is not None and bool(file.document.layers)
    if animation is not None and (layers or not options.shown.motion.at):
        if options.shown.motion.at:
            message = "--at is ignored: --animation plays a single clip"
            warn([message], file=source_name(options), quiet=options.general.quiet)
        return single_clip_playback(options, model, file, choose_clip(options, model, animation))
    if not (layers or options.shown.motion.at):
        if file is not None and file.document.at:
            message = "[[at]] is ignored: without [[layers]] a single clip plays"
            warn([message], file=file.name, quiet=options.general.quiet)
        return single_clip_playback(options, model, file, choose_clip(options, model, animation))
    from ..motion.document import MotionDoc
    from ..motion.set_and_at import with_settings
    from ..motion.single_clip import base_layers

    doc = MotionDoc() if file is None else file.document
    if not doc.layers:
        doc = replace(doc, layers=base_layers(choose_clip(options, model, animation)))
    doc = with_settings(doc, options.shown.motion.parameters, options.shown.motion.at)
    morphs = morph_values(options, model, file)
    return _checked(options, PlaybackSetup(model, -1, doc, True, file, morphs=morphs))


def still_playback(options: Options, model: Model, file: "MotionFile | None") -> PlaybackSetup:
    """Return a still pose."""
    return PlaybackSetup(model, -1, file=file, morphs=morph_values(options, model, file))


def single_clip_playback(
    options: Options, model: Model, file: "MotionFile | None", clip: int
) -> PlaybackSetup:
    """Return a single clip with its settings in the motion file."""
    setup = PlaybackSetup(model, clip, file=file, morphs=morph_values(options, model, file))
    parameters = options.shown.motion.parameters
    if clip < 0 or (file is None and not parameters):
        return setup
    from ..motion.bind import validate
    from ..motion.document import MotionDoc
    from ..motion.set_and_at import with_settings
    from ..motion.single_clip import is_driven, single_clip_document

    doc = single_clip_document(MotionDoc() if file is None else file.document, clip)
    setup.document, setup.bind_clip = with_settings(doc, parameters, ()), True
    if parameters:
        return _checked(options, setup)
    try:
        warnings = validate(model, doc)
        setup.bind_clip = is_driven(model, doc, clip)
    except MotionError as error:
        raise setup.with_location(error) from None
    _warn(options, setup, warnings)
    return setup


def _checked(options: Options, setup: PlaybackSetup) -> PlaybackSetup:
    """Bind what plays, print its warnings, and return it."""
    _warn(options, setup, setup.bound(options, advise=True).warnings)
    return setup


def _warn(options: Options, setup: PlaybackSetup, warnings: Sequence[str]) -> None:
    name = source_name(options) if setup.file is None else setup.file.name
    warn(warnings, file=name, quiet=options.general.quiet)


def print_clamped_joints(options: Options, model: Model, mixer: "Mixer") -> None:
    """Print the joints whose additive rotation was clamped, with the largest excess."""
    from math import degrees

    warn(
        [
            f"layer {layer!r} rotated {model.skeleton.names[joint]} by "
            f"{degrees(past.angle):.1f} degrees at {tau:.3f} s; clamped to "
            f"{degrees(past.limit):.1f} degrees"
            for (layer, joint), (tau, past) in mixer.limit_violations.items()
        ],
        file=source_name(options),
        quiet=options.general.quiet,
    )


def morph_values(options: Options, model: Model, file: "MotionFile | None") -> "F32 | None":
    """Return the values [P] that are set, NaN: not set; None: no morph weight is set.

    Raises
    ------
    MotionError
        The model lacks a morph target of the motion file.
    UsageError
        The model lacks a morph target of --set.
    """
    in_file = file is not None and bool(file.document.morphs)
    if not (in_file or options.shown.motion.morphs):
        return None
    from ..model.morph_weights import find_morph_weights, no_weights_set
    from ..motion.bind_names import set_morphs

    values = no_weights_set(model)
    if file is not None:
        try:
            values = set_morphs(model, file.document)
        except MotionError as error:
            raise file.locate(error) from None
    for given in options.shown.motion.morphs:
        try:
            values[find_morph_weights(model, given.name)] = given.value
        except UsageError as error:
            message = f"--set {given.text}: {error.message}"
            raise UsageError(message, file=source_name(options), hint=error.hint) from None
    return values
