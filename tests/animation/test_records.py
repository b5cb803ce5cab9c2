"""Records behave as the dataclasses of the standard library do."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from functools import cached_property

import pytest

from rigview.animation.records import record


@record(frozen=True, slots=True)
class Frozen:
    """A record with every kind of field."""

    number: int
    items: tuple[int, ...] = (1, 2)
    names: list[str] = field(default_factory=list)
    text: str = field(default="", compare=False, repr=False)
    kept: int = field(default=7, init=False)


@record(slots=True)
class Mutable:
    """A record that changes, and completes itself."""

    low: float
    high: float = 1.0
    size: float = field(init=False)

    def __post_init__(self) -> None:
        self.size = self.high - self.low


@record(frozen=True, eq=False)
class ByIdentity:
    """A record that is equal to itself only."""

    values: list[int] = field(default_factory=list)

    @cached_property
    def total(self) -> int:
        return sum(self.values)


@record(frozen=True, slots=True)
class Point:
    """A record whose fields have hashes."""

    x: int = 0


@record(frozen=True, slots=True)
class Further(Point):
    """A record that extends another."""

    y: int = 0


def test_fields_are_set_compared_and_shown():
    one, same = Frozen(1, names=["a"]), Frozen(1, (1, 2), ["a"], "more")
    assert one == same
    assert one != Frozen(2, names=["a"])
    assert one != (1, (1, 2), ["a"])
    assert Frozen(1).names is not Frozen(1).names
    assert repr(one).endswith("Frozen(number=1, items=(1, 2), names=['a'], kept=7)")
    assert [each.name for each in fields(one)] == ["number", "items", "names", "text", "kept"]
    assert replace(one, number=3) == Frozen(3, names=["a"])
    assert asdict(Mutable(0.25)) == {"low": 0.25, "high": 1.0, "size": 0.75}
    with pytest.raises(TypeError, match="missing 1 required"):
        Frozen()
    with pytest.raises(TypeError, match="unexpected keyword"):
        Frozen(1, kept=3)


@pytest.mark.parametrize("made", [Frozen(1), ByIdentity([1, 2]), Further(1, 2)])
def test_frozen_records_do_not_change(made):
    name = fields(made)[0].name
    with pytest.raises(FrozenInstanceError, match=name):
        setattr(made, name, 5)
    with pytest.raises(FrozenInstanceError, match=name):
        delattr(made, name)


def test_records_are_copied_between_processes():
    for one in (Frozen(1, names=["a"]), Mutable(0.5), Further(1, 2)):
        assert pickle.loads(pickle.dumps(one)) == one
        assert copy.deepcopy(one) == one


def test_equality_and_hashes_are_those_of_dataclasses():
    assert hash(Point(1)) == hash(Point(1))
    assert Further(1, 2) == Further(1, 2)
    assert Further(1) != Point(1)
    assert len({Further(1, 2), Further(1, 2), Further(1)}) == 2
    one = ByIdentity([1, 2])
    assert one == one
    assert one != ByIdentity([1, 2])
    assert one.total == 3
    assert hash(one) != hash(ByIdentity([1, 2]))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Mutable(0.0))
    assert Further.__match_args__ == ("x", "y")
