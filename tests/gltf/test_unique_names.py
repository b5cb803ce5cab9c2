import pytest

from rigview.gltf.unique_names import unique_names
from rigview.wording import printable


def rows(*names):
    return [{"name": name} if name is not None else {} for name in names]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), ()),
        (("Hips", "Head"), ("Hips", "Head")),
        ((None, "Head", ""), ("Joint 0", "Head", "Joint 2")),
        (("Walk", "Walk", "Walk"), ("Walk", "Walk #2", "Walk #3")),
        (("Walk", "Walk #2", "Walk"), ("Walk", "Walk #2", "Walk #3")),
        (("Walk", "Walk", "Walk #2"), ("Walk", "Walk #3", "Walk #2")),
        (("Joint 1", None), ("Joint 1", "Joint 1 #2")),
        (("頭\u3000", "a\nb\ud800"), ("頭\u3000", "a\ufffdb\ufffd")),
    ],
)
def test_names_are_unique_and_stable(given, named):
    assert unique_names(rows(*given), "Joint") == named


def test_preferred_indices_keep_their_name():
    assert unique_names(rows("Head", "Head", "Foot"), "Joint", preferred=[1]) == (
        "Head #2",
        "Head",
        "Foot",
    )


def test_many_equal_names_take_no_quadratic_time():
    assert len(set(unique_names(rows(*["x"] * 50_000), "Joint"))) == 50_000


def test_printable_is_one_line_of_utf8():
    text = printable("a\r\nb\x1b[31m\udcff")
    assert text.encode()
    assert len(text.splitlines()) == 1
