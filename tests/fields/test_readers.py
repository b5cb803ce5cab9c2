import math

import pytest

from rigview.fields import readers


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (readers.number, "-1.5", -1.5),
        (readers.positive, "24", 24.0),
        (readers.field_of_view, "60", 60.0),
        (readers.stops, "-1.5", -1.5),
        (readers.numbers, "-1,2,3e-1", (-1.0, 2.0, 0.3)),
        (readers.phases, "0,0.5,1", (0.0, 0.5, 1.0)),
        (readers.whole_numbers, "-3,7", (-3, 7)),
        (readers.natural_numbers, "0,7", (0, 7)),
        (readers.whole_number_from(1, 8), "8", 8),
        (readers.size, "800,600", (800, 600)),
        (readers.size, "800x600", (800, 600)),
        (readers.size, "800X600", (800, 600)),
        (readers.vector, "0,1,-2", (0.0, 1.0, -2.0)),
        (readers.frame_range, "0..4", range(5)),
        (readers.frame_range, "0..4:2", range(0, 5, 2)),
        (readers.frame_range, "-2..-1", range(-2, 0)),
        (readers.frame_range, "3..3", range(3, 4)),
        (readers.times, "0,0.5", (0.0, 0.5)),
        (readers.times, 0.5, (0.5,)),
        (readers.times, "-1..2", readers.TimeRange(-1.0, 2.0, None)),
        (readers.times, "0..1:0.25", readers.TimeRange(0.0, 1.0, 0.25)),
        (readers.loop_mode, "once", ("loop", 1.0)),
        (readers.loop_mode, "loop", ("loop", math.inf)),
        (readers.loop_mode, "3", ("loop", 3.0)),
        (readers.loop_mode, "pingpong", ("pingpong", math.inf)),
        (readers.loop_mode, "pingpong:2", ("pingpong", 2.0)),
        (readers.colour, "#fff", (1.0, 1.0, 1.0, 1.0)),
        (readers.colour, "#ff000080", (1.0, 0.0, 0.0, 128 / 255)),
        (readers.colour, "#336699", (0.2, 0.4, 0.6, 1.0)),
        (readers.colour, "White", (1.0, 1.0, 1.0, 1.0)),
        (readers.colour, "rebeccapurple", (0.4, 0.2, 0.6, 1.0)),
    ],
)
def test_reads(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "word"),
    [
        (readers.number, "fast", "number"),
        (readers.number, "nan", "finite"),
        (readers.number, "inf", "finite"),
        (readers.number, "1e16", "beyond"),
        (readers.natural_numbers, "9" * 400, "beyond"),
        (readers.stops, "65", "-64 to 64"),
        (readers.loop_mode, "9" * 400, "pingpong:N"),
        (readers.positive, "0", "above 0"),
        (readers.field_of_view, "180", "180"),
        (readers.numbers, "1,,2", "number"),
        (readers.phases, "1.01", "0 to 1"),
        (readers.whole_numbers, "1.5", "whole"),
        (readers.natural_numbers, "3,-1", "below 0"),
        (readers.whole_number_from(1, 8), "9", "from 1 to 8"),
        (readers.size, "800", "width"),
        (readers.size, "0x600", "from 1"),
        (readers.size, "800x99999", "99999"),
        (readers.vector, "1,2", "three"),
        (readers.frame_range, "5", "range"),
        (readers.frame_range, "4..0", "ends before"),
        (readers.frame_range, "0..4:0", "step"),
        (readers.frame_range, "a..4", "whole"),
        (readers.frame_range, "0..99999999", "frames"),
        (readers.times, "1..0", "ends before"),
        (readers.times, "0..1:0", "above 0"),
        (readers.times, "0..b", "number"),
        (readers.times, "0..1:0.1,2", "number"),
        (readers.loop_mode, "0", "pingpong:N"),
        (readers.loop_mode, "1.5", "pingpong:N"),
        (readers.loop_mode, "sometimes", "pingpong:N"),
        (readers.colour, "#ff", "colour"),
        (readers.colour, "#gggggg", "colour"),
        (readers.colour, "#+f+f+f", "colour"),
        (readers.colour, "fff", "colour"),
        (readers.colour, "no colour", "colour"),
    ],
)
def test_invalid_values_raise_a_message(read, text, word):
    with pytest.raises(ValueError, match=word):
        read(text)
