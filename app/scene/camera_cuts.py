"""Camera cuts: the cameras of a file that a motion cuts to."""

from dataclasses import dataclass


@dataclass(slots=True)
class CameraCuts:
    """The last cut of the active character's motion.

    Attributes
    ----------
    cut
        Index of the camera of the last cut, -1: the free camera; None: no cut.
    uncut
        The camera in use before the first cut.
    """

    cut: int | None = None
    uncut: int = -1

    def camera(self, cut: int | None, current: int) -> int:
        """Return the camera to use after a cut; between cuts the user may change `current`."""
        if cut == self.cut:
            return current
        if self.cut is None:
            self.uncut = current
        self.cut = cut
        return self.uncut if cut is None else cut
