"""Charts of curves as SVG and as pixels."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.curves.chart import COLORS, Drawing, Label, Markers, Stroke, dashes, draw
from rigview.curves.from_tracks import joint_curves
from tests.support.clips import about, make_track
from tests.support.models import make_model, square

SVG = "{http://www.w3.org/2000/svg}"


def curves(*made, name="Walk & <talk>", **options):
    return joint_curves(make_model([square()]), Clip.of(name, made), 0, **options)


def move(interpolation="LINEAR", tangents=None):
    rows = [[0, 0.2, 1], [1, 0.4, 0.5], [0.5, 0.1, 0]]
    return make_track("translation", interpolation, [0.5, 1, 2], rows, tangents)


def turn():
    return make_track("rotation", "LINEAR", [0, 2], [about([0, 0, 1], 0), about([0, 0, 1], 90)])


def words(drawing):
    return [item.text for item in drawing.items if isinstance(item, Label)]


def test_everything_is_labelled():
    found = words(draw(curves(move(), turn()), note="file.glb"))
    assert {"Joint 0 in Walk & <talk>", "file.glb", "seconds"} <= set(found)
    assert {"Translation (local, m)", "Rotation (local, °)"} <= set(found)
    assert "LINEAR, 3 keys" in found
    assert found.count("X") == found.count("Y") == found.count("Z") == 2
    assert {"0.5", "1", "90"} & set(found)


def test_svg_is_valid_xml_with_its_size():
    drawing = draw(curves(move(), turn()), (640, 480))
    root = ET.fromstring(drawing.svg())
    assert (root.get("width"), root.get("height")) == ("640", "480")
    assert root.find(f"{SVG}title").text == "Joint 0 in Walk & <talk>"
    places = [
        tuple(map(float, pair.split(",")))
        for line in root.iter(f"{SVG}polyline")
        for pair in line.get("points").split()
    ]
    xs, ys = zip(*places, strict=True)
    assert min(xs) >= 0
    assert max(xs) <= 640
    assert min(ys) >= 0
    assert max(ys) <= 480


def test_control_characters_are_replaced():
    drawing = draw(curves(move(), name="a\x00b\x1b"))
    assert ET.fromstring(drawing.svg()).find(f"{SVG}title").text == "Joint 0 in a�b�"


def test_lines_differ_in_dash_and_marker_too():
    items = draw(curves(move())).items
    strokes = {i.color: i.dash for i in items if isinstance(i, Stroke) and i.width > 1.5}
    marks = {i.color: i.kind for i in items if isinstance(i, Markers)}
    for kinds in (strokes, marks):
        assert set(kinds) == set(COLORS[:3])
        assert len(set(kinds.values())) == 3


def test_positions_of_keys():
    """0.5 s and 2 s of 2 s are at a quarter and at the end of the axis."""
    drawing = draw(curves(move()), (1000, 400))
    keys = next(i.points for i in drawing.items if isinstance(i, Markers))
    axis = max(
        (i.points for i in drawing.items if isinstance(i, Stroke)), key=lambda p: np.ptp(p[:, 0])
    )
    left, right = axis[:, 0]
    np.testing.assert_allclose(keys[:, 0], left + (right - left) * np.array([0.25, 0.5, 1]))
    assert keys[1, 1] < keys[2, 1] < keys[0, 1]  # 1, 0.5, 0 m: up is up


def test_hold_before_the_first_key_is_dotted():
    def dotted(drawing):
        strokes = [i for i in drawing.items if isinstance(i, Stroke) and i.dash == (1.5, 3)]
        return len(strokes)

    assert dotted(draw(curves(move()))) == 3
    assert dotted(draw(curves(move(), begin=0.5))) == 0
    assert dotted(draw(curves(move(), make_track("scale", "LINEAR", [0, 4], [[1, 1, 1]] * 2)))) == 6


def test_handles_are_drawn_for_cubic_tracks():
    tangents = [[[1, 0, 0], [1, 0, 0]]] * 3
    rings = [
        i
        for i in draw(curves(move("CUBICSPLINE", tangents))).items
        if isinstance(i, Markers) and i.kind == "ring"
    ]
    assert [len(ring.points) for ring in rings] == [4, 4, 4]
    assert not any(isinstance(i, Markers) and i.kind == "ring" for i in draw(curves(move())).items)


def test_dense_keys_are_not_drawn():
    times = np.arange(2000) / 100
    rows = np.stack([np.sin(times)] * 3, axis=1)
    track = make_track("translation", "LINEAR", times, rows)
    marks = [i for i in draw(curves(track)).items if isinstance(i, Markers)]
    assert {len(mark.points) for mark in marks} == {1}  # only those beside the names


def test_axis_starting_after_keys():
    track = make_track("translation", "LINEAR", [-1, 1], [[0, 0, 0], [2, 0, 0]])
    drawing = draw(curves(track, begin=0.0), (1000, 400))
    line = next(i for i in drawing.items if isinstance(i, Stroke) and i.width > 1.5)
    axis = min(i.points[0, 0] for i in drawing.items if isinstance(i, Stroke) and i.width == 1)
    assert line.points[0, 0] == pytest.approx(axis)
    marks = next(i for i in drawing.items if isinstance(i, Markers))
    assert len(marks.points) == 1


def test_pixels_show_the_lines():
    drawing = draw(curves(move(), turn()), (500, 400))
    picture = drawing.pixels()
    assert picture.shape == (400, 500, 4)
    assert (picture[0, 0] == 255).all()
    for color in COLORS[:3]:
        wanted = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
        near = np.abs(picture[..., :3].astype(int) - wanted).max(axis=-1) < 24
        assert near.sum() > 60, color


def test_small_picture_has_its_lanes():
    picture = draw(curves(move(), turn()), (160, 120)).pixels()
    assert picture.shape == (120, 160, 4)


def test_dashes_cover_half_a_line():
    line = np.array([[0.0, 0], [10, 0], [10, 10]])
    pieces = list(dashes(line, (4, 6)))
    assert [piece.tolist() for piece in pieces] == [[[0, 0], [4, 0]], [[10, 0], [10, 4]]]
    around = list(dashes(line, (12, 2)))
    assert around[0].tolist() == [[0, 0], [10, 0], [10, 2]]


def test_numbers_are_short():
    drawing = Drawing(10, 10, "#ffffff", "t")
    drawing.line(-0.001, 1.5, 2, 3.14159, "#000000", 1)
    assert 'points="0,1.5 2,3.14"' in drawing.svg()
    assert not re.search(r"\d\.\d{3}", drawing.svg())
