"""Export of clips, or of what plays, as a .glb: fields, command, and what it would write."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from ...animation.playback import Loop
from ...batch.jobs import Job, Shows
from ...errors import AppError
from ...gltf.document import Document
from ...model.lookup import clip_reference
from ...model.model import Model
from ...motion.document import MotionDoc
from ...motion.edit import free_name
from ...options.command_options import ClipOptions, KeyOptions, Options
from ...scenedoc.scene_doc import SceneDoc
from ...scenedoc.shown import Motion, Shown
from ...wording import counted
from ..opened_character import OpenedCharacter
from ..session import Session

if TYPE_CHECKING:
    from ...tasks.bake import BakeFigures

What = Literal["mix", "clip", "chosen"]
Keys = Literal["reduce", "keep", "resample"]

PREVIEW = "export preview"  # key of the job
DELAY = 0.15  # seconds that the fields stay as they are before a preview begins


@dataclass(slots=True)
class AnimationExport:
    """The fields of the dialog that are for animations, and what they would write.

    Attributes
    ----------
    chosen
        Clips that are ticked, for `what` "chosen".
    millimetres
        Tolerance on the surface.
    usual_millimetres
        The default tolerance of `model`, by its height.
    leaves_out_end
        Whether keys at a fixed rate end before the one that closes a loop: N of N + 1.
    figures
        Sizes and errors of the last preview, None before.
    asked
        What the newest preview is for; an equal object is not asked again.
    problem
        Why there is no preview.
    """

    what: What = "clip"
    chosen: set[int] = field(default_factory=set)
    keys: Keys = "reduce"
    millimetres: float = 0.1
    usual_millimetres: float = 0.1
    model: Model | None = None
    leaves_out_end: bool = False
    quantizes: bool = False
    figures: "BakeFigures | None" = None
    asked: object = None
    problem: str = ""

    def begin(self, active: OpenedCharacter) -> None:
        """Set tolerance and clips for a character that was not shown before."""
        if self.model is active.model:
            return
        from ...gltf.bake import default_metres  # imported late: the vertices of all meshes

        self.model, self.figures, self.asked = active.model, None, None
        self.usual_millimetres = self.millimetres = _rounded(default_metres(active.model) * 1000)
        self.what = "mix" if has_mix(active) else "clip"
        self.chosen = {max(active.character.clip, 0)}

    @property
    def settings(self) -> tuple[object, ...]:
        """The fields that determine what is written."""
        kind = self.what, self.keys, self.leaves_out_end, self.quantizes
        return *kind, self.millimetres, frozenset(self.chosen)

    @property
    def decades(self) -> float:
        """Decimal logarithm of the tolerance as a multiple of the usual one."""
        return math.log10(self.millimetres / self.usual_millimetres)

    @decades.setter
    def decades(self, value: float) -> None:
        self.millimetres = _rounded(self.usual_millimetres * 10**value)


def _rounded(value: float) -> float:
    """Return a number with two significant digits."""
    return float(f"{value:.2g}")


def has_mix(active: OpenedCharacter) -> bool:
    """Return whether a motion file affects what plays."""
    character = active.character
    return character.show == "clip" and character.mixer.from_motion


def own_clips(active: OpenedCharacter) -> int:
    """Return the number of clips of the character's own file, which are the first ones; 0: none."""
    document = active.model.document
    return len(document.rows("animations")) if isinstance(document, Document) else 0


def chosen_clips(view: AnimationExport, active: OpenedCharacter) -> list[int]:
    """Return the clips that are baked, in order; of a mix none."""
    if view.what == "mix":
        return []
    chosen = view.chosen if view.what == "chosen" else {active.character.clip}
    return sorted(clip for clip in chosen if 0 <= clip < len(active.model.clips))


def summary(view: AnimationExport, active: OpenedCharacter, begin: str) -> str:
    """Return what is written, in words after a beginning that names the file."""
    clips, own = chosen_clips(view, active), own_clips(active)
    changed = sum(clip < own for clip in clips)
    added = len(clips) - changed + (view.what == "mix")
    new = f", {added} added" if added else ""
    return f"{begin} with {changed} of {counted(own, 'clip')} changed{new}"


def animation_options(
    view: AnimationExport, active: OpenedCharacter, shown: Shown, scene: SceneDoc, fps: float
) -> Options:
    """Return the options of the `bake` command, without output.

    Parameters
    ----------
    shown, scene
        What the view shows, as `view_options` says it.
    fps
        Keys per second, for a mix and for keys at a fixed rate.
    """
    clips, own, reduces = chosen_clips(view, active), own_clips(active), view.keys == "reduce"
    mixes = view.what == "mix"
    keys = KeyOptions(
        mix=mix_name(active) if mixes else None,
        fps=fps if mixes or view.keys == "resample" else None,
        keep_keys=view.keys == "keep" and not mixes,
        tolerance_mm=view.millimetres if reduces else None,
        quantize_rotations=view.quantizes,
    )
    ends = mixes or view.keys == "resample"
    leaves_out = ends and view.leaves_out_end and not reduces
    loop: Loop | None = ("loop", math.inf) if leaves_out else None
    if mixes:
        names: Sequence[str] = () if shown.clip is None else (shown.clip,)
        one = Shown(file=shown.file, speed=shown.speed, trim=shown.trim, motion=shown.motion)
    else:
        names = [clip_reference(active.model, clip) for clip in clips]
        imported = any(clip >= own for clip in clips)
        one = Shown(file=shown.file, motion=_motion(active) if imported else Motion())
        scene = scene if imported else replace(scene, anims=())
    return Options(
        files=(active.source,),
        keys=keys,
        clips=ClipOptions(animations=tuple(names)),
        scene=SceneDoc(
            characters=(replace(one, loop=loop),),
            anims=scene.anims,
            force=scene.force,
            key_rotation=scene.key_rotation if mixes else "slerp",
        ),
    )


def mix_name(active: OpenedCharacter) -> str:
    """Return a name for what plays that no clip has: that of the motion file."""
    path = active.editor.path
    stem = active.character.mixer.name if path is None else path.name.partition(".")[0]
    return free_name(stem or "mix", active.model.clips.names)


def _motion(active: OpenedCharacter) -> Motion:
    """Return the motion file with its unsaved changes, which imports clips."""
    editor = active.editor
    changed = editor.differs or (editor.path is None and editor.document != MotionDoc())
    return Motion(
        file=None if editor.path is None else str(editor.path.absolute()),
        document=editor.document if changed else None,
    )


def preview(session: Session, view: AnimationExport, options: Options) -> None:
    """Find out in the background what a command would write; the newest request wins."""
    from ...tasks.bake import bake_figures  # imported late: reading and writing glTF

    def finish(job: Job["BakeFigures"]) -> None:
        try:
            view.figures, view.problem = job.result(), ""
        except AppError as error:
            view.figures, view.problem = None, error.message

    session.jobs.start(
        PREVIEW,
        partial(bake_figures, options),
        finish,
        shows=Shows.PANELS,
        in_process=True,
        delay=DELAY,
    )


def end_preview(session: Session) -> None:
    """Cancel a running preview; the next one starts again."""
    if session.jobs.is_running(PREVIEW):
        session.jobs.cancel(PREVIEW)
        session.interface.of(AnimationExport).asked = None
