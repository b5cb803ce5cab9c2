"""The look of the scene, with undo, and presets of its light and background.

Environment maps are read in the background; the last one is shown meanwhile.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..animation.types import F16
from ..batch.jobs import Job, Report
from ..errors import AppError
from ..fields.option import restored
from ..scene.environment import Environment
from ..scene.loaded import LoadedEnvironment
from ..scenedoc.look import Background, Lighting, Look, Overlays, Shading
from .player import Host
from .undo_history import Step

ENVIRONMENT = "environment"  # key of the job
CANNOT_READ = "The environment cannot be read"
SUFFIXES = {".hdr", ".exr"}
WHITE, BLACK = (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0)


Part = Overlays | Shading | Lighting | Background


PRESETS: dict[str, tuple[str, Look]] = {  # by name: label, light and background
    "studio": ("Studio", Look()),
    "low light": (
        "Low light from the left",
        Look(lighting=Lighting(azimuth=-55.0, elevation=20.0)),
    ),
    "side light": ("Side light", Look(lighting=Lighting(azimuth=85.0, elevation=25.0))),
    "back light": ("Back light", Look(lighting=Lighting(azimuth=160.0, elevation=35.0))),
    "top light": ("Top light", Look(lighting=Lighting(azimuth=0.0, elevation=80.0))),
    "soft": ("Soft, without lights", Look(lighting=Lighting(light="none"))),
    "white": ("White background", Look(background=Background(colours=(WHITE,)))),
    "black": ("Black background", Look(background=Background(colours=(BLACK,)))),
}


def preset_of(look: Look) -> str:
    """Return the name of the preset that a look has, apart from its environment; "" for none.

    A look with the environment as its background has none.
    """
    if look.background.environment:
        return ""
    bare = look.without_environment()
    return next((name for name, (_, preset) in PRESETS.items() if staged(bare, preset) == bare), "")


def staged(look: Look, stage: Look) -> Look:
    """Return a look with the light and the background of another one."""
    return replace(look, lighting=stage.lighting, background=stage.background)


def read_environment(path: Path, turn: float) -> Environment:
    """Return the environment of a file rotated by `turn` degrees; a new one is prefiltered.

    Raises
    ------
    AppError
        The file cannot be read.
    """
    from ..scene.hdri import load_cached, prefilter_and_cache, read

    cached = load_cached(path, turn)
    return cached if cached is not None else prefilter_and_cache(path, read(path), turn)[0]


def read_background(path: Path, blur: float) -> F16:
    """Return the map [H, W, 3] of a file, blurred.

    Raises
    ------
    AppError
        The file cannot be read.
    """
    from ..scene.hdri import background

    return background(path, blur)


class StageEditor:
    """Changes the look of the scene of a session, with undo."""

    def __init__(self, owner: Host) -> None:
        self._owner, self._scene = owner, owner.scene
        self._file = ""  # that was read last, or is being read

    @property
    def reading(self) -> bool:
        """Whether an environment is being read."""
        return self._owner.jobs.is_running(ENVIRONMENT)

    def open_environment(self, paths: Iterable[Path]) -> list[Path]:
        """Light the scene with the first environment map of some files; return the other files."""
        given = list(paths)
        maps = [path for path in given if path.suffix.lower() in SUFFIXES]
        if maps:
            file, label = str(maps[0].absolute()), f"Environment {maps[0].name}"
            look = self._scene.look.changed(Lighting, environment=file, rotation=0.0)
            self.set(look, label)
        return [path for path in given if path not in maps]

    def use(self, preset: str) -> None:
        """Show a preset of `PRESETS`; the environment map stays."""
        label, stage = PRESETS[preset]
        now = self._scene.look
        source = {name: getattr(now.lighting, name) for name in ("environment", "rotation")}
        self.set(staged(now, stage).changed(Lighting, **source), f"Stage {label}")

    def set(self, look: Look, label: str, merge: str = "") -> None:
        """Show another look; one undo step. Edits of a drag share a `merge` key."""
        if look is self._scene.look:
            return
        before, after = (restored(Look(), each) for each in (self._scene.look, look))
        self._owner.history.put(Step(self, before, after, self._show_again, label), merge)
        self._show(look)

    def _show_read(self, job: Job[LoadedEnvironment]) -> None:
        """Show an environment that was read; another file has cancelled the job."""
        try:
            self._scene.environment = job.result()
        except AppError as error:
            self._owner.fail(error, CANNOT_READ)
            look = self._scene.look  # with what is shown in place of it
            self.set(staged(look, self._scene.shown_look), "Stage")
        else:
            self._read_missing()

    def _show_again(self, look: Look) -> None:
        self._show(restored(self._scene.look, look))

    def _show(self, look: Look) -> None:
        self._scene.look = look
        self._read_missing()

    def _read_missing(self) -> None:
        """Start to read what is not loaded yet; one read of a file runs at a time."""
        look, there = self._scene.look, self._scene.environment
        file = look.lighting.environment
        if file is None or _has(there, look):
            self._owner.jobs.cancel(ENVIRONMENT)
        elif not self.reading or self._file != file:
            self._file = file
            load = partial(_loaded, file, look, there)
            self._owner.jobs.start(ENVIRONMENT, load, self._show_read)


def _loaded(
    file: str, look: Look, there: LoadedEnvironment | None, _report: Report
) -> LoadedEnvironment:
    """Read what a look shows of a file and is not there; called in a thread."""
    path, rotation, background = Path(file), look.lighting.rotation, look.background
    if there is None or (there.file, there.rotation) != (file, rotation):
        light = read_environment(path, rotation)
        kept = there if there is not None and there.file == file else None
        map_, blur = (kept.map, kept.blur) if kept is not None else (None, 0.0)
        there = LoadedEnvironment(file, rotation, light, map_, blur)
    if background.environment and (there.map is None or there.blur != background.blur):
        map_ = read_background(path, background.blur)
        there = replace(there, map=map_, blur=background.blur)
    return there


def _has(there: LoadedEnvironment | None, look: Look) -> bool:
    """Return whether the environment that a look shows is loaded, with its blurred map if shown."""
    lighting, background = look.lighting, look.background
    if there is None or (there.file, there.rotation) != (lighting.environment, lighting.rotation):
        return False
    return not background.environment or (there.map is not None and there.blur == background.blur)
