"""Measures the work of a frame in Python, without the GPU.

Usage: python -m tests.bench.frame_work [MODEL ...]     (default: the bundled character)

Median milliseconds of a frame while the first clip plays: the update of the session (playback,
pose, palettes, root motion, camera), and what drawing reads from the scene: what is visible, camera
matrices, lights, and the bounds of the shadow casters.
"""

import statistics
import sys
import time
from pathlib import Path

from rigview.rendering.frame import Frame, Lighting
from rigview.resources import asset_path
from rigview.scene.lights import lights_of
from rigview.session import character_files
from rigview.session.session import Session
from tests.support.sessions import new_session

FRAMES = 2000
ASPECT = 4 / 3


def read_scene(session: Session) -> None:
    """Read from the scene what drawing needs."""
    frame = Frame.of(session.scene)
    lights = lights_of(frame.characters, frame.camera)
    frame.lighting = Lighting.of(lights, frame.look.shading.tone_mapping, shadow=True)
    _ = frame.camera.projection(ASPECT) @ frame.camera.view(), frame.character_size
    for instance in frame.instances:
        instance.bounds.corners(instance.character.pose, instance.character.matrices)


class Work:
    """A session in which the first clip of a file plays, without drawing."""

    def __init__(self, path: str | Path) -> None:
        self._session = new_session(60)
        self._session.interface.viewport.aspect = ASPECT
        character_files.open_file(self._session, Path(path))

    def update(self) -> None:
        """Advance by 1/60 s."""
        self._session.clock.frame += 1
        self._session.tick()
        self._session.update()

    def read(self) -> None:
        """Read from the scene what drawing needs."""
        read_scene(self._session)

    def next_frame(self) -> None:
        """Do both."""
        self.update()
        self.read()


def measure(path: Path) -> tuple[float, float]:
    """Return the median milliseconds of an update, and of reading the scene."""
    work = Work(path)
    updates, reads = [], []
    for _ in range(FRAMES):
        begin = time.perf_counter()
        work.update()
        middle = time.perf_counter()
        work.read()
        updates.append(middle - begin)
        reads.append(time.perf_counter() - middle)
    return statistics.median(updates) * 1e3, statistics.median(reads) * 1e3


if __name__ == "__main__":
    for name in sys.argv[1:] or [asset_path("mannequin.glb")]:
        update, read = measure(Path(name))
        sys.stdout.write(
            f"{Path(name).name:24}update {update:.3f} ms  read {read:.3f} ms  "
            f"sum {update + read:.3f} ms\n"
        )
