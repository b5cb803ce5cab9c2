from rigview.tasks.report_entry import HEAD, PLAYED, shares


def test_rows_are_shared_by_their_pictures():
    assert shares([5, 90, 20, 40], 1) == [[0, 1, 2, 3]]
    assert shares([40, 90, 40, 20], 2) == [[0, 3], [1, 2]]
    assert shares([HEAD], 2) == [[], [0]]
    assert shares([], 2) == [[], []]
    assert shares([PLAYED - HEAD, 1, 2], 2, plays=True) == [[0, 2], [1]]
