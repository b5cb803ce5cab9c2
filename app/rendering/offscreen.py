"""Rendering without a window."""

from ..animation.types import F32, U8
from ..scene.scene import Scene
from .context import create_context, is_software, processor
from .render_target import LinearTarget, Target
from .renderer import Renderer

SIZE = (1024, 1024)  # default width and height of a picture, pixels


class OffscreenRenderer:
    """A context, a renderer and a target without a window.

    Parameters
    ----------
    size
        Width and height, pixels.
    samples
        Samples per pixel.
    linear
        Whether it draws light before tone mapping.
    """

    def __init__(
        self, size: tuple[int, int] = SIZE, samples: int = 4, *, linear: bool = False
    ) -> None:
        self.context = create_context()
        self.renderer = Renderer(self.context, linear=linear)
        self.target = (LinearTarget if linear else Target)(self.context, size, samples)

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.target.size[0] / self.target.size[1]

    def resize(self, size: tuple[int, int], samples: int) -> None:
        """Change the size and samples of the pictures.

        Raises
        ------
        ContextError
            The driver cannot allocate them; the size is unchanged.
        """
        if (size, samples) != (self.target.size, self.target.samples):
            target = type(self.target)(self.context, size, samples)
            self.target.release()
            self.target = target

    @property
    def made_by(self) -> str:
        """Name and version of the OpenGL driver; of a software renderer also the processor."""
        info = self.context.info
        driver = f"{info['GL_RENDERER']} {info['GL_VERSION']}"
        return f"{driver} on {processor()}" if is_software(self.context) else driver

    def render(self, scene: Scene, *, swatches: bool = True) -> U8:
        """Return the picture [H, W, 4] of a scene as of its last update, uint8, straight alpha.

        `swatches` draws the legend of the colours of the mesh.
        """
        self.renderer.draw(scene, self.target)
        picture = self.target.read()
        if scene.look.overlays.joint_names:
            from .joint_labels import draw_joint_names  # imports Pillow only if needed

            picture = draw_joint_names(picture, scene)
        if swatches and scene.swatches:
            from .joint_labels import draw_swatches

            picture = draw_swatches(picture, scene)
        return picture

    def still(self, scene: Scene) -> U8 | F32:
        """Return a picture as `render` does; a linear renderer's as light, premultiplied."""
        if not isinstance(self.target, LinearTarget):
            return self.render(scene)
        self.renderer.draw(scene, self.target)
        light = self.target.read_light()
        if scene.look.overlays.joint_names:
            from ..images.exr import as_displayed, as_light
            from .joint_labels import draw_joint_names

            shown = as_displayed(light)
            labelled = draw_joint_names(shown, scene)
            changed = (labelled != shown).any(axis=-1)
            light[changed] = as_light(labelled[changed])
        return light

    def release(self) -> None:
        """Free all GPU objects and the context."""
        self.renderer.release()
        self.target.release()
        self.context.release()
