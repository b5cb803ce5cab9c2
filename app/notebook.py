"""What notebooks show of objects: `_repr_png_`, a picture, or `_repr_html_`, a page (IPython)."""

from importlib import import_module


class ShownAsPicture:
    """An object that notebooks show as a picture, and by its repr where it cannot be drawn."""

    __slots__ = ()

    def _repr_png_(self) -> bytes | None:
        """Return the picture, None without OpenGL or without the model to draw.

        What draws it is above the packages of the objects, and imported when it is asked for.
        """
        png: bytes | None = import_module(".tasks.notebook_pictures", __package__).picture(self)
        return png


class ShownAsPage(ShownAsPicture):
    """An object that plays in notebooks: a page in a frame that cannot reach the notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the frame, None without OpenGL or for a page that is too large for a cell."""
        drawn: str | None = import_module(".tasks.notebook_pictures", __package__).frame(self)
        return drawn
