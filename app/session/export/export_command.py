"""The command of an export: it draws what the export dialog asks for."""

import math
import shlex
from dataclasses import replace

from ...animation.playback import Mode
from ...motion.document import MotionDoc
from ...options.command_options import Options
from ...options.motion_options import ClipOptions, MotionOptions, TimeOptions
from ...options.output_options import OutputOptions
from ...options.picture_options import SEQUENCE_SAMPLES, STILL_SAMPLES, CameraOptions
from ...options.write_options import as_arguments
from ...resources import pictures_folder
from ...scene.camera import OrbitCamera
from ...scenedoc.look import Background, Overlays
from .. import transport
from ..copy_command import command_options
from ..copy_range import chosen_range, range_options
from ..open_character import OpenCharacter
from ..session import Session
from .export_name import export_path
from .export_view import LABELS, ExportValues, ExportView, Kind


def possible_kinds(session: Session) -> dict[Kind, str]:
    """Return what can be exported, with labels; empty without a file."""
    active = session.active
    if active is None or any(each.path is None for each in session.open_characters):
        return {}
    moves, ranged = transport.playable_character(session) is not None, chosen_range(active)
    left_out = set() if moves else {"video"}
    if ranged is None:
        left_out.add("range")
    return {kind: label for kind, label in LABELS.items() if kind not in left_out}


def open_dialog(session: Session) -> None:
    """Open the dialog; it proposes a file in the user's pictures folder."""
    view, kinds = session.interface.of(ExportView), possible_kinds(session)
    view.folder = pictures_folder()
    view.frame_rate = view.frame_rate or f"{session.frame_rate:g}"
    if kinds and view.kind not in kinds:
        view.kind = next(iter(kinds))
    session.interface.popup = "export"


def export_text(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the export as a command, quoted for a POSIX shell; "" if it cannot be written.

    Parameters are those of `copy_command.copy_command`.
    """
    try:
        options = export_options(session, size, samples)
    except ValueError as error:
        session.notify(str(error))
        return ""
    return "" if options is None else shlex.join(["rigview", *arguments_of(session, options)])


def arguments_of(session: Session, options: Options) -> tuple[str, ...]:
    """Return the arguments of the program that draw what the options of an export say."""
    command = session.interface.of(ExportView).command
    return (command, *options.files, *as_arguments(command, options))


def export_options(session: Session, size: tuple[int, int], samples: int) -> Options | None:
    """Return the options of the command that writes what the dialog asks for.

    None without a file. Parameters are those of `copy_command.copy_command`.

    Raises
    ------
    ValueError
        A field of the dialog cannot be read; with a message for the user.
    """
    view, active = session.interface.of(ExportView), session.active
    values = view.values()
    options = command_options(session, size, samples)
    if options is None or active is None or view.kind not in possible_kinds(session):
        return None
    if view.kind == "sheet":
        options = _sheet(session, active, options)
    elif view.kind == "range":
        span = chosen_range(active)
        assert span is not None  # `possible_kinds`
        options = range_options(session, options, span, values.frame_rate)
    elif view.kind != "picture":
        options = _whole_clip(session, options, values)
    options = _with_picture(session, options, values)
    file = str(export_path(session))
    return replace(
        options,
        output=OutputOptions(file=file, seconds=values.seconds or OutputOptions().seconds),
        camera=_camera(session, options.camera),
    )


def _whole_clip(session: Session, options: Options, values: ExportValues) -> Options:
    """Return the options without a time; the clip plays as the dialog says."""
    view = session.interface.of(ExportView)
    each = tuple(
        _whole(view, own, layered=_layers_play(character))
        for own, character in zip(options.per_file, session.open_characters, strict=True)
    )
    whole = each[0]
    playback = replace(options.playback, frame_rate=values.frame_rate, loop=whole.playback.loop)
    return replace(
        options,
        each_file=each if options.each_file else (),
        times=TimeOptions(),
        playback=playback,
    )


def _whole(view: ExportView, own: Options, *, layered: bool) -> Options:
    playback = own.playback
    if not layered and view.kind == "video":
        mode: Mode = "pingpong" if view.repeat == "pingpong" else "loop"
        passes = math.inf if view.passes < 2 else float(view.passes)
        if view.repeat == "once":
            passes = 1.0
        playback = replace(playback, loop=(mode, 2 * passes if mode == "pingpong" else passes))
    elif not layered:
        playback = replace(playback, loop=None)
    return replace(own, times=TimeOptions(), playback=playback)


def _layers_play(open_character: OpenCharacter) -> bool:
    character = open_character.character
    return character.mixer.layered and character.show == "clip"


def _sheet(session: Session, active: OpenCharacter, options: Options) -> Options:
    """Return the options of the active file alone, for all its clips."""
    own = options.per_file[session.open_characters.index(active)]
    beside, editor = active.editor.default_path(), active.editor
    motion = MotionOptions(set=options.motion.set)
    usual = editor.path is not None and beside is not None
    usual = usual and editor.path.absolute() == beside.absolute()  # type: ignore[union-attr]
    if editor.path is not None and not usual:
        motion = replace(motion, file=str(editor.path.absolute()))
    elif editor.path is None and beside is not None and beside.is_file():
        motion = replace(motion, no_motion=True)
    clips = replace(options.clips, animation=None)
    return replace(
        options,
        file=own.file,
        files=(active.source,),
        each_file=(),
        crowd_clips=(),
        clips=listed_clips(active, clips) if motion.file is not None else clips,
        motion=motion,
        times=TimeOptions(),
        playback=replace(options.playback, loop=None, speed=1.0, pose="clip"),
        picture=replace(
            options.picture,
            variant=own.picture.variant,
            hide_mesh=own.picture.hide_mesh,
            hide_joints=own.picture.hide_joints,
        ),
    )


def listed_clips(open_character: OpenCharacter, clips: ClipOptions) -> ClipOptions:
    """Return the clips of a sheet: with --motion, layers would be its only row."""
    if open_character.document == MotionDoc() or not open_character.document.layers:
        return clips
    numbers = tuple(f"#{clip}" for clip in range(len(open_character.model.clips)))
    return replace(clips, animations=numbers)


def _with_picture(session: Session, options: Options, values: ExportValues) -> Options:
    """Return the options with size, samples and background of the dialog."""
    view, picture, look = session.interface.of(ExportView), options.picture, options.look
    if values.size is not None:
        picture = replace(picture, resolution=values.size)
    if view.background != "view":
        clear = view.background == "transparent"
        grid = None if clear or session.scene.look.grid else False
        background = Background(colours=values.background, transparent=clear)
        look = replace(look.changed(Overlays, grid=grid), background=background)
    if view.kind in ("turntable", "sheet") and picture.samples == STILL_SAMPLES:
        picture = replace(picture, samples=SEQUENCE_SAMPLES)  # as the command without --samples
    return replace(options, picture=picture, overlays=look.overlays, background=look.background)


def _camera(session: Session, camera: CameraOptions) -> CameraOptions:
    """Return the camera of the view, or one that frames the motion from the same direction."""
    view, orbit = session.interface.of(ExportView), session.scene.camera.orbit
    of_file = camera.name is not None and view.kind == "turntable"  # which has its own camera
    if not (view.framed or of_file or view.kind == "sheet"):
        return camera
    turned = math.remainder(orbit.azimuth - session.scene.camera.front, math.tau)
    return CameraOptions(
        azimuth=round(math.degrees(turned), 2),
        elevation=round(math.degrees(orbit.elevation), 2),
        fov=None if orbit.fov == OrbitCamera().fov else round(math.degrees(orbit.fov), 2),
        ortho=orbit.ortho,
    )
