"""The report in a real browser, without network."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from rigview.cli.main import main
from rigview.resources import asset_path
from tests.pages.wcag_contrast import CONTRAST
from tests.support.chromium import Chromium, find
from tests.support.command_files import write_document
from tests.support.page_entries import HOSTILE, SCRIPTS

CLIPS = ("Walk", "Wave", "Turn*")
SMALL = ("--resolution", "96,96", "--samples", "1", "--frame-rate", "8")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report of the mannequin, a small file with unusual names, and a broken file."""
    folder = tmp_path_factory.mktemp("report")
    strange = write_document(folder / "strange.gltf")
    text = strange.read_text(encoding="utf-8")
    for name in ("Root", "Tip"):
        text = text.replace(f'"name": "{name}"', f'"name": {_quoted(HOSTILE + SCRIPTS + name)}')
    strange.write_text(text, encoding="utf-8")
    (folder / "broken.glb").write_bytes(b"glTF\x02\x00\x00\x00")
    target = folder / "report.html"
    files = [asset_path("mannequin.glb"), strange, folder / "broken.glb"]
    clips = [word for clip in CLIPS for word in ("--animation", clip)]
    given = ["report", *files, "-o", target, "--jobs", "1", *SMALL, *clips]
    assert main([str(each) for each in given]) == 3
    return target


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    path = find()
    if path is None and os.environ.get("CI"):
        pytest.fail("chromium is missing: .ci/setup test gets it")
    if path is None:
        pytest.skip("chromium is not here")
    opened = Chromium(path, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture
def shown(browser, page):
    """The browser with the page at desktop size; it causes no errors and no network requests."""
    browser.size(1280, 860)
    browser.set_preferences()
    browser.requests.clear()
    browser.errors.clear()
    browser.open(page)
    yield browser
    assert browser.errors == []
    assert browser.requests == [page.as_uri()]


@pytest.fixture
def look(shown, tmp_path):
    """Take a screenshot and check that it is not empty; stored in RIGVIEW_PICTURES."""
    kept = os.environ.get("RIGVIEW_PICTURES")
    folder = Path(kept) if kept else tmp_path

    def take(name):
        path = shown.picture(folder / f"{name}.png")
        with Image.open(path) as picture:
            assert len(set(picture.convert("L").resize((64, 64)).tobytes())) > 20
        return path

    return take


VISIBLE = "[...document.querySelectorAll('.view')].filter(e => e.checkVisibility()).map(e => e.id)"


def test_from_the_index_to_a_character_and_back(shown, look):
    assert shown.ask(VISIBLE) == ["index"]
    look("index")
    shown.click('.card a[href="#mannequin-glb"]')
    shown.until("document.querySelector('#mannequin-glb').checkVisibility()")
    assert shown.ask(VISIBLE) == ["mannequin-glb"]
    look("character")
    shown.click('#mannequin-glb a[href="#mannequin-glb/joints"]')
    top = "document.getElementById('mannequin-glb/joints').getBoundingClientRect().top"
    shown.until(f"Math.abs({top}) < 200")
    shown.click("#mannequin-glb .back a")
    shown.until("document.querySelector('#index').checkVisibility()")
    shown.ask("history.back()")
    shown.until("document.querySelector('#mannequin-glb').checkVisibility()")


CARDS = "[...document.querySelectorAll('.card')].filter(e => !e.hidden)"


def test_index_is_filtered_and_sorted(shown, look):
    names = f"{CARDS}.map(e => e.querySelector('h2').textContent)"
    given = ["mannequin.glb", "strange.gltf", "broken.glb"]
    assert shown.ask(names) == given
    select = "document.querySelector('[data-sort]')"
    sort = f"{select}.value = '{{}}'; {select}.dispatchEvent(new Event('change'))"
    shown.ask(sort.format("name"))
    assert shown.ask(names) == sorted(given)
    shown.ask(sort.format("found"))
    assert shown.ask(names)[0] == "broken.glb"
    shown.write('[data-filter=".cards > li"]', "strange")
    assert shown.ask(names) == ["strange.gltf"]
    assert shown.ask("document.querySelector('#index .left').textContent") == "1 of 3"
    look("index-found")


PLAYING = "(v => v && !v.paused && v.currentTime)(document.querySelector('{} video'))"


def test_loop_plays_on_hover(shown, look):
    shown.ask("location.hash = '#mannequin-glb'")
    tile = "#mannequin-glb .loop:nth-child(2) .tile"
    shown.hover(tile)
    first = shown.until(PLAYING.format(tile) + " > 0 && " + PLAYING.format(tile))
    shown.until(f"{PLAYING.format(tile)} != {first}")
    look("loop")
    shown.hover("#mannequin-glb h1")
    shown.until(f"document.querySelector('{tile} video').paused")
    shown.click(tile)  # stays on
    shown.hover("#mannequin-glb h1")
    assert shown.ask(f"document.querySelector('{tile}').getAttribute('aria-pressed')") == "true"
    assert not shown.ask(f"document.querySelector('{tile} video').paused")
    shown.click(tile)
    assert shown.ask(f"document.querySelector('{tile}').getAttribute('aria-pressed')") == "false"


def test_loop_plays_by_the_keyboard(shown, look):
    shown.ask("location.hash = '#mannequin-glb'")
    tile = "#mannequin-glb .loop:nth-child(1) .tile"
    shown.ask("document.querySelector('#mannequin-glb button.all').focus()")
    shown.press("Tab")
    assert shown.ask(f"document.activeElement === document.querySelector('{tile}')")
    shown.until(PLAYING.format(tile) + " > 0")
    look("focus")
    shown.press("Tab")
    shown.until(f"document.querySelector('{tile} video').paused")


def test_reduced_motion(shown):
    shown.set_preferences(calm=True)
    shown.ask("location.hash = '#mannequin-glb'")
    tile = "#mannequin-glb .loop:nth-child(1) .tile"
    shown.hover(tile)
    shown.ask("new Promise(done => setTimeout(done, 150))")
    assert shown.ask(f"document.querySelector('{tile} video').paused")
    shown.click(tile)
    shown.until(PLAYING.format(tile) + " > 0")
    shown.hover("#mannequin-glb h1")
    shown.click(tile)
    assert shown.ask(f"document.querySelector('{tile} video').paused")


ROWS = "[...document.querySelectorAll('#mannequin-glb .joints tbody tr')].filter(e => !e.hidden)"


def test_joints_are_filtered_and_sorted(shown, look):
    shown.ask("location.hash = '#mannequin-glb'")
    assert shown.ask(f"{ROWS}.length") == 57
    shown.write('#mannequin-glb [data-filter="tbody > tr"]', "hand left")
    found = shown.ask(f"{ROWS}.map(r => r.cells[0].textContent)")
    assert "LeftHandThumb1" in found
    assert all("Left" in each or "Hand" in each for each in found)
    assert 3 < len(found) < 20
    look("joints")
    head = "#mannequin-glb .joints thead th:nth-child({}) button"
    shown.click(head.format(5))
    moved = shown.ask(f"{ROWS}.map(r => Number(r.cells[4].dataset.value))")
    assert all(a >= b for a, b in pairwise(moved))
    shown.ask(f"document.querySelector('{head.format(1)}').focus()")
    shown.press("Enter")
    names = shown.ask(f"{ROWS}.map(r => r.cells[0].textContent)")
    assert names == sorted(names, key=str.casefold)
    heads = "#mannequin-glb .joints th[aria-sort]"
    sorts = f"[...document.querySelectorAll('{heads}')].map(e => e.ariaSort)"
    assert shown.ask(sorts) == ["ascending", *["none"] * 8]
    shown.press("Enter")
    shown.press("Enter")
    assert set(shown.ask(sorts)) == {"none"}


def test_findings_are_filtered(shown, look):
    shown.ask("location.hash = '#strange-gltf'")
    found = "[...document.querySelectorAll('#strange-gltf .finding')].filter(e => !e.hidden)"
    kinds = shown.ask(f"{found}.map(e => e.dataset.severity)")
    buttons = "#strange-gltf .switches button"
    switches = shown.ask(
        f"[...document.querySelectorAll('{buttons}')].map(e => e.dataset.severity)"
    )
    assert switches
    assert set(switches) == set(kinds)
    shown.click(f'#strange-gltf .switches [data-severity="{switches[0]}"]')
    assert switches[0] not in shown.ask(f"{found}.map(e => e.dataset.severity)")
    shown.click(f'#strange-gltf .switches [data-severity="{switches[0]}"]')
    assert shown.ask(f"{found}.length") == len(kinds)
    look("findings")
    shown.write('#strange-gltf [data-filter=".finding"]', "no such word")
    assert shown.ask(f"{found}.length") == 0
    assert shown.ask("document.querySelector('#strange-gltf .found .none').checkVisibility()")


def test_hostile_names_are_plain_text(shown):
    shown.ask("location.hash = '#strange-gltf'")
    heads = "#strange-gltf tbody th"
    names = shown.ask(f"[...document.querySelectorAll('{heads}')].map(e => e.innerText)")
    assert HOSTILE + SCRIPTS + "Tip" in names
    assert shown.ask("document.images.length") == shown.ask(
        "[...document.images].filter(e => e.src.startsWith('data:') && e.naturalWidth).length"
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_contrast(shown, look, dark):
    shown.set_preferences(dark=dark)
    for place in ("", "#strange-gltf", "#mannequin-glb", "#broken-glb"):
        shown.ask(f"location.hash = '{place}'")
        assert shown.ask(CONTRAST) == [], place
    shown.ask("scrollTo(0, 0); location.hash = '#mannequin-glb'")
    look("dark" if dark else "light")


def test_chosen_theme_is_stored(shown, look):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = shown.ask(paper)
    shown.click(".theme")
    assert shown.ask(paper) == light
    shown.click(".theme")
    assert shown.ask("document.querySelector('.theme b').textContent") == "dark"
    assert shown.ask(paper) != light
    shown.click('.card a[href="#mannequin-glb"]')
    shown.until("document.querySelector('#mannequin-glb').checkVisibility()")
    assert shown.ask(paper) != light
    look("theme-dark")
    shown.ask("sessionStorage.clear()")


@pytest.mark.parametrize("width", [360, 800, 3840])
@pytest.mark.parametrize("place", ["index", "mannequin-glb", "strange-gltf", "broken-glb"])
def test_narrow_windows(shown, look, width, place):
    shown.size(width, 780 if width < 3000 else 2000, touch=width < 500)
    shown.ask(f"location.hash = '#{place}'")
    shown.until(f"document.getElementById('{place}').checkVisibility()")
    root = "document.documentElement"
    assert shown.ask(f"{root}.scrollWidth") <= shown.ask(f"{root}.clientWidth") == width
    look(f"{place}-{width}")


def test_loop_plays_on_tap(shown, look):
    shown.size(360, 780, touch=True)
    shown.ask("location.hash = '#mannequin-glb'")
    tile = "#mannequin-glb .loop:nth-child(2) .tile"
    shown.tap(tile)
    shown.until(PLAYING.format(tile) + " > 0")
    look("phone-loop")
    shown.tap(tile)
    shown.until(f"document.querySelector('{tile} video').paused")


def test_print_shows_everything(shown):
    shown.set_preferences(paper=True)
    assert shown.ask(VISIBLE) == ["index", "mannequin-glb", "strange-gltf", "broken-glb"]
    assert not shown.ask("document.querySelector('.bar').checkVisibility()")


def test_layout_without_script(shown, look, page):
    shown.call("Emulation.setScriptExecutionDisabled", value=True)
    shown.open(page)
    shown.size(1280, 2400)
    look("no-script")
    shown.call("Emulation.setScriptExecutionDisabled", value=False)
    assert shown.ask(VISIBLE) == ["index", "mannequin-glb", "strange-gltf", "broken-glb"]
    assert not shown.ask("document.querySelector('.tools, .theme').checkVisibility()")
    assert shown.ask("[...document.querySelectorAll('video')].every(v => v.controls)")
    shown.requests.pop()  # it was opened twice
