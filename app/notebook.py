"""Pictures in notebooks, which show what `_repr_png_` of an object returns (IPython)."""

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
