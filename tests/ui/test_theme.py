"""Both themes can be read: contrast as WCAG 2.1 (success criteria 1.4.3, 1.4.11) computes it."""

import pytest

from rigview.ui.theme import THEMES
from tests.support.contrast import contrast


@pytest.mark.parametrize("name", THEMES)
def test_text_contrast(name):
    palette = THEMES[name]
    for ground in (palette.panel, palette.bar, palette.field, palette.face):
        assert contrast(palette.text, ground) >= 7.0
    for ground in (palette.panel, palette.bar):
        assert contrast(palette.quiet, ground) >= 4.5
        assert contrast(palette.warning, ground) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_widget_contrast(name):
    palette = THEMES[name]
    assert contrast(palette.tick, palette.accent) >= 2.8
    assert contrast(palette.knob, palette.rail) >= 3.0
    assert contrast(palette.accent, palette.panel) >= 3.0
    for line in palette.series:
        assert contrast(line, palette.face) >= 3.0
