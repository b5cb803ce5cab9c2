"""The seam of compiled poses: what computes poses faster than numpy, if anything does.

Nothing here is compiled: numpy is the reference, and computes all that is written or compared. The
window uses `Poser` in its own thread while frames are drawn.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import get_ident
from typing import Protocol

from .clip import Clip
from .pose import Pose
from .skeleton import Skeleton
from .skin import Skin
from .types import F32, F64, I64


class Poser(Protocol):
    """Poses characters with one skeleton and its skins."""

    def sample(self, clip: Clip, time: F64, out: Pose) -> None:
        """Write a clip at times [...] into poses [...]; values without a track stay."""

    def place(self, pose: Pose, matrices: F32, palettes: Sequence[F32]) -> None:
        """Write the matrices [J, 4, 4] and the palettes [S, 3, 4] of a pose without a batch."""

    def pose(
        self,
        clip: Clip,
        times: F64,
        members: I64,
        matrices: F32,
        palettes: Sequence[F32],
        values: F32,
    ) -> None:
        """Sample a clip at times [B] and fill the rows [B] of a crowd."""


MakePoser = Callable[[Skeleton, Sequence[Skin]], Poser]
_maker: MakePoser | None = None
_thread = 0  # that uses it


def use(maker: MakePoser | None) -> None:
    """Compute the poses of this thread with posers of `maker` from now on; None: with numpy."""
    global _maker, _thread
    _maker, _thread = maker, get_ident()


def poser_maker() -> MakePoser | None:
    """Return what makes posers in this thread, None: numpy computes poses."""
    return _maker if _maker is not None and get_ident() == _thread else None


@contextmanager
def numpy_only() -> Iterator[None]:
    """Compute poses with numpy, for a picture that is the same with and without compiled ones."""
    global _maker
    kept, _maker = _maker, None
    try:
        yield
    finally:
        _maker = kept


class PoserOf:
    """The poser of a skeleton and its skins, made when it is first used."""

    def __init__(self, skeleton: Skeleton, skins: Sequence[Skin]) -> None:
        self._rig = skeleton, skins
        self._made: tuple[MakePoser, Poser] | None = None

    def get(self) -> Poser | None:
        """Return the poser, None: numpy computes poses."""
        maker = poser_maker()
        if maker is None:
            return None
        if self._made is None or self._made[0] is not maker:
            self._made = maker, maker(*self._rig)
        return self._made[1]
