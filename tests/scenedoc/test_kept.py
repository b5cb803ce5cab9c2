"""Values that are kept until what they depend on changes."""

import numpy as np
import pytest

from rigview.scenedoc.kept import Kept
from rigview.scenedoc.look import Overlays


@pytest.fixture
def kept():
    found = []

    def find(*given):
        found.append(given)
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


def test_arguments_are_held_so_that_identities_stay_theirs(kept):
    assert [kept(np.zeros(3)) for _ in range(5)] == [1, 2, 3, 4, 5]


def test_forgotten(kept):
    kept(1)
    kept.forget()
    assert kept(1) == 2
