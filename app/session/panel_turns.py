"""Which panels beside the scene are drawn in a frame: while a clip plays, they take turns."""

from dataclasses import dataclass, field

SETTLING = 3  # frames after a change in which all panels are drawn, to find their final layout
# of two frames, the one that draws a panel
TURNS = {"Clips": 0, "Mixer": 0, "Curves": 0, "Right": 1, "Column": 0, "Playback": 1}


@dataclass(slots=True)
class PanelTurns:
    """Decides which panels are drawn; the others show what they drew last.

    Attributes
    ----------
    taken
        Whether panels take turns in this frame; else all are drawn.
    """

    taken: bool = False
    _turn: int = 0
    _settling: int = SETTLING
    _numbers: tuple[float, ...] = ()
    _objects: tuple[object, ...] = ()
    _places: dict[str, tuple[object, ...]] = field(default_factory=dict)

    def begin(
        self, *, playing: bool, touched: bool, numbers: tuple[float, ...], of: tuple[object, ...]
    ) -> None:
        """Begin a frame.

        Parameters
        ----------
        playing
            Whether more frames follow at once, so that what a panel shows is late by one at most.
        touched
            Whether mouse or keys may change panels other than the one under the pointer.
        numbers, of
            What all panels depend on: numbers, and objects, which change by being replaced.
        """
        same = len(of) == len(self._objects) and all(map(_same, of, self._objects))
        if not same or touched or not playing or numbers != self._numbers:
            self._settling = SETTLING
            self._numbers, self._objects = numbers, of
        self.taken, self._settling = self._settling == 0, max(self._settling - 1, 0)
        self._turn = 1 - self._turn

    def due(self, name: str) -> bool:
        """Return whether it is a panel's turn in this frame."""
        return not self.taken or TURNS.get(name) == self._turn

    def keeps(self, name: str, place: tuple[object, ...]) -> bool:
        """Return whether a panel shows what it drew last, as it is not its turn.

        A panel without a turn is drawn where its place changes only.

        Parameters
        ----------
        place
            Where the panel is, and its size.
        """
        moved = self._places.get(name) != place
        self._places[name] = place
        return not (moved or self.due(name))

    def forget(self, name: str) -> None:
        """Draw a panel in the next frame, also if it is not its turn."""
        self._places.pop(name, None)


def _same(one: object, other: object) -> bool:
    return one is other
