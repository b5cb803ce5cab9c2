"""The command of an export: what the dialog asks for, and the name of its file."""

import math
from dataclasses import replace
from pathlib import Path

from ...animation.playback import Mode
from ...errors import UsageError
from ...gltf.document import Document
from ...motion.document import MotionDoc
from ...options.command_options import ClipOptions, GeneralOptions, Options, OutputOptions
from ...options.write_options import changed_options
from ...resources import pictures_folder
from ...scene.camera import OrbitCamera
from ...scenedoc.camera import Camera
from ...scenedoc.look import Background, Overlays
from ...scenedoc.scene_doc import SEQUENCE_SAMPLES, STILL_SAMPLES, Comparison, Crowd, SceneDoc
from ...scenedoc.shown import Shown
from ...tasks.output_names import fill_pattern, model_name
from ..copied_text import command_line
from ..morph_overrides import with_morphs_of
from ..opened_character import OpenedCharacter
from ..play_range import frames_of
from ..player import PlayRange
from ..screenshot import file_stem
from ..session import Session
from ..view_record import range_options, view_options
from .animation_export import AnimationExport, animation_options, preview
from .export_view import FORMATS, LABELS, ExportValues, ExportView, Kind

NUMBER = "_####"  # of a frame of a sequence


def possible_kinds(session: Session) -> dict[Kind, str]:
    """Return what can be exported, with labels; empty without a file."""
    active = session.active
    if active is None or any(each.path is None for each in session.open_characters):
        return {}
    moves, ranged = session.transport.playable is not None, active.transport.chosen_range
    left_out = set() if moves else {"video"}
    if ranged is None:
        left_out.add("range")
    if not (isinstance(active.model.document, Document) and active.model.clips):
        left_out.add("animation")  # motion capture, or nothing to bake
    return {kind: label for kind, label in LABELS.items() if kind not in left_out}


def open_dialog(session: Session) -> None:
    """Open the dialog; it proposes a file in the user's pictures folder."""
    view, kinds = session.interface.of(ExportView), possible_kinds(session)
    view.folder = pictures_folder()
    view.frame_rate = view.frame_rate or f"{session.frame_rate:g}"
    if session.active is not None:
        session.interface.of(AnimationExport).begin(session.active)
    if kinds and view.kind not in kinds:
        view.kind = next(iter(kinds))
    session.interface.popup = "export"


def export_text(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the export as a command, quoted for a POSIX shell; "" if it cannot be written.

    Parameters are those of `view_record.view_options`.
    """
    try:
        options = export_options(session, size, samples)
    except ValueError as error:
        session.notify(str(error))
        return ""
    return (
        "" if options is None else command_line(session.interface.of(ExportView).command, options)
    )


def export_options(session: Session, size: tuple[int, int], samples: int) -> Options | None:
    """Return the options of the command that writes what the dialog asks for.

    None without a file. Parameters are those of `view_record.view_options`.

    Raises
    ------
    ValueError
        A field of the dialog cannot be read; with a message for the user.
    """
    view, active = session.interface.of(ExportView), session.active
    values = view.values()
    options = view_options(session, size, samples)
    if options is None or active is None or view.kind not in possible_kinds(session):
        return None
    if view.kind == "animation":
        return _animation(session, active, options)
    if view.has_all_clips:
        options = _sheet(session, active, options)
    elif view.kind == "range":
        span = active.transport.chosen_range
        assert span is not None  # `possible_kinds`
        options = range_options(session, options, span, values.frame_rate)
    elif view.kind != "picture":
        options = options.with_scene(
            characters=tuple(
                replace(
                    _whole_clip(view, shown, character),
                    offset=character.offset,
                )
                for shown, character in zip(
                    options.scene.characters, session.open_characters, strict=True
                )
            ),
            frame_rate=values.frame_rate,
        )
    scene = _with_picture(session, options.scene, values)
    seconds = values.seconds or OutputOptions().seconds
    output = OutputOptions(file=str(export_path(session)), seconds=seconds)
    scene = replace(scene, camera=_camera(session, scene.camera))
    return _with_given(view.command, replace(options, scene=scene, output=output))


def _with_given(command: str, options: Options) -> Options:
    """Return options that say which of them a command line would give."""
    given = {option.name for option, _ in changed_options(command, options)}
    return replace(options, given=frozenset(given))


def _animation(session: Session, active: OpenedCharacter, shown: Options) -> Options:
    """Return the options that bake clips of the active file, with those of the view."""
    view, path = session.interface.of(ExportView), export_path(session)
    options = animation_options(
        session.interface.of(AnimationExport),
        active,
        shown.scene.characters[session.open_characters.index(active)],
        shown.scene,
        view.values().frame_rate,
    )
    output = OutputOptions(file=str(path), in_place=is_open_file(session, path))
    general = replace(shown.general, max_memory=GeneralOptions().max_memory)
    return _with_given(view.command, replace(options, output=output, general=general))


def update_preview(session: Session) -> None:
    """Find out in the background what an export of animations would write, after each change."""
    view, active = session.interface.of(AnimationExport), session.active
    if active is None:
        return
    rate = session.interface.of(ExportView).frame_rate
    asked = (active.stamps, active.document, active.character.clip, rate, *view.settings)
    if asked == view.asked:
        return
    view.asked = asked
    try:
        options = export_options(session, (1, 1), 1)
    except ValueError:
        return  # the dialog says it
    if options is not None and (options.keys.mix is not None or options.clips.animations):
        preview(session, view, options)


def is_open_file(session: Session, path: Path) -> bool:
    """Return whether a path is that of the active character's file, also by a link."""
    try:
        return session.path is not None and path.samefile(session.path)
    except OSError:  # it does not exist
        return False


def _whole_clip(view: ExportView, shown: Shown, opened_character: OpenedCharacter) -> Shown:
    """Return a character without a time; its clip plays as the dialog says."""
    character = opened_character.character
    layered = character.mixer.layered and character.show == "clip"
    loop = shown.loop if layered else None
    if not layered and view.kind == "video":
        mode: Mode = "pingpong" if view.repeat == "pingpong" else "loop"
        passes = math.inf if view.passes < 2 else float(view.passes)
        if view.repeat == "once":
            passes = 1.0
        loop = mode, 2 * passes if mode == "pingpong" else passes
    return replace(shown, time=None, loop=loop)


def _sheet(session: Session, active: OpenedCharacter, options: Options) -> Options:
    """Return the options of the active file alone, for all its clips."""
    shown = options.scene.characters[session.open_characters.index(active)]
    beside, editor = active.editor.default_path(), active.editor
    motion = replace(shown.motion, file=None, none=False)
    usual = editor.path is not None and beside is not None
    usual = usual and editor.path.absolute() == beside.absolute()  # type: ignore[union-attr]
    if editor.path is not None and not usual:
        motion = replace(motion, file=str(editor.path.absolute()))
    elif editor.path is None and beside is not None and beside.is_file():
        motion = replace(motion, none=True)
    document = with_morphs_of(editor.document, active.character)
    if editor.differs or (editor.path is None and document != MotionDoc()):
        motion = replace(motion, document=document, none=False)
    alone = replace(
        shown, clip=None, time=None, loop=None, speed=1.0, pose="clip", hidden=False, motion=motion
    )
    named = motion.file is not None or motion.document is not None
    scene = replace(
        options.scene,
        characters=(alone,),
        active=1,
        comparison=Comparison(),
        crowd=Crowd(),
        same_size=False,
    )
    listed = range(len(active.model.clips)) if named and active.document.layers else ()
    clips = tuple(f"#{clip}" for clip in listed)  # else layers would be the only row
    return replace(
        options, files=(active.source,), scene=scene, clips=ClipOptions(animations=clips)
    )


def _with_picture(session: Session, scene: SceneDoc, values: ExportValues) -> SceneDoc:
    """Return the record with size, samples and background of the dialog."""
    view, look, samples = session.interface.of(ExportView), scene.look, scene.samples
    if view.background != "view":
        clear = view.background == "transparent"
        grid = None if clear or session.scene.look.grid else False
        background = Background(colours=values.background, transparent=clear)
        look = replace(look.changed(Overlays, grid=grid), background=background)
    if (view.kind == "turntable" or view.has_all_clips) and samples == STILL_SAMPLES:
        samples = SEQUENCE_SAMPLES  # as the command without --samples
    return replace(scene, look=look, samples=samples, size=values.size or scene.size)


def _camera(session: Session, camera: Camera) -> Camera:
    """Return the camera of the view, or one that frames the motion from the same direction."""
    view, orbit = session.interface.of(ExportView), session.scene.camera.orbit
    of_file = camera.name is not None and view.kind == "turntable"  # which has its own camera
    if not (view.framed or of_file or view.has_all_clips):
        return camera
    turned = math.remainder(orbit.azimuth - session.scene.camera.front, math.tau)
    return Camera(
        azimuth=round(math.degrees(turned), 2),
        elevation=round(math.degrees(orbit.elevation), 2),
        fov=None if orbit.fov == OrbitCamera().fov else round(math.degrees(orbit.fov), 2),
        ortho=orbit.ortho,
    )


def proposed_name(session: Session) -> str:
    """Return a file name for what is exported, with the extension of its format."""
    view, active = session.interface.of(ExportView), session.active
    character = session.transport.playable
    span = active.transport.chosen_range if active is not None else None
    parts = ["rigview" if session.path is None else session.path.stem]
    if view.kind == "animation":
        return f"{file_stem([*parts, 'baked'])}{view.ending}"
    if character is not None and not view.has_all_clips:
        parts.append(character.mixer.name)
    if view.kind == "picture" and character is not None:
        parts.append(f"{session.transport.time:.2f}s")
    if view.kind == "range" and span is not None:
        parts.append(f"{span.begin:.2f}s-{span.end:.2f}s")
    if view.kind == "turntable" or view.has_all_clips:
        parts.append(view.kind)
    return f"{file_stem(parts)}{NUMBER if view.is_sequence else ''}{view.ending}"


def export_path(session: Session) -> Path:
    """Return the path of the exported file, or the pattern of the files of a sequence."""
    view = session.interface.of(ExportView)
    folder = view.folder or pictures_folder()
    if view.kind == "animation" and session.path is not None:
        folder = session.path.absolute().parent
    name = with_ending(view, view.name.strip()) if view.name.strip() else proposed_name(session)
    return folder / Path(name).expanduser()


def missing_folder(session: Session) -> Path | None:
    """Return the folder of a typed path if it does not exist; the default folder is made."""
    name = session.interface.of(ExportView).name.strip()
    if Path(name).parent == Path() or "{" in name:
        return None
    folder = export_path(session).parent
    return None if folder.is_dir() else folder


def with_ending(view: ExportView, name: str) -> str:
    """Return a typed name with the extension of the format."""
    known = {ending for endings in FORMATS.values() for ending in endings}
    suffix = Path(name).suffix
    stem = name[: -len(suffix)] if suffix.lower() in known else name
    return f"{stem}{view.ending}"


def type_name(view: ExportView, name: str) -> None:
    """Take a typed name; an extension of another format chooses that format."""
    view.name = name
    suffix = Path(name.strip()).suffix.lower()
    if suffix in FORMATS[view.kind]:
        view.choose(suffix)


def existing(session: Session) -> Path | None:
    """Return the file that an export would replace; of a sequence its first one; else None."""
    view, character = session.interface.of(ExportView), session.transport.playable
    model = model_name(session.path.name) if session.path is not None else ""
    clip = character.mixer.name if character is not None else "rest"
    frame = _first_frame(session) if view.is_sequence else None
    try:
        path = Path(fill_pattern(str(export_path(session)), model=model, clip=clip, frame=frame))
        return path if path.exists() else None
    except (UsageError, OSError, ValueError):
        return None  # the export reports it


def _first_frame(session: Session) -> int:
    """Return the number of the first frame of a sequence."""
    view, active = session.interface.of(ExportView), session.active
    span = active.transport.chosen_range if active is not None and view.kind == "range" else None
    if span is None:
        return 0
    try:
        rate = view.values().frame_rate
    except ValueError:
        return 0
    begin = session.transport.span[0]
    return frames_of(PlayRange(span.begin - begin, span.end - begin), rate).start
