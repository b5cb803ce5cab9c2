"""The session: the scene, its open characters and the panel state, without a window.

Panels and actions are functions of a session. It needs neither OpenGL nor a display.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from ..animation.track import Rotation
from ..batch.jobs import Jobs, Shows
from ..clock import Clock, FrameTime
from ..errors import AppError
from ..model.lookup import find_clip
from ..model.model import Model
from ..model.skin_joints import weighted_joints
from ..motion.document import MotionDoc
from ..scene.character import Character
from ..scene.crowd import CrowdLayout
from ..scene.scene import Scene
from ..scene.selected import Selected
from ..scenedoc.look import Shading
from ..scenedoc.scene_doc import CompareMode, Crowd, SceneDoc
from ..scenedoc.shown import Shown
from .clip_results import is_low
from .comparison import LABELS, Comparison
from .file_reading import FileReading
from .motion_editor import Editor
from .opened_character import OpenedCharacter
from .play_range import stay_in_range
from .played_motion import start_next
from .selection import Selection, Selections
from .settings import Settings
from .stage import Part, StageEditor
from .transport import Transport
from .ui_state import CANNOT_SHOW, Interface
from .undo_history import Step, UndoHistory

SHOWN = {  # labels of undo steps, by fields of the record of a character
    "variant": "Variant",
    "hidden_meshes": "Hidden meshes",
    "hidden_joints": "Hidden joints",
    "hidden": "Hidden character",
    "offset": "Start offset",
}
FOR_ALL = "frame_rate", "anims", "force", "key_rotation"
TRACE_SECONDS = 0.003, 0.012  # of a frame that moves, or not: layers are sampled for traces
NOTICE_SECONDS = 4.0  # long enough to read a path
SLOW = 0.1  # seconds: layers whose evaluation takes longer slow time down


@dataclass(slots=True)
class Leaving:
    """What the pop-up about unsaved changes asks about.

    Attributes
    ----------
    unsaved
        The characters that have some.
    leave
        What follows; None after an answer.
    note
        What else happens, for the pop-up.
    """

    unsaved: list[OpenedCharacter] = field(default_factory=list)
    leave: Callable[[], object] | None = None
    note: str = ""


class Session:
    """A scene that plays, with its open characters, settings and panel state.

    Parameters
    ----------
    clock
        What the time of frames is read from.
    doc
        The record whose fields `FOR_ALL` hold for all files that are opened.

    Attributes
    ----------
    time
        The time of the current frame.
    jobs
        What runs beside the frames.
    files
        How files are read, and those being read.
    settings
        Those of the user.
    scene
        What is drawn.
    interface
        The state of the panels, and their requests to the window.
    selections
        The selection, those before it, and clicks.
    comparison
        Two characters compared as versions of one.
    stage
        Light and background.
    history
        The edits that can be undone.
    together
        Whether playback of all characters is linked; else only the active one is controlled.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        doc: SceneDoc | None = None,
        files: FileReading | None = None,
        settings: Settings | None = None,
        jobs: Jobs | None = None,
    ) -> None:
        self.time = FrameTime(clock)
        self.jobs = jobs or Jobs()
        self.files = files or FileReading()
        self.settings = settings or Settings()
        self.scene = Scene()
        if doc is not None:
            self.scene.change(**{name: getattr(doc, name) for name in FOR_ALL})
        self.interface = Interface()
        self.history = UndoHistory()
        self.together = True
        self.selections = Selections(
            lambda each: each in self.open_characters, self._show_selection
        )
        self.comparison = Comparison(self.scene, self.jobs)
        self.stage = StageEditor(self)

    @property
    def clock(self) -> Clock:
        """The clock that the time of frames is read from."""
        return self.time.clock

    @property
    def tau(self) -> float:
        """The global time of the current frame, seconds."""
        return self.time.tau

    @property
    def aspect(self) -> float:
        """Width over height of the part of the view that no panel covers."""
        return self.interface.viewport.aspect

    @property
    def doc(self) -> SceneDoc:
        """The record of what the scene shows."""
        return self.scene.doc

    @property
    def frame_rate(self) -> float:
        """Frames per second of frame steps."""
        return self.scene.frame_rate

    @property
    def open_characters(self) -> list[OpenedCharacter]:
        """All open characters, in display order."""
        return [each for each in self.scene.instances if isinstance(each, OpenedCharacter)]

    @property
    def active(self) -> OpenedCharacter | None:
        """The open character that panels and keys apply to."""
        instance = self.scene.instances.active
        return instance if isinstance(instance, OpenedCharacter) else None

    @property
    def character(self) -> Character | None:
        """The active character."""
        return self.scene.character

    @property
    def model(self) -> Model | None:
        """The active character's model."""
        return None if self.scene.character is None else self.scene.character.model

    @property
    def path(self) -> Path | None:
        """The active character's file."""
        return None if self.active is None else self.active.path

    @property
    def transport(self) -> Transport:
        """The playback controls of the active character and of those linked to it."""
        return Transport(self.active, self.linked)

    def linked(self) -> list[OpenedCharacter]:
        """Return the open characters that follow the active one's transport, in display order.

        Characters that show a pose instead of a clip are not linked; if `together` is off, none is.
        """
        active = self.active
        return [
            each
            for each in self.open_characters
            if each is active or (self.together and each.character.show == "clip")
        ]

    @property
    def moving(self) -> bool:
        """Whether any character's time runs, or that of a preview."""
        return any(
            each.transport.running or each.character.preview is not None
            for each in self.open_characters
        )

    @property
    def editor(self) -> Editor:
        """The active character's motion editor."""
        return Editor(None) if self.active is None else self.active.editor

    @property
    def document(self) -> MotionDoc:
        """The active character's motion document."""
        return self.editor.document

    @property
    def selected(self) -> Selected | None:
        """What is selected of the active character."""
        found = self.selections.current
        return found.chosen if found is not None and found.character is self.active else None

    @property
    def selected_joint(self) -> int:
        """The selected joint of the active character, -1: none, or a part of a mesh."""
        chosen = self.selected
        return chosen.joint if chosen is not None and chosen.primitive < 0 else -1

    @property
    def dirty(self) -> bool:
        """Whether any character has unsaved changes."""
        return any(each.dirty for each in self.open_characters)

    @property
    def awaited(self) -> bool:
        """Whether something is being found out, so that more frames are needed."""
        return any(each.awaited for each in self.open_characters)

    def poll(self) -> Shows:
        """Start what is due, and take what was found out; return what this has changed.

        It is called between frames, and never waits.
        """
        self.comparison.find_difference()
        found = [each.poll() for each in self.open_characters]
        return max(self.jobs.poll(), Shows.SCENE if any(found) else Shows.NOTHING)

    def tick(self) -> None:
        """Read the clock; everything until the next tick uses the same time."""
        self.time.tick()

    def update(self) -> None:
        """Update the scene to the current time; a background that was not chosen fits the theme."""
        scene = self.scene
        scene.theme = self.settings.theme
        open_characters = self.open_characters
        for opened_character in open_characters:
            start_next(opened_character)
            if opened_character.next_clip is None:  # which waits for the end of the present one
                stay_in_range(opened_character)
            opened_character.editor.sync_to_document()
        scene.selected = self.selected
        self.comparison.follow()
        begun = self.clock.now()
        scene.update(self.tau)
        # the small steps of layers over a long frame would make the next one longer still
        slow = self.clock.now() - begun > SLOW
        layered = any(each.character.mixer.layered for each in open_characters)
        self.time.longest = SLOW if slow and layered else math.inf
        self._settle()
        self._find_contacts()
        self.comparison.painted_errors.update()
        seconds = TRACE_SECONDS[not self.transport.running]
        for opened_character in open_characters:
            opened_character.editor.record_events(self.tau)
            traces = opened_character.character.layer_traces
            traces.in_steps = self.jobs.in_background
            traces.work(self.clock, seconds)

    def _settle(self) -> None:
        """Measure what plays after an edit, and place the camera as a copied command does."""
        dragging = self.history.is_dragging or self.editor.is_dragging
        if not dragging and any(each.is_outdated for each in self.open_characters):
            self.scene.measure()
        self.scene.camera.settle()

    def _find_contacts(self) -> None:
        """Find the foot contacts of what plays, for a selected low joint or the path of any."""
        joint, path = self.selected_joint, self.scene.look.overlays.joint_path
        for each in self.open_characters:
            contacts = each.foot_contacts
            low = each is self.active and joint >= 0 and is_low(each.model, joint)
            if low or (path and joint >= 0):
                contacts.give(each.character, each.document, self.jobs)

    def change(
        self,
        part: type[Part],
        label: str = "",
        merge: str = "",
        **values: Any,  # noqa: ANN401 - of the fields
    ) -> None:
        """Set fields of a part of the look; an undo step with a label, unless undo keeps them.

        Edits of a drag share a `merge` key and are one step. Equal values change nothing.
        """
        self.stage.set(self.scene.look.changed(part, **values), label, merge)

    def show(
        self,
        own: OpenedCharacter | None = None,
        merge: str = "",
        **values: Any,  # noqa: ANN401 - of the fields
    ) -> None:
        """Set fields of the record of a character, by default of the active one; one undo step.

        They are its variant, its hidden meshes and joints, its start offset, and whether it is
        hidden. Edits of a drag share a `merge` key and are one step.
        """
        own = own or self.active
        if own is None:
            return
        before, after = own.shown, replace(own.shown, **values)
        changed = [name for name in values if getattr(before, name) != values[name]]
        if not changed:
            return
        label = SHOWN[changed[0]]
        step = Step(own, before, after, partial(self._bind, own), label)
        if self.history.put(step, merge):
            self._bind(own, after)

    def _bind(self, own: OpenedCharacter, shown: Shown) -> None:
        """Show a character by another record; another offset moves what plays."""
        was_hidden, ahead = own.hidden, shown.offset - own.offset
        own.bind(shown, skip_missing=True)
        if ahead and not own.character.mixer.still:
            playback = own.character.playback
            playback.enter(playback.x(self.tau) + ahead * playback.rate, self.tau)
        if own.hidden != was_hidden:
            self.scene.measure()

    @property
    def crowd(self) -> Crowd:
        """The crowd of the only character, as it was set; it is shown while a clip plays."""
        layout = self.scene.crowd_layout
        return Crowd() if layout is None else layout.record

    def set_crowd(self, crowd: Crowd, merge: str = "") -> None:
        """Show a crowd of the only character, or none; one undo step."""
        if self.active is None:
            return
        step = Step(self.active, self.crowd, crowd, self._show_crowd, "Crowd")
        if self.history.put(step, merge):
            self._show_crowd(crowd)

    def _show_crowd(self, crowd: Crowd) -> None:
        model = self.model
        clips = [] if model is None else [find_clip(model, text or "0") for text in crowd.clips]
        alone = self.crowd.size is None or crowd.size is None
        self.scene.set_crowd(CrowdLayout.of(crowd, tuple(each.index for each in clips)))
        if alone:
            self.scene.frame(self.aspect)

    def set_key_rotation(self, rotation: Rotation) -> None:
        """Interpolate the rotations of all characters by slerp or nlerp; their times stay."""
        self.scene.change(key_rotation=rotation)
        for opened_character in self.open_characters:
            opened_character.set_key_rotation(rotation)

    def notify(self, text: str) -> None:
        """Show a notice for a few seconds."""
        self.interface.notice = text
        self.interface.notice_end = self.time.now() + NOTICE_SECONDS  # loading may have taken long

    def fail(self, error: AppError, title: str = CANNOT_SHOW) -> None:
        """Show an error pop-up."""
        self.interface.error = str(error)
        self.interface.error_title = title
        self.interface.popup = "error"

    def remove(self, opened_character: OpenedCharacter) -> None:
        """Remove one of several characters; ask first if it has unsaved changes."""
        if opened_character not in self.open_characters or len(self.open_characters) < 2:
            return

        def leave() -> None:
            if opened_character is self.active:
                self.next_character(1)
            self.scene.remove(opened_character)
            self.forget_closed()
            self.scene.frame(self.aspect)

        self.ask_to_leave(leave, [opened_character])

    def forget_closed(self) -> None:
        """Forget selections and edits of characters that are not open any more."""
        self.selections.forget_closed()
        opened = self.open_characters
        kept = [self.stage, *opened, *(part for each in opened for part in each.editors)]
        self.history.keep(lambda subject: subject in kept)

    def ask_to_leave(
        self,
        leave: Callable[[], object],
        closing: Iterable[OpenedCharacter] | None = None,
        note: str = "",
    ) -> None:
        """Call `leave`; if closing characters (default: all) have unsaved changes, ask first.

        `note` is what else happens, for the pop-up.
        """
        unsaved = [each for each in closing or self.open_characters if each.dirty]
        if unsaved:
            leaving = self.interface.of(Leaving)
            leaving.unsaved, leaving.leave, leaving.note = unsaved, leave, note
            self.interface.popup = "unsaved"
        else:
            leave()

    def compare(self, mode: CompareMode | None) -> None:
        """Show two versions in a mode, None: in a row; playback of both is linked."""
        self.together = True
        self.interface.viewport.aspect = self.comparison.show(mode, self.aspect)

    def compare_next(self) -> None:
        """Show two versions in the next mode; after the last one in a row."""
        if self.comparison.pair is None:
            self.notify("There is only one character")
            return
        modes = list(LABELS)
        mode = modes[(modes.index(self.comparison.mode) + 1) % len(modes)]
        self.compare(mode)
        self.notify(LABELS[mode])

    def activate(self, opened_character: OpenedCharacter) -> None:
        """Make another open character the active one; shown weights become those of its joint."""
        if opened_character is self.active:
            return
        self.editor.end_drag()
        painted = self.scene.weights_joint >= 0
        self.scene.activate(opened_character)
        self.show_panels_of(opened_character)
        if painted:
            self.scene.show_weights(opened_character.weights_joint())

    def next_character(self, step: int) -> None:
        """Make the character `step` positions further active, wrapping at the end."""
        open_characters = self.open_characters
        if self.active is None or len(open_characters) < 2:
            self.notify("There is only one character")
            return
        chosen = open_characters[(open_characters.index(self.active) + step) % len(open_characters)]
        self.activate(chosen)
        self.notify(chosen.name)

    def _show_selection(self, selection: Selection | None) -> None:
        """Make the character of a new selection active; panels show its joint."""
        if selection is not None:
            self.activate(selection.character)
        self.scene.selected = self.selected
        if selection is None:
            return
        self.interface.outliner.scroll_to_selected = self.interface.inspect = True
        if not selection.is_joint:
            return
        joint, scene = selection.chosen.joint, self.scene
        if joint in weighted_joints(selection.character.model):
            selection.character.joint = joint
            if scene.weights_joint >= 0:
                scene.show_weights(joint)
        self.interface.curves.subject, self.interface.curves.missing = selection.name, ""

    def show_panels_of(self, opened_character: OpenedCharacter) -> None:
        """Show the panels of another character."""
        interface = self.interface
        opened_character.mixer_panels.shown = interface.mixer_panels.shown
        interface.mixer_panels = opened_character.mixer_panels
        interface.filter_clips = ""
        interface.scroll_to_clip = interface.scroll_to_character = True
        self.change(Shading, weights=None)
        self.scene.mask = ()
