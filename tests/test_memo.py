"""Results of functions, kept until an argument changes."""

import weakref

import numpy as np
import pytest

from rigview.memo import Memo
from rigview.scenedoc.look import Overlays


@pytest.fixture
def memo():
    found = []

    def find(*given, **named):
        found.append((given, named))
        return len(found)

    return Memo(find)


def test_numbers_and_texts_are_compared_by_value(memo):
    assert memo(1.5, "Walk", None) == memo(3.0 / 2.0, "".join(["Wa", "lk"]), None) == 1
    assert memo(1.5, "Run", None) == 2
    assert memo(1, "Run", None) != memo(1.0, "Run", None), "numbers of two types"


def test_records_and_arrays_are_compared_by_identity(memo):
    one = np.zeros(3)
    assert memo(one) == memo(one) == 1
    assert memo(np.zeros(3)) == 2
    assert memo(Overlays()) != memo(Overlays())


def test_items_of_tuples_are_compared_one_by_one(memo):
    array = np.zeros(3)
    assert memo((array, 2, ("a",))) == memo((array, 2, ("a",))) == 1
    assert memo((array, 2)) == 2


def test_numbers_in_tuples_are_compared_by_value(memo):
    assert memo((0.5, 1)) == memo((1.0 / 2.0, 1)) == 1
    assert memo((0.5, True)) == 2
    assert memo((0.5,)) == 3


def test_frozen_sets_are_compared_by_value(memo):
    assert memo(frozenset({3, 700}), "arm") == memo(frozenset({700, 3}), "arm") == 1
    assert memo(frozenset({3}), "arm") == 2


def test_sub_classes_of_numbers_are_compared_by_value(memo):
    assert memo(np.float64(0.5)) == memo(np.float64(0.5)) == 1
    assert memo(0.5) == 2


def test_as_many_arguments_and_their_names_belong_to_the_result(memo):
    assert memo(1, 2) == memo(1, 2) == 1
    assert memo(1) == 2
    assert memo(1, first=True) == memo(1, first=True) == 3
    assert memo(1, first=False) == 4
    assert memo(1, last=False) == 5


def test_an_error_is_not_a_result():
    memo = Memo(lambda number: 1 / number)
    assert memo(1) == 1
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            memo(0)
    assert memo(1) == 1


def test_arguments_are_held_so_that_identities_stay_theirs(memo):
    assert [memo(np.zeros(3)) for _ in range(5)] == [1, 2, 3, 4, 5]


def test_forgotten(memo):
    memo(1)
    memo.forget()
    assert memo(1) == 2


def test_nothing_is_held_when_forgotten():
    array = np.zeros(3)
    memo = Memo(lambda given: given)
    memo(array)
    held = weakref.ref(array)
    del array
    assert held() is not None
    memo.forget()
    memo.forget()
    assert held() is None
