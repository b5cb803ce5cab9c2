import math

import pytest

from rigview.tomlfile import value_parsing as values


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (values.number, "-1.5", -1.5),
        (values.positive, "24", 24.0),
        (values.angle_of_view, "60", 60.0),
        (values.stops, "-1.5", -1.5),
        (values.numbers, "-1,2,3e-1", (-1.0, 2.0, 0.3)),
        (values.phases, "0,0.5,1", (0.0, 0.5, 1.0)),
        (values.wholes, "-3,7", (-3, 7)),
        (values.counts, "0,7", (0, 7)),
        (values.whole_from(1, 8), "8", 8),
        (values.size, "800,600", (800, 600)),
        (values.size, "800x600", (800, 600)),
        (values.size, "800X600", (800, 600)),
        (values.vector, "0,1,-2", (0.0, 1.0, -2.0)),
        (values.frame_range, "0..4", range(5)),
        (values.frame_range, "0..4:2", range(0, 5, 2)),
        (values.frame_range, "-2..-1", range(-2, 0)),
        (values.frame_range, "3..3", range(3, 4)),
        (values.loop_mode, "once", ("loop", 1.0)),
        (values.loop_mode, "loop", ("loop", math.inf)),
        (values.loop_mode, "3", ("loop", 3.0)),
        (values.loop_mode, "pingpong", ("pingpong", math.inf)),
        (values.loop_mode, "pingpong:2", ("pingpong", 2.0)),
        (values.colour, "#fff", (1.0, 1.0, 1.0, 1.0)),
        (values.colour, "#ff000080", (1.0, 0.0, 0.0, 128 / 255)),
        (values.colour, "#336699", (0.2, 0.4, 0.6, 1.0)),
        (values.colour, "White", (1.0, 1.0, 1.0, 1.0)),
        (values.colour, "rebeccapurple", (0.4, 0.2, 0.6, 1.0)),
    ],
)
def test_reads(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "word"),
    [
        (values.number, "fast", "number"),
        (values.number, "nan", "finite"),
        (values.number, "inf", "finite"),
        (values.number, "1e16", "beyond"),
        (values.counts, "9" * 400, "beyond"),
        (values.stops, "65", "-64 to 64"),
        (values.loop_mode, "9" * 400, "pingpong:N"),
        (values.positive, "0", "above 0"),
        (values.angle_of_view, "180", "180"),
        (values.numbers, "1,,2", "number"),
        (values.phases, "1.01", "0 to 1"),
        (values.wholes, "1.5", "whole"),
        (values.counts, "3,-1", "below 0"),
        (values.whole_from(1, 8), "9", "from 1 to 8"),
        (values.size, "800", "width"),
        (values.size, "0x600", "from 1"),
        (values.size, "800x99999", "99999"),
        (values.vector, "1,2", "three"),
        (values.frame_range, "5", "range"),
        (values.frame_range, "4..0", "ends before"),
        (values.frame_range, "0..4:0", "step"),
        (values.frame_range, "a..4", "whole"),
        (values.frame_range, "0..99999999", "frames"),
        (values.loop_mode, "0", "pingpong:N"),
        (values.loop_mode, "1.5", "pingpong:N"),
        (values.loop_mode, "sometimes", "pingpong:N"),
        (values.colour, "#ff", "colour"),
        (values.colour, "#gggggg", "colour"),
        (values.colour, "#+f+f+f", "colour"),
        (values.colour, "fff", "colour"),
        (values.colour, "no colour", "colour"),
    ],
)
def test_refuses_with_a_sentence(read, text, word):
    with pytest.raises(ValueError, match=word):
        read(text)
