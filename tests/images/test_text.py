"""Text in any script: system fonts are found by their characters and combined."""

import shutil

import numpy as np
import pytest
from imgui_bundle import imgui
from PIL import Image, ImageDraw

from rigview.cli.main import main
from rigview.images import fallback_fonts
from rigview.images import text as lettering
from rigview.images.text import TextRenderer
from rigview.ui.theme import ICON_FONT, TEXT_FONT
from rigview.window.imgui_backend import Gui
from tests.support.command_files import write_document
from tests.support.models import rod_model, show_model
from tests.support.sessions import new_session

LACKING = (
    "rigview: warning: no installed font has 狐; pictures have boxes: install one, such as Noto"
)
HOUSE, BELL = "\uf015", "\uf0f3"  # letters that only the font of icons has


@pytest.fixture
def own_fonts(tmp_path, monkeypatch):
    """A font folder with two fonts and a file that is not a font."""
    place = tmp_path / "fonts" / "deep"
    place.mkdir(parents=True)
    shutil.copy(ICON_FONT, place / "Icons-Bold.otf")
    shutil.copy(TEXT_FONT, place / "Text.ttf")
    (place / "Broken.ttf").write_bytes(b"no font")
    monkeypatch.setattr(fallback_fonts, "folders", lambda: [tmp_path / "fonts", tmp_path / "none"])
    caches = (
        fallback_fonts._files,
        fallback_fonts.has,
        fallback_fonts._opened,
        lettering._face,
        lettering._opened,
    )
    for cache in caches:
        cache.cache_clear()
    yield place
    for cache in caches:
        cache.cache_clear()


def drawn(text, size=24.0, anchor="la"):
    picture = Image.new("L", (300, 60))
    TextRenderer(size).write(ImageDraw.Draw(picture), (20, 30), text, anchor=anchor, fill=255)
    return np.asarray(picture)


def test_fonts_are_found_by_their_characters(own_fonts):
    assert fallback_fonts.covering([HOUSE]) == [own_fonts / "Icons-Bold.otf"]
    assert fallback_fonts.covering(["ж", HOUSE]) == [
        own_fonts / "Text.ttf",
        own_fonts / "Icons-Bold.otf",
    ]
    assert fallback_fonts.covering([]) == []
    assert fallback_fonts.covering(["\U00012000"]) == [], "cuneiform"
    assert not fallback_fonts.has(own_fonts / "Broken.ttf", "a")


@pytest.mark.parametrize("quiet", [(), ("--quiet",)], ids=["", "quiet"])
def test_letters_that_no_font_has_get_one_warning(own_fonts, tmp_path, capsys, quiet):
    file = write_document(tmp_path / f"ж{HOUSE}狐狐.gltf")
    small = ("--columns", "2", "--resolution", "32,32", "--samples", "1", *quiet)
    assert main(["sheet", str(file), "-o", str(tmp_path / "sheet.png"), *small]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "font" in line] == ([] if quiet else [LACKING])


def test_font_folders_of_the_system():
    assert fallback_fonts.folders()


def test_character_is_drawn_with_a_font_that_has_it(own_fonts):
    assert not np.array_equal(drawn(HOUSE), drawn(BELL)), "no boxes of a letter that no font has"
    both = drawn(f"Arm {HOUSE}")
    alone = drawn("Arm ")
    width = round(TextRenderer(24.0).length(ImageDraw.Draw(Image.new("L", (1, 1))), "Arm "))
    np.testing.assert_array_equal(both[:, : 20 + width - 2], alone[:, : 20 + width - 2])
    assert both[:, 20 + width :].any()


def test_ascii_text_uses_the_bundled_font(own_fonts):
    picture = Image.new("L", (300, 60))
    font = lettering.ImageFont.load_default(24.0)
    ImageDraw.Draw(picture).text((20, 30), "Left arm", fill=255, font=font)
    np.testing.assert_array_equal(drawn("Left arm"), np.asarray(picture))


@pytest.mark.parametrize(("anchor", "before"), [("ls", 0.0), ("ms", 0.5), ("rs", 1.0)])
def test_anchors_of_mixed_text(own_fonts, anchor, before):
    text = f"a{HOUSE}a"
    length = TextRenderer(24.0).length(ImageDraw.Draw(Image.new("L", (1, 1))), text)
    canvas = Image.new("L", (400, 100))
    TextRenderer(24.0).write(ImageDraw.Draw(canvas), (200, 50), text, anchor=anchor, fill=255)
    columns = np.flatnonzero(np.asarray(canvas).any(axis=0))
    assert columns[0] == pytest.approx(200 - before * length, abs=3)
    assert columns[-1] == pytest.approx(200 + (1 - before) * length, abs=3)


def test_text_is_truncated_to_its_width(own_fonts):
    draw, letters = ImageDraw.Draw(Image.new("L", (1, 1))), TextRenderer(20.0)
    text = f"LeftHand{HOUSE}Index"
    assert letters.cut(draw, text, 1000.0) == text
    short = letters.cut(draw, text, 90.0)
    assert short.endswith("...")
    assert (
        letters.length(draw, short) <= 90.0 < letters.length(draw, text[: len(short) - 2] + "...")
    )
    assert letters.cut(draw, text, 3.0) == ""


def test_combining_mark_uses_the_font_of_its_letter(own_fonts):
    runs = TextRenderer(20.0)._runs(f"{HOUSE}\u0301 {HOUSE}a")
    assert [text for text, _ in runs] == [f"{HOUSE}\u0301 {HOUSE}", "a"]


def test_window_loads_fonts_for_the_names_of_a_file(own_fonts, gl):
    gui = Gui(gl)
    try:
        session = new_session(60.0)
        gui.begin((640, 480), 1.0, 0.1)
        model = rod_model()
        object.__setattr__(model, "name", f"rod {HOUSE} ж")
        before = len(imgui.get_io().fonts.sources)
        show_model(session, model)
        gui.draw_panels(session)
        assert len(imgui.get_io().fonts.sources) == before + 1, (
            "the icons; the text font has the other"
        )
        gui.draw_panels(session)
        assert len(imgui.get_io().fonts.sources) == before + 1, "once"
        imgui.render()
    finally:
        gui.release()
