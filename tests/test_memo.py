"""Values that are kept until what they depend on changes."""

import weakref

import numpy as np
import pytest

from rigview.scenedoc.kept import Kept
from rigview.scenedoc.look import Overlays


@pytest.fixture
def kept():
    found = []

    def find(*given, **named):
        found.append((given, named))
        return len(found)

    return Kept(find)


def test_numbers_and_texts_are_compared_by_value(kept):
    assert kept(1.5, "Walk", None) == kept(3.0 / 2.0, "".join(["Wa", "lk"]), None) == 1
    assert kept(1.5, "Run", None) == 2
    assert kept(1, "Run", None) != kept(1.0, "Run", None), "numbers of two types"


def test_records_and_arrays_are_compared_by_identity(kept):
    one = np.zeros(3)
    assert kept(one) == kept(one) == 1
    assert kept(np.zeros(3)) == 2
    assert kept(Overlays()) != kept(Overlays())


def test_items_of_tuples_are_compared_one_by_one(kept):
    array = np.zeros(3)
    assert kept((array, 2, ("a",))) == kept((array, 2, ("a",))) == 1
    assert kept((array, 2)) == 2


def test_numbers_in_tuples_are_compared_by_value(kept):
    assert kept((0.5, 1)) == kept((1.0 / 2.0, 1)) == 1
    assert kept((0.5, True)) == 2
    assert kept((0.5,)) == 3


def test_frozen_sets_are_compared_by_value(kept):
    assert kept(frozenset({3, 700}), "arm") == kept(frozenset({700, 3}), "arm") == 1
    assert kept(frozenset({3}), "arm") == 2


def test_sub_classes_of_numbers_are_compared_by_value(kept):
    assert kept(np.float64(0.5)) == kept(np.float64(0.5)) == 1
    assert kept(0.5) == 2


def test_as_many_arguments_and_their_names_belong_to_the_result(kept):
    assert kept(1, 2) == kept(1, 2) == 1
    assert kept(1) == 2
    assert kept(1, first=True) == kept(1, first=True) == 3
    assert kept(1, first=False) == 4
    assert kept(1, last=False) == 5


def test_an_error_is_not_a_result():
    kept = Kept(lambda number: 1 / number)
    assert kept(1) == 1
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept(0)
    assert kept(1) == 1


def test_arguments_are_held_so_that_identities_stay_theirs(kept):
    assert [kept(np.zeros(3)) for _ in range(5)] == [1, 2, 3, 4, 5]


def test_forgotten(kept):
    kept(1)
    kept.forget()
    assert kept(1) == 2


def test_nothing_is_held_when_forgotten():
    array = np.zeros(3)
    kept = Kept(lambda given: given)
    kept(array)
    held = weakref.ref(array)
    del array
    assert held() is not None
    kept.forget()
    kept.forget()
    assert held() is None
