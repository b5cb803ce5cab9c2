"""What a command plays: one clip, or the layers of a motion file, as the options say."""

import argparse
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from ..animation.playback import Mode
from ..console import warn
from ..errors import MotionError, UsageError
from ..model.model import Model
from ..motion.motion_path import motion_path
from .input_file import add_anims, choose_clip, load_bare, source_name, source_path
from .output import STANDARD

if TYPE_CHECKING:
    from ..animation.types import F64
    from ..blending.mixer import Mixer
    from ..motion.document import MotionDoc
    from ..motion.read import MotionFile

Loop = tuple[Mode, float]


class Running(TypedDict):
    """How the clips of a run run."""

    speed: float
    loop: Loop | None
    otherwise: Loop
    trim: bool


@dataclass(slots=True)
class Performance:
    """What plays.

    Attributes
    ----------
    clip
        The clip, where one plays alone; -1 for none.
    document
        Layers, or the one clip with what the motion file says of it; None: the clip as it is.
    layered
        Whether the document's layers play; its times are then tau.
    file
        The motion file, None where there is none.
    """

    model: Model
    clip: int
    document: "MotionDoc | None" = None
    layered: bool = False
    file: "MotionFile | None" = None

    @property
    def loop(self) -> Loop:
        """How clips repeat where nobody says it (RULINGS M4)."""
        return ("loop", math.inf) if self.layered else ("loop", 1.0)

    def mixer(self, args: argparse.Namespace, *, advise: bool = False) -> "Mixer":
        """Return the document at work, as the options say how it runs.

        Raises
        ------
        MotionError
            It does not fit the model.
        UsageError
            What the command line has added does not.
        """
        from ..motion.bind import bind
        from ..motion.document import MotionDoc

        document = MotionDoc() if self.document is None else self.document
        try:
            return bind(self.model, document, advise=advise, **self.running(args))
        except MotionError as error:
            text = self.option_of(error, args)
            if text:
                raise UsageError(f"--at {text}: {error.sentence}", hint=error.hint) from None
            raise self.located(error) from None

    def option_of(self, error: MotionError, args: argparse.Namespace) -> str:
        """Return the text of the --at that an error is about, nothing where it is of the file."""
        given = args.at or ()
        if not self.layered or len(error.path) < 2 or error.path[0] != "at":
            return ""
        written = 0 if self.file is None else len(self.file.document.at)
        place = int(error.path[1]) - written
        return str(given[place]) if 0 <= place < len(given) else ""

    def running(self, args: argparse.Namespace) -> Running:
        """Return how its clips run; a phase is a place in a clip, whatever its speed and loop."""
        if args.phase is not None and not self.layered:
            return Running(speed=1.0, loop=("loop", 1.0), otherwise=self.loop, trim=args.trim)
        return Running(speed=args.speed, loop=args.loop, otherwise=self.loop, trim=args.trim)

    def clip_times(self, args: argparse.Namespace, taus: "F64") -> "F64":
        """Return the clip's own times [T] of one that plays alone, tau of layers (RULINGS M38)."""
        if self.layered:
            return taus
        from ..blending.layer_kinds import Cover
        from ..blending.sources import ClipSource

        act = self.mixer(args).layers.layers[0].act
        source = act.source if isinstance(act, Cover) else None
        return source.playback.time(taus) if isinstance(source, ClipSource) else taus

    def located(self, error: MotionError) -> MotionError:
        """Give an error its file and line."""
        return error if self.file is None or error.file else self.file.locate(error)


def performance(args: argparse.Namespace) -> Performance:
    """Load the file, its motion file and the clips of others, and return what is to be played.

    Raises
    ------
    AppError
        Something cannot be read, or does not fit together.
    """
    model = load_bare(args)
    file = motion_file(args)
    model = with_clips(args, model, file)
    return chosen(args, model, file)


def motion_file(args: argparse.Namespace) -> "MotionFile | None":
    """Return the motion file of --motion, else the one that lies beside the character."""
    path = None if args.motion is None else Path(args.motion)
    if args.no_motion or (path is None and args.file == STANDARD):
        return None
    if path is None:
        path = motion_path(source_path(args.file))
        if not path.is_file():
            return None
    from ..motion.read import read_motion

    return read_motion(path)


def with_clips(args: argparse.Namespace, model: Model, file: "MotionFile | None") -> Model:
    """Return the model with the clips of other files: the motion file's, then --anims."""
    named = file is not None and bool(file.document.anims.files)
    return add_anims(args, model, file) if named or args.anims else model


def chosen(args: argparse.Namespace, model: Model, file: "MotionFile | None") -> Performance:
    """Return what plays of a model (RULINGS M5)."""
    animation = args.animation[0] if isinstance(args.animation, list) else args.animation
    layers = file is not None and bool(file.document.layers)
    if animation is not None and (layers or not args.at):
        if args.at:
            sentence = "--at is not used: --animation shows one clip alone"
            warn([sentence], file=source_name(args), quiet=args.quiet)
        return alone(args, model, file, choose_clip(args, model, animation))
    if not (layers or args.at):
        if file is not None and file.document.at:
            sentence = "[[at]] is not used: there are no [[layers]], so one clip plays alone"
            warn([sentence], file=file.name, quiet=args.quiet)
        return alone(args, model, file, choose_clip(args, model, animation))
    from ..motion.document import MotionDoc
    from ..motion.set_and_at import with_settings
    from ..motion.single_clip import base

    doc = MotionDoc() if file is None else file.document
    if not doc.layers:
        doc = replace(doc, layers=base(choose_clip(args, model, animation)))
    doc = with_settings(doc, args.set or (), args.at or ())
    return checked(args, Performance(model, -1, doc, True, file))


def alone(
    args: argparse.Namespace, model: Model, file: "MotionFile | None", clip: int
) -> Performance:
    """Return one clip that plays by itself, with what the motion file says of it."""
    if clip < 0 or (file is None and not args.set):
        return Performance(model, clip, file=file)
    from ..motion.document import MotionDoc
    from ..motion.set_and_at import with_settings
    from ..motion.single_clip import only

    doc = only(MotionDoc() if file is None else file.document, clip)
    return checked(
        args, Performance(model, clip, with_settings(doc, args.set or (), ()), file=file)
    )


def checked(args: argparse.Namespace, found: Performance) -> Performance:
    """Return a performance that binds; tells what is odd about it."""
    name = source_name(args) if found.file is None else found.file.name
    warn(found.mixer(args, advise=True).warnings, file=name, quiet=args.quiet)
    return found


def tell_held(args: argparse.Namespace, model: Model, mixer: "Mixer | None") -> None:
    """Say which joints an additive would have turned past their limits, and where it was worst."""
    if mixer is None:
        return
    from math import degrees

    warn(
        [
            f"layer {layer!r} turned {model.skeleton.names[joint]} by "
            f"{degrees(past.angle):.1f} degrees at {tau:.3f} s: held at "
            f"{degrees(past.limit):.1f} degrees"
            for (layer, joint), (tau, past) in mixer.held.items()
        ],
        file=source_name(args),
        quiet=args.quiet,
    )
