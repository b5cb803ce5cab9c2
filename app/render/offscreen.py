"""Pictures without a window: a painter for many, and one call for one."""

from pathlib import Path

from ..animation.types import U8
from ..loading.load import load
from ..model.model import Model
from ..scene.scene import Scene
from .context import create_context
from .render_target import Target
from .renderer import Renderer

SIZE = (1024, 1024)  # width, height of a picture where nothing else is said


class Painter:
    """A context, a renderer and a target, for pictures without a window.

    Parameters
    ----------
    size
        Width and height, pixels.
    samples
        Samples a pixel.
    """

    def __init__(self, size: tuple[int, int] = SIZE, samples: int = 4) -> None:
        self.context = create_context()
        self.renderer = Renderer(self.context)
        self.target = Target(self.context, size, samples)
        self._samples = samples  # as asked for; the driver may offer fewer

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.target.size[0] / self.target.size[1]

    def resize(self, size: tuple[int, int], samples: int) -> None:
        """Draw pictures of another size from now on.

        Raises
        ------
        ContextError
            The driver has no room for them; the size stays as it was.
        """
        if (size, samples) != (self.target.size, self._samples):
            target = Target(self.context, size, samples)
            self.target.release()
            self.target, self._samples = target, samples

    @property
    def made_by(self) -> str:
        """What draws: the name of the renderer and the version of its driver."""
        info = self.context.info
        return f"{info['GL_RENDERER']} {info['GL_VERSION']}"

    def paint(self, scene: Scene) -> U8:
        """Draw a scene, as `Scene.update` left it; [H, W, 4] uint8, straight alpha."""
        self.renderer.draw(scene, self.target)
        picture = self.target.read()
        if scene.display.joint_names:
            from .joint_labels import draw_joint_names  # Pillow, which other pictures do without

            picture = draw_joint_names(picture, scene)
        return picture

    def release(self) -> None:
        """Free everything, the context too."""
        self.renderer.release()
        self.target.release()
        self.context.release()


def render_image(
    source: str | Path | bytes | Model,
    *,
    clip: int = 0,
    time: float = 0.0,
    size: tuple[int, int] = SIZE,
    samples: int = 4,
) -> U8:
    """Return a picture [H, W, 4] of a model at `time` seconds of a clip (-1: the rest pose).

    Raises
    ------
    AppError
        The file cannot be read, or there is no OpenGL.
    """
    model = source if isinstance(source, Model) else load(source)
    scene = Scene()
    character = scene.show(model)
    character.play(clip if clip < len(model.clips) else -1, 0.0, passes=1)
    painter = Painter(size, samples)
    try:
        scene.frame(painter.aspect)
        scene.update(time)
        return painter.paint(scene)
    finally:
        painter.release()
