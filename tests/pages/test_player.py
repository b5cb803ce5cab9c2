"""The page of `rigview page` in a real browser, without network."""

import base64
import io
import json
import re
import zlib

import numpy as np
import pytest
from PIL import Image

import rigview
from rigview.cli.main import main
from rigview.rendering.web_shaders import PRECISION, VERSION, web_source
from rigview.resources import asset_path
from rigview.scenedoc.view_modes import VIEWS
from tests.support.animated_value_files import conveyor, flip_book, lit_floor, robot_arm
from tests.support.command_files import write_document
from tests.support.material_extension_files import every_extension
from tests.support.page_entries import HOSTILE, SCRIPTS
from tests.support.player_pages import (
    compared,
    errors,
    is_close,
    open_browser,
    open_page,
    pose_error,
    write_page,
)
from tests.support.shared import MODELS, needs_shared

STATE = "window.rigview.player.state"
CAMERA = "window.rigview.player.camera"
CLIP = "window.rigview.player.clip.name"
VISIBLE = (
    "document.querySelector('{}').checkVisibility("
    "{{ visibilityProperty: true, opacityProperty: true }})"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    opened = open_browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of three clips of the mannequin."""
    target = tmp_path_factory.mktemp("page") / "mannequin.html"
    clips = [word for clip in ("Walk", "Wave", "Run") for word in ("--animation", clip)]
    small = ("--resolution", "240,180", "--samples", "1", "--max-texture", "128")
    return write_page(asset_path("mannequin.glb"), target, *small, *clips, "--no-motion")


@pytest.fixture
def shown(browser, page):
    """The browser with the page at desktop size, paused; no errors, and no network requests."""
    browser.size(900, 640)
    browser.set_preferences(calm=True)
    open_page(browser, page)
    yield browser
    assert errors(browser) == []
    assert browser.requests == [page.as_uri()]


# --- shaders -----------------------------------------------------------------------------------

SKIN = {"SKIN": 4, "PALETTE_SIZE": 341}
MANY = {"SKIN": 8, "PALETTE_TEXTURE": 1, "PALETTE_WIDTH": 3072, "PALETTE_LINES": 2}
EXTENSIONS = ("CLEARCOAT", "SHEEN", "ANISOTROPY", "IRIDESCENCE", "DIFFUSE_TRANSMISSION")
VARIANTS = [
    {},
    SKIN | {"MORPH": 1, "MORPH_WIDTH": 3072, "COLORS": 1, "SUNS": 2, "GREY_ENVIRONMENT": 1},
    MANY | {"TEXCOORDS": 4, "UV_TRANSFORM": 1, "BASE_COLOR_TEXTURE": 1, "NORMAL_TEXTURE": 1},
    {"NORMAL_TEXTURE": 1, "TANGENTS": 1, "OCCLUSION_TEXTURE": 1, "EMISSIVE_TEXTURE": 1},
    {"ALPHA_MASK": 1, "BASE_COLOR_TEXTURE": 1, "PUNCTUAL": 3, "TONE": 2},
    {"ALPHA_BLEND": 1, "OPAQUE_PART": 1, "TONE": 3},
    {"ALPHA_BLEND": 1, "BLENDED_PART": 1, "FLAT": 1, "TONE": 0},
    {"ZERO_NORMALS": 1, "PUNCTUAL": 0},
    {"MATERIAL_EXTENSIONS": 1, **dict.fromkeys(EXTENSIONS, 1), "SUNS": 2},
    *({"MATERIAL_EXTENSIONS": 1, name: 1} for name in EXTENSIONS),
    {"UNLIT": 1, "POINTS": 1},
    SKIN | {"WEIGHTS": 1},
    {"GHOST": 1},
    *(
        {"VIEW": 1, f"VIEW_{name.upper().replace('-', '_')}": 1, **MANY}
        for name in VIEWS
        if name != "lit"
    ),
]
COMPILE = """(() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  const failed = [];
  for (const [name, ...sources] of %s) {
    const program = gl.createProgram();
    sources.forEach((source, k) => {
      const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      const compiled = gl.getShaderParameter(shader, gl.COMPILE_STATUS);
      if (!compiled) failed.push([name, gl.getShaderInfoLog(shader)]);
    });
    gl.linkProgram(program);
    const linked = gl.getProgramParameter(program, gl.LINK_STATUS);
    if (!linked) failed.push([name, gl.getProgramInfoLog(program)]);
  }
  return failed;
})()"""


def test_every_variant_of_the_shaders_compiles_in_a_browser(shown):
    vertex, fragment = web_source("mesh.vert"), web_source("mesh.frag")
    programs = []
    for each in VARIANTS:
        defines = [f"#define {name} {value}" for name, value in sorted(each.items())]
        head = "\n".join([VERSION, *defines, PRECISION, ""])
        programs.append((str(each), head + vertex, head + fragment))
    assert shown.ask(COMPILE % json.dumps(programs)) == []
    broken = [("broken", programs[0][1], programs[0][2] + "float wrong = 1;")]
    assert [name for name, _ in shown.ask(COMPILE % json.dumps(broken))] == ["broken"] * 2


# --- pictures and poses ------------------------------------------------------------------------


def test_the_mannequin_looks_as_the_program_draws_it(browser, tmp_path):
    found = compared(browser, asset_path("mannequin.glb"), tmp_path, (0.3,))
    assert is_close(found), found
    assert errors(browser) == []


@needs_shared
@pytest.mark.parametrize("name", ["CesiumMan.glb", "AnimatedMorphCube/AnimatedMorphCube.gltf"])
def test_other_models_look_as_the_program_draws_them(name, browser, tmp_path):
    found = compared(browser, MODELS / name, tmp_path, (0.25, 0.8))
    assert is_close(found), found


@pytest.mark.parametrize(
    "made", [robot_arm, flip_book, conveyor, lit_floor, every_extension], ids=lambda f: f.__name__
)
def test_animated_values_and_extensions_look_as_the_program_draws_them(made, browser, tmp_path):
    file = tmp_path / "made.glb"
    document = made()
    file.write_bytes(document if isinstance(document, bytes) else document.glb())
    found = compared(browser, file, tmp_path, (0.3, 0.6))
    assert is_close(found), found


def test_poses_are_those_of_the_program(shown):
    model = rigview.load(asset_path("mannequin.glb"))
    for number, name in enumerate(("Walk", "Run", "Wave")):
        clip = next(k for k, each in enumerate(model.clips) if each.name == name)
        here = shown.ask(f"window.rigview.player.clips.findIndex(c => c.name === {name!r})")
        found = [
            pose_error(shown, _with_clip(model, clip, here), here, share * model.clips[clip].end)
            for share in (0.0, 0.13, 0.52, 0.99)
        ]
        assert max(found) < 1e-5, (number, found)


def _with_clip(model, clip, here):
    """Return a model whose clip at a place is another one of its clips."""
    clips = list(model.clips)
    clips[here], clips[clip] = clips[clip], clips[here]
    return model.with_clips(clips)


# --- use ---------------------------------------------------------------------------------------


def test_plays_steps_and_scrubs(shown):
    assert shown.ask(f"{STATE}.playing") is False  # reduced motion
    shown.click("button.play")
    first = shown.until(f"{STATE}.time > 0.02 && {STATE}.time")
    shown.until(f"{STATE}.time !== {first}")
    shown.click("button.play")
    assert shown.ask(f"{STATE}.playing") is False
    shown.click("button.ahead")
    time = shown.ask(f"{STATE}.time")
    assert abs(time * 30 - round(time * 30)) < 1e-6
    shown.click("button.back")
    assert shown.ask(f"{STATE}.time") == pytest.approx(time - 1 / 30)
    slider = "document.querySelector('input.time')"
    shown.ask(f"{slider}.value = 500; {slider}.dispatchEvent(new Event('input'))")
    length = shown.ask("window.rigview.player.length")
    assert shown.ask(f"{STATE}.time") == pytest.approx(length / 2)
    assert shown.ask(f"{slider}.getAttribute('aria-valuetext')").startswith(f"{length / 2:.2f}")


def test_clips_are_found_and_chosen(shown):
    shown.write("input.search", "wav")
    rows = "[...document.querySelectorAll('ul.clips li')].filter(e => !e.hidden)"
    assert shown.ask(f"{rows}.map(e => e.querySelector('bdi').textContent)") == ["Wave"]
    shown.press("Enter")
    assert shown.ask(CLIP) == "Wave"
    current = "document.querySelector('ul.clips [aria-current]').textContent"
    assert shown.ask(current).startswith("Wave")
    shown.write("input.search", "zzz")
    assert shown.ask(f"{rows}.length") == 0
    assert shown.ask("document.querySelector('.none').checkVisibility()")


KEYS = {
    "b": f"{STATE}.skeleton",
    "n": f"{STATE}.names",
    "w": f"{STATE}.wireframe",
    "h": f"{STATE}.weights && {STATE}.joint >= 0",
    "l": f"{STATE}.loop === false",
    "]": f"{STATE}.speed === 1.5",
    "v": f"{STATE}.view === 'base-colour'",
    "5": f"{CAMERA}.ortho",
    "3": f"Math.abs({CAMERA}.azimuth - Math.PI / 2) < 1e-6",
    "7": f"{CAMERA}.elevation > 1.5",
    "PageDown": f"{STATE}.clip === 1",
    "ArrowRight": f"Math.abs({STATE}.time - 1 / 30) < 1e-6",
    " ": f"{STATE}.playing",
}
PRESS = """document.querySelector('.stage').dispatchEvent(
  new KeyboardEvent('keydown', { key: %r, bubbles: true }))"""


def test_keys_are_those_of_the_window(shown):
    for key, expected in KEYS.items():
        assert not shown.ask(expected), key
        shown.ask(PRESS % key)
        assert shown.ask(expected), key
    assert shown.ask("document.querySelector('[data-toggle=skeleton]').ariaPressed") == "true"


def test_mouse_and_wheel_move_the_camera(shown):
    before = shown.ask(f"[{CAMERA}.azimuth, {CAMERA}.distance, ...{CAMERA}.target]")
    x, y = shown.middle(".stage")

    def drag(button, dx, dy, modifiers=0):
        at = {"button": button, "modifiers": modifiers}
        shown.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, clickCount=1, **at)
        held = {"buttons": 1} | at
        shown.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + dx, y=y + dy, **held)
        shown.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + dx, y=y + dy, **at)

    drag("left", 60, 0)
    turned = shown.ask(f"[{CAMERA}.azimuth, {CAMERA}.distance, ...{CAMERA}.target]")
    assert turned[0] < before[0]
    assert turned[1:] == before[1:]
    drag("left", 60, 0, modifiers=8)  # Shift
    panned = shown.ask(f"[{CAMERA}.azimuth, {CAMERA}.distance, ...{CAMERA}.target]")
    assert panned[:2] == turned[:2]
    assert panned[2:] != turned[2:]
    shown.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
    shown.until(f"{CAMERA}.distance < {panned[1]}")
    shown.click("button.frame")
    framed = shown.ask(f"[{CAMERA}.azimuth, {CAMERA}.distance, ...{CAMERA}.target]")
    assert framed == pytest.approx(before)


def test_fingers_orbit_and_pinch_on_a_phone(browser, page):
    browser.size(390, 844, scale=2, touch=True)
    browser.set_preferences(calm=True)
    open_page(browser, page)
    x, y = browser.middle(".stage")

    def touch(kind, *points):
        each = [{"x": x + dx, "y": y + dy, "id": k} for k, (dx, dy) in enumerate(points)]
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=each)

    azimuth, distance = browser.ask(f"[{CAMERA}.azimuth, {CAMERA}.distance]")
    touch("touchStart", (0, 0))
    touch("touchMove", (40, 0))
    touch("touchEnd")
    browser.until(f"{CAMERA}.azimuth < {azimuth}")
    touch("touchStart", (-20, 0), (20, 0))
    touch("touchMove", (-60, 0), (60, 0))
    touch("touchEnd")
    browser.until(f"{CAMERA}.distance < {distance}")
    assert not browser.ask(
        "document.querySelector('ul.clips').checkVisibility({visibilityProperty: true})"
    )
    browser.tap("button.open-clips")
    browser.until("document.querySelector('.player').classList.contains('listed')")
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert browser.ask(wide)
    small = """[...document.querySelectorAll('.player button, .player select')]
      .filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect())
      .filter(b => b.height < 44 && b.width > 0).length"""
    assert browser.ask(small.replace("44", "40")) == 0
    browser.size(900, 640)


def test_a_link_leads_to_a_moment(browser, page):
    browser.size(900, 640)
    browser.set_preferences()
    browser.open(page)  # another hash of the same page only scrolls
    target = f"{page.as_uri()}#clip=Run&t=0.2&view=right&joint=LeftHand"
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=target)
    browser.until("Boolean(window.rigview)", 60)
    assert browser.ask(CLIP) == "Run"
    assert browser.ask(f"{STATE}.time") == pytest.approx(0.2)
    assert browser.ask(f"{STATE}.playing") is False
    assert browser.ask(f"{CAMERA}.azimuth") == pytest.approx(1.5707963, abs=1e-5)
    named = "window.rigview.player.figures[0].motion.names"
    assert browser.ask(f"{named}[{STATE}.joint]") == "LeftHand"
    link = browser.ask("window.rigview.controls.link")
    assert "clip=Run" in link
    assert "t=0.200" in link
    assert "view=90.0" in link


def test_plays_at_once_unless_motion_is_reduced(browser, page):
    browser.size(900, 640)
    browser.set_preferences()
    open_page(browser, page)
    browser.until(f"{STATE}.playing && {STATE}.time > 0")
    browser.set_preferences(calm=True)
    open_page(browser, page)
    assert browser.ask(f"{STATE}.playing") is False


# --- accessibility -----------------------------------------------------------------------------


def test_every_control_has_a_name_and_the_keyboard_reaches_it(shown):
    tree = shown.call("Accessibility.getFullAXTree")["nodes"]
    used = {"button", "combobox", "slider", "searchbox", "textbox"}
    named = {
        node["name"]["value"] if node.get("name") else ""
        for node in tree
        if not node["ignored"] and node["role"]["value"] in used
    }
    assert "" not in named
    assert {"Play", "Time", "Speed", "View mode", "Find a clip", "Skeleton (B)"} <= named
    picture = [node for node in tree if node["role"].get("value") == "application"]
    assert "Drag to orbit" in picture[0]["name"]["value"]
    reached = set()
    for _ in range(30):
        shown.press("Tab")
        reached.add(shown.ask("document.activeElement.className || document.activeElement.tagName"))
    assert {"stage", "play", "time", "speed", "search", "mode"} <= reached


# --- without JavaScript, in print, safety, size ------------------------------------------------

POSTER = VISIBLE.format(".poster")


def test_the_poster_is_what_render_draws_and_shows_without_script(browser, page, tmp_path):
    browser.size(900, 640)
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    assert browser.ask(POSTER)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    open_page(browser, page)
    browser.until(f"!({POSTER})")
    browser.set_preferences(paper=True)
    assert browser.ask(POSTER)
    browser.set_preferences()
    text = page.read_text(encoding="utf-8")
    data = re.search(r'class="poster" src="data:image/webp;base64,([^"]+)"', text)[1]
    poster = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    target = tmp_path / "render.png"
    given = ["--animation", "Walk", "--resolution", "240,180", "--samples", "1", "--no-motion"]
    model = str(asset_path("mannequin.glb"))
    assert main(["render", model, "-o", str(target), *given, "--fit", "clip", "--quiet"]) == 0
    with Image.open(target) as drawn:
        assert np.array_equal(np.asarray(poster), np.asarray(drawn.convert("RGB")))


BOX = """(({left, top, width, height}) => [left, top, width, height])(
    document.querySelector('%s').getBoundingClientRect())"""


@pytest.mark.parametrize("size", [(900, 640), (1300, 500)], ids=["below", "beside"])
def test_the_ground_fades_out_at_edges_of_the_poster(browser, page, tmp_path, size):
    browser.size(*size)
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    boxes = [browser.ask(BOX % name) for name in (".stage", ".poster")]
    shown = browser.picture(tmp_path / "page.png")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    stage, (left, top, wide, high) = boxes
    assert wide / high == pytest.approx(240 / 180, rel=0.01)
    below = wide == stage[2]
    assert below or high == pytest.approx(stage[3], abs=0.1), "it fills the stage"
    with Image.open(shown) as image:
        box = (left + 1, top + 1, left + wide - 1, top + high - 1)
        pixels = np.asarray(image.convert("RGB").crop(box)).astype(int)
    edges = (pixels[-1], pixels[-20]) if below else (pixels[200:, -1], pixels[200:, -20])
    steps = [np.abs(np.diff(edge, axis=0)).max() for edge in edges]
    assert steps[0] <= 3 < steps[1]


def test_hostile_names_are_text(browser, tmp_path):
    file = write_document(tmp_path / "strange.gltf")
    text = file.read_text(encoding="utf-8")
    for name in ("Root", "Tip", "Turn"):
        text = text.replace(f'"name": "{name}"', f'"name": {json.dumps(HOSTILE + SCRIPTS + name)}')
    file.write_text(text, encoding="utf-8")
    page = write_page(file, tmp_path / "page.html", "--resolution", "64,64")
    browser.set_preferences(calm=True)
    open_page(browser, page)
    assert browser.ask("document.querySelectorAll('script').length") <= 2
    assert browser.ask("document.querySelectorAll('ul.clips img, ul.clips script').length") == 0
    names = browser.ask("window.rigview.player.figures[0].motion.names")
    assert any(SCRIPTS in name for name in names)
    assert errors(browser) == []
    assert browser.requests == [page.as_uri()]


def test_the_policy_allows_no_origin_and_no_evaluation(page):
    text = page.read_text(encoding="utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    policy = policy.replace("&#39;", "'")
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert not re.search(r"https?:|\*", policy)
    assert re.search(r"script-src 'sha256-[\w+/=]+';", policy)


def test_a_broken_file_writes_no_page(tmp_path, capsys):
    broken, target = tmp_path / "broken.glb", tmp_path / "page.html"
    broken.write_bytes(b"glTF\x02\x00\x00\x00")
    assert main(["page", str(broken), "-o", str(target)]) == 3
    assert "broken.glb" in capsys.readouterr().err
    assert not target.exists()


def is_small(page, file):
    """Whether a page is at most as large as the compressed file, as base64, and 300 kB."""
    return page.stat().st_size <= 1.34 * len(zlib.compress(file.read_bytes(), 9)) + 300_000


def test_the_page_is_about_as_large_as_the_file(tmp_path):
    file = asset_path("mannequin.glb")
    page = write_page(file, tmp_path / "page.html", "--no-motion")
    assert is_small(page, file)
    small = write_page(file, tmp_path / "small.html", "--no-motion", "--max-texture", "64")
    assert small.stat().st_size < 0.8 * page.stat().st_size


@needs_shared
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Fox.glb", "robot.glb"])
def test_pages_of_other_models_are_about_as_large(name, tmp_path):
    assert is_small(write_page(MODELS / name, tmp_path / "page.html"), MODELS / name)
