"""The report in a real browser, without network."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from rigview.cli.main import main
from rigview.resources import asset_path
from tests.pages.wcag_contrast import CONTRAST
from tests.support.character_versions import character
from tests.support.chromium import Chromium, find
from tests.support.command_files import write_document
from tests.support.page_entries import HOSTILE, SCRIPTS

CLIPS = ("Walk", "Wave", "Turn*")
SMALL = ("--resolution", "96,96", "--samples", "1", "--frame-rate", "8")


def _report(target, files, *options, code=0):
    clips = [word for clip in CLIPS for word in ("--animation", clip)]
    given = ["report", *files, "-o", target, "--jobs", "1", *SMALL, *clips, *options]
    assert main([str(each) for each in given]) == code
    return target


@pytest.fixture(scope="module")
def videos(tmp_path_factory):
    """A report of the mannequin with looping videos."""
    target = tmp_path_factory.mktemp("videos") / "report.html"
    return _report(target, [asset_path("mannequin.glb")], "--no-player")


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
    files = [asset_path("mannequin.glb"), strange, folder / "broken.glb"]
    return _report(folder / "report.html", files, code=3)


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
    assert [each for each in browser.errors if "WebGL" not in each] == []  # drawn in software
    assert browser.requests == [page.as_uri()]


@pytest.fixture
def looping(shown, videos):
    """The browser with the page of videos."""
    shown.open(videos)
    yield shown
    assert shown.requests.pop() == videos.as_uri()


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


def test_loop_plays_on_hover(looping, look):
    tile = "#mannequin-glb .loop:nth-child(2) .tile"
    looping.hover(tile)
    first = looping.until(PLAYING.format(tile) + " > 0 && " + PLAYING.format(tile))
    looping.until(f"{PLAYING.format(tile)} != {first}")
    look("loop")
    looping.hover("#mannequin-glb h1")
    looping.until(f"document.querySelector('{tile} video').paused")
    looping.click(tile)  # stays on
    looping.hover("#mannequin-glb h1")
    assert looping.ask(f"document.querySelector('{tile}').getAttribute('aria-pressed')") == "true"
    assert not looping.ask(f"document.querySelector('{tile} video').paused")
    looping.click(tile)
    assert looping.ask(f"document.querySelector('{tile}').getAttribute('aria-pressed')") == "false"


def test_loop_plays_by_the_keyboard(looping, look):
    tile = "#mannequin-glb .loop:nth-child(1) .tile"
    looping.ask("document.querySelector('#mannequin-glb button.all').focus()")
    looping.press("Tab")
    assert looping.ask(f"document.activeElement === document.querySelector('{tile}')")
    looping.until(PLAYING.format(tile) + " > 0")
    look("focus")
    looping.press("Tab")
    looping.until(f"document.querySelector('{tile} video').paused")


def test_reduced_motion(looping):
    looping.set_preferences(calm=True)
    tile = "#mannequin-glb .loop:nth-child(1) .tile"
    looping.hover(tile)
    looping.ask("new Promise(done => setTimeout(done, 150))")
    assert looping.ask(f"document.querySelector('{tile} video').paused")
    looping.click(tile)
    looping.until(PLAYING.format(tile) + " > 0")
    looping.hover("#mannequin-glb h1")
    looping.click(tile)
    assert looping.ask(f"document.querySelector('{tile} video').paused")


LARGE = "document.querySelector('dialog.large').open && !!document.querySelector('.large .ready')"
LINE = "document.querySelector('{} .line').style.scale"
SMALL_WINDOW = (620, 560)  # the pictures are drawn in software


def test_tile_plays_on_click(shown, look):
    shown.ask("location.hash = '#mannequin-glb'")
    first, second = (f"#mannequin-glb .loop:nth-child({k}) .tile" for k in (1, 2))
    pressed = "document.querySelector('{} .go').ariaPressed"
    shown.click(f"{first} .go")
    begun = shown.until(f"!!document.querySelector('{first} .stage') && {LINE.format(first)}", 30)
    shown.until(f"{LINE.format(first)} != '{begun}'", 30)
    assert shown.ask(pressed.format(first)) == "true"
    look("tile")
    shown.click(f"{second} .go")
    shown.until(f"!!document.querySelector('{second} .stage')", 30)
    assert shown.ask("document.querySelectorAll('.tile .stage').length") == 1
    assert [shown.ask(pressed.format(each)) for each in (first, second)] == ["false", "true"]
    shown.click(f"{second} .go")
    shown.until("!document.querySelector('.tile .stage')")
    assert shown.ask(pressed.format(second)) == "false"


def test_tile_plays_by_the_keyboard(shown, look):
    shown.ask("location.hash = '#mannequin-glb'")
    tile = "#mannequin-glb .loop:nth-child(1) .tile"
    shown.ask("""document.querySelector('#mannequin-glb [data-filter=".loop"]').focus()""")
    shown.press("Tab")
    assert shown.ask(f"document.activeElement === document.querySelector('{tile} .go')")
    shown.press("Enter")
    shown.until(f"!!document.querySelector('{tile} .stage')", 30)
    look("focus")
    shown.press(" ")
    shown.until("!document.querySelector('.tile .stage')")


def test_tile_plays_on_tap(shown, look):
    shown.size(360, 780, touch=True)
    shown.ask("location.hash = '#mannequin-glb'")
    tile = "#mannequin-glb .loop:nth-child(2) .tile"
    shown.tap(f"{tile} .go")
    shown.until(f"!!document.querySelector('{tile} .stage')", 30)
    look("phone-tile")


def test_tile_opens_large_with_the_controls(shown, look):
    shown.size(*SMALL_WINDOW)
    shown.ask("location.hash = '#mannequin-glb'")
    shown.click("#mannequin-glb .loop:nth-child(2) .enlarge")
    shown.until(LARGE, 30)
    look("large")
    labels = shown.ask(
        "[...document.querySelectorAll('#mannequin-glb .tile')].map(e => e.dataset.label)"
    )
    assert shown.ask("document.querySelector('.large .clip-name').textContent") == labels[1]
    names = "[...document.querySelectorAll('.large .clips bdi')].map(e => e.textContent)"
    assert shown.ask(names) == labels
    play = "document.querySelector('.large .play').ariaLabel"
    assert shown.ask(play) == "Pause"
    shown.click(".large .play")
    assert shown.ask(play) == "Play"
    shown.click(".large .close")
    assert not shown.ask("document.querySelector('dialog.large').open")
    assert shown.ask("document.activeElement.className") == "enlarge"


def test_reduced_motion_of_the_player(shown):
    shown.size(*SMALL_WINDOW)
    shown.set_preferences(calm=True)
    shown.ask("location.hash = '#mannequin-glb'")
    shown.click("#mannequin-glb .picture .enlarge")
    shown.until(LARGE, 30)
    assert shown.ask("document.querySelector('.large .play').ariaLabel") == "Play"


SHOWN = """(() => {
  const find = (selector) => document.querySelector(`.large ${selector}`);
  const joint = find("select.joint");
  return [find(".clip-name").textContent, parseFloat(find("output.now").textContent),
          joint.options[joint.selectedIndex].text, find("[data-toggle=skeleton]").ariaPressed];
})()"""


def test_finding_leads_to_joint_and_time(shown, look):
    """Names with markup too."""
    shown.size(*SMALL_WINDOW)
    shown.ask("location.hash = '#strange-gltf'")
    links = "[...document.querySelectorAll('#strange-gltf a.moment')]"
    given = f"{links}.map(a => Object.fromEntries(new URLSearchParams(a.hash.split('?')[1])))"
    found = shown.ask(given)
    wanted = {name: next(each for each in found if name in each) for name in ("clip", "joint")}
    for name, each in wanted.items():
        shown.ask(f"{links}[{found.index(each)}].click()")
        shown.until(LARGE, 30)
        look(f"moment-{name}")
        clip, time, joint, skeleton = shown.ask(SHOWN)
        assert clip == each.get("clip", clip)
        assert abs(time - float(each.get("t", 0))) < 0.01
        if "joint" in each:
            assert (joint, skeleton) == (each["joint"], "true")
        assert shown.ask("document.querySelectorAll('.large :is(img, script)').length") == 0
        shown.click(".large .close")
        shown.until("location.hash === '#strange-gltf'")
    assert HOSTILE in wanted["joint"]["joint"]


def test_link_to_a_moment(shown):
    shown.size(*SMALL_WINDOW)
    shown.ask("location.hash = '#mannequin-glb/play?clip=Wave&t=0.5&joint=LeftHand'")
    shown.until(LARGE, 30)
    assert shown.ask(SHOWN) == ["Wave", 0.5, "LeftHand", "true"]
    assert shown.ask(VISIBLE) == ["mannequin-glb"]


def test_stills_remain_without_webgl(shown, look):
    shown.ask("location.hash = '#mannequin-glb'")
    shown.ask("HTMLCanvasElement.prototype.getContext = () => null")
    tile = "#mannequin-glb .loop:nth-child(1) .tile"
    shown.click(f"{tile} .go")
    said = f"document.querySelector('{tile} .length').textContent"
    shown.until(f"{said}.includes('no WebGL 2')", 30)
    assert shown.ask(f"document.querySelector('{tile} img').checkVisibility()")
    assert shown.ask(f"document.querySelector('{tile} .go').ariaPressed") == "false"
    look("no-webgl")


ROWS = "[...document.querySelectorAll('#mannequin-glb .joints tbody tr')].filter(e => !e.hidden)"


def test_joints_are_filtered_and_sorted(shown, look):
    shown.ask("location.hash = '#mannequin-glb'")
    assert shown.ask(f"{ROWS}.length") == 73
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


def test_loop_plays_on_tap(looping, look):
    looping.size(360, 780, touch=True)
    tile = "#mannequin-glb .loop:nth-child(2) .tile"
    looping.tap(tile)
    looping.until(PLAYING.format(tile) + " > 0")
    look("phone-loop")
    looping.tap(tile)
    looping.until(f"document.querySelector('{tile} video').paused")


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
    assert not shown.ask("document.querySelector('.go, .enlarge')")
    assert shown.ask("[...document.querySelectorAll('.tile img')].every(e => e.naturalWidth)")
    shown.requests.pop()  # it was opened twice


def test_videos_have_controls_without_script(looping, videos):
    looping.call("Emulation.setScriptExecutionDisabled", value=True)
    looping.open(videos)
    looping.call("Emulation.setScriptExecutionDisabled", value=False)
    controls = "[...document.querySelectorAll('video')].map(v => v.controls)"
    assert set(looping.ask(controls)) == {True}
    looping.requests.pop()  # it was opened twice


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """A page of two versions, whose clip Wave differs most at 1 s."""
    folder = tmp_path_factory.mktemp("compared")
    versions = [folder / "old.glb", folder / "new.glb"]
    versions[0].write_bytes(character().glb())
    clips = (
        "Wave",
        "Rest",
    )
    versions[1].write_bytes(character(wave=(0, 60, 0), size=100.0, clips=clips).glb())
    target = folder / "compare.html"
    assert main([str(each) for each in ("diff", *versions, "-o", target, "--samples", "1")]) == 1
    return target


WRITTEN = """(() => {
  const written = [];
  const own = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = (text) => written.push(text);
  rigview.player.draw();
  CanvasRenderingContext2D.prototype.fillText = own;
  return written;
})()"""


def test_page_compares_two_versions(browser, compared, tmp_path):
    """Side by side, overlaid and wiped, from the greatest difference, without requests."""
    browser.size(*SMALL_WINDOW)
    browser.requests.clear()
    browser.errors.clear()
    browser.open(compared)
    browser.until("!!document.querySelector('.player.ready')", 30)
    state = browser.ask("(({clip, time, playing}) => [clip, time, playing])(rigview.player.state)")
    assert state == [0, 1, False]
    assert browser.ask("rigview.player.clips.map(clip => clip.name)")[:2] == ["Wave", "Rest"]
    pictures = []
    for mode in ("side-by-side", "overlaid", "wipe"):
        select = "document.querySelector('select.compare')"
        browser.ask(f"{select}.value = '{mode}'; {select}.dispatchEvent(new Event('change'))")
        browser.ask("new Promise(requestAnimationFrame)")
        browser.ask("rigview.player.draw()")
        pictures.append(browser.picture(tmp_path / f"{mode}.png").read_bytes())
        assert browser.ask("rigview.player.state.compare") == mode
        ghost = " (ghost)" if mode == "overlaid" else ""
        assert browser.ask(WRITTEN) == [f"A  old{ghost}", "B  new"]
        edge = "document.querySelector('input.edge').checkVisibility()"
        assert browser.ask(edge) is (mode == "wipe")
    assert len(set(pictures)) == 3
    assert browser.requests == [compared.as_uri()]
    assert [each for each in browser.errors if "WebGL" not in each] == []
