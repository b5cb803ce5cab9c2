import pickle
from dataclasses import FrozenInstanceError, field, replace

import pytest

from rigview.fields.record import record


@record(frozen=True)
class Inner:
    size: int = 1
    table: dict = field(default=None)


@record(frozen=True)
class Outer:
    name: str = ""
    inner: Inner = Inner()
    key: int = field(default=0, compare=False)


@record(frozen=True)
class Other:
    name: str = ""
    inner: Inner = Inner()


def test_records_with_equal_fields_are_equal():
    assert Outer(name="a", inner=Inner(size=2)) == Outer(name="a", inner=Inner(size=2))
    assert Outer(name="a") != Outer(name="b")
    assert Outer(inner=Inner(size=2)) != Outer()
    assert Outer() != Other()


def test_a_field_that_is_not_compared_makes_no_difference():
    assert Outer(key=1) == Outer(key=2)


def test_a_record_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Outer().name = "a"


def test_equal_records_have_one_hash():
    assert hash(Outer(name="a", key=1)) == hash(Outer(name="a", key=2))
    with pytest.raises(TypeError):
        hash(Inner(table={}))


def test_an_unknown_field_is_refused():
    with pytest.raises(TypeError, match="Outer has no field colour"):
        Outer(colour="red")


def test_the_text_names_what_is_not_a_default():
    assert repr(Outer(name="a", inner=Inner(size=2))) == "Outer(name='a', inner=Inner(size=2))"


def test_a_record_is_copied_and_pickled():
    given = Outer(name="a", inner=Inner(size=2))
    assert pickle.loads(pickle.dumps(given)) == given
    assert replace(given, name="b").inner is given.inner
