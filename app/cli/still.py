"""Single pictures one after the other, each as `rigview render` draws it, by one painter."""

import argparse
from typing import TYPE_CHECKING

from app.cli.moments import motion_taus, timing
from app.cli.performance import performance, tell_held
from app.cli.source import warn_of
from app.errors import UsageError
from app.gltf.images import decode_ahead

if TYPE_CHECKING:
    from app.animation.types import U8
    from app.picture import Painter


class Stills:
    """Keeps an OpenGL context from picture to picture; other contexts may be used in between.

    Afterwards none is current: who has one of their own makes it so again.
    """

    def __init__(self) -> None:
        self._painter: Painter | None = None

    def prepare(self) -> None:
        """Make the context.

        Raises
        ------
        ContextError
            There is no OpenGL.
        """
        self._ready((16, 16), 1)

    @property
    def made_by(self) -> str:
        """What draws here, by name and version; "" where nothing can."""
        return "" if self._painter is None else self._painter.made_by

    def picture(self, args: argparse.Namespace) -> "U8":
        """Return the picture [H, W, 4] that `rigview render` draws for these options.

        Raises
        ------
        AppError
            As of the command.
        """
        played = performance(args)
        run = timing(args, played.model.clips[played.clip] if played.clip >= 0 else None)
        taus = run.taus
        if played.document is not None:
            taus = motion_taus(args, played.mixer(args).length)
        if len(taus) != 1:
            raise UsageError("a picture shows one moment", hint=f"not {len(taus)}")
        decode_ahead(played.model.images)
        from app.cli.stage import on_stage  # the GPU's packages: not before all is checked

        painter = self._ready(args.resolution, args.samples)
        with painter.context:
            scene = on_stage(args, played, run, painter.aspect)
            scene.update(taus[0])
            picture = painter.paint(scene)
            painter.renderer.unload()
        if scene.character is not None:
            tell_held(args, played.model, scene.character.mixer)
        warn_of(args, played.model)
        return picture

    def release(self) -> None:
        """Free what was made."""
        painter, self._painter = self._painter, None
        if painter is not None:
            with painter.context:
                painter.renderer.release()
                painter.target.release()
            painter.context.release()

    def _ready(self, size: tuple[int, int], samples: int) -> "Painter":
        from app.picture import Painter

        if self._painter is None:
            self._painter = Painter(size, samples)
        with self._painter.context:
            self._painter.resize(size, samples)
        return self._painter
