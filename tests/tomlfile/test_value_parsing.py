import math

import pytest

from rigview.tomlfile import value_parsing


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (value_parsing.number, "-1.5", -1.5),
        (value_parsing.positive, "24", 24.0),
        (value_parsing.field_of_view, "60", 60.0),
        (value_parsing.stops, "-1.5", -1.5),
        (value_parsing.numbers, "-1,2,3e-1", (-1.0, 2.0, 0.3)),
        (value_parsing.phases, "0,0.5,1", (0.0, 0.5, 1.0)),
        (value_parsing.whole_numbers, "-3,7", (-3, 7)),
        (value_parsing.natural_numbers, "0,7", (0, 7)),
        (value_parsing.whole_number_from(1, 8), "8", 8),
        (value_parsing.size, "800,600", (800, 600)),
        (value_parsing.size, "800x600", (800, 600)),
        (value_parsing.size, "800X600", (800, 600)),
        (value_parsing.vector, "0,1,-2", (0.0, 1.0, -2.0)),
        (value_parsing.frame_range, "0..4", range(5)),
        (value_parsing.frame_range, "0..4:2", range(0, 5, 2)),
        (value_parsing.frame_range, "-2..-1", range(-2, 0)),
        (value_parsing.frame_range, "3..3", range(3, 4)),
        (value_parsing.loop_mode, "once", ("loop", 1.0)),
        (value_parsing.loop_mode, "loop", ("loop", math.inf)),
        (value_parsing.loop_mode, "3", ("loop", 3.0)),
        (value_parsing.loop_mode, "pingpong", ("pingpong", math.inf)),
        (value_parsing.loop_mode, "pingpong:2", ("pingpong", 2.0)),
        (value_parsing.colour, "#fff", (1.0, 1.0, 1.0, 1.0)),
        (value_parsing.colour, "#ff000080", (1.0, 0.0, 0.0, 128 / 255)),
        (value_parsing.colour, "#336699", (0.2, 0.4, 0.6, 1.0)),
        (value_parsing.colour, "White", (1.0, 1.0, 1.0, 1.0)),
        (value_parsing.colour, "rebeccapurple", (0.4, 0.2, 0.6, 1.0)),
    ],
)
def test_reads(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "word"),
    [
        (value_parsing.number, "fast", "number"),
        (value_parsing.number, "nan", "finite"),
        (value_parsing.number, "inf", "finite"),
        (value_parsing.number, "1e16", "beyond"),
        (value_parsing.natural_numbers, "9" * 400, "beyond"),
        (value_parsing.stops, "65", "-64 to 64"),
        (value_parsing.loop_mode, "9" * 400, "pingpong:N"),
        (value_parsing.positive, "0", "above 0"),
        (value_parsing.field_of_view, "180", "180"),
        (value_parsing.numbers, "1,,2", "number"),
        (value_parsing.phases, "1.01", "0 to 1"),
        (value_parsing.whole_numbers, "1.5", "whole"),
        (value_parsing.natural_numbers, "3,-1", "below 0"),
        (value_parsing.whole_number_from(1, 8), "9", "from 1 to 8"),
        (value_parsing.size, "800", "width"),
        (value_parsing.size, "0x600", "from 1"),
        (value_parsing.size, "800x99999", "99999"),
        (value_parsing.vector, "1,2", "three"),
        (value_parsing.frame_range, "5", "range"),
        (value_parsing.frame_range, "4..0", "ends before"),
        (value_parsing.frame_range, "0..4:0", "step"),
        (value_parsing.frame_range, "a..4", "whole"),
        (value_parsing.frame_range, "0..99999999", "frames"),
        (value_parsing.loop_mode, "0", "pingpong:N"),
        (value_parsing.loop_mode, "1.5", "pingpong:N"),
        (value_parsing.loop_mode, "sometimes", "pingpong:N"),
        (value_parsing.colour, "#ff", "colour"),
        (value_parsing.colour, "#gggggg", "colour"),
        (value_parsing.colour, "#+f+f+f", "colour"),
        (value_parsing.colour, "fff", "colour"),
        (value_parsing.colour, "no colour", "colour"),
    ],
)
def test_invalid_values_raise_a_message(read, text, word):
    with pytest.raises(ValueError, match=word):
        read(text)
