"""The layout of all panels in small and large windows: every control can be reached."""

import pytest

from rigview.motion.document import LayerSettings, MotionDoc
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.commands.actions import GROUPS, action
from tests.support.clips import sliding_clip
from tests.support.full_motion_file import DOCUMENT
from tests.support.models import make_model, morph_model, show_model, square
from tests.support.panel_boxes import check, windows
from tests.support.panels import PanelDriver

SIZES = [((900, 600), 2.0), ((700, 500), 1.0), ((3840, 2160), 1.0), ((3840, 2160), 2.0)]
POPUPS = ("help", "error", "go to frame", "open", "unsaved")
LONG = "/a/long/path/of/a/character.glb: /animations/2/channels/9/target: there is no such node; "


@pytest.fixture(params=SIZES, ids=["900x600@2", "700x500", "3840x2160", "3840x2160@2"])
def driver(gl, request):
    size, scale = request.param
    driver = PanelDriver(gl, size=size, scale=scale)
    yield driver
    driver.close()


@pytest.fixture
def usual(gl):
    """A driver with a window of the usual size."""
    driver = PanelDriver(gl)
    yield driver
    driver.close()


def beside(driver, names):
    """Assert that widgets are in the window and do not overlap."""
    boxes = [driver.marks[name] for name in names]
    for k, (left, top, right, bottom) in enumerate(boxes):
        assert min(left, top) >= 0
        assert right <= driver.size[0]
        assert bottom <= driver.size[1]
        for other in boxes[k + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, names


def choose(driver, panel):
    """Show a panel: by its list in a narrow window, by its tab in a wide one."""
    if "panel" in driver.marks:
        driver.click("panel")
        driver.click(f"panel {panel}")
    elif f"tab {panel}" in driver.marks:
        driver.click(f"tab {panel}")


def test_panels_of_a_file(driver):
    check(driver)
    choose(driver, "View")
    if "weights" not in driver.marks:
        driver.click("overlay settings")
        check(driver)
    driver.click("weights")
    driver.key("escape")
    driver.click("file")
    check(driver)
    beside(driver, ("play", "last frame", "go to frame", "loop", "trim", "speed", "speed 1"))


def test_panels_of_a_motion(driver):
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    for panel in ("Mixer", "View", "Inspector", "Space", "Mask", "Events", "Clips"):
        choose(driver, panel)
        driver.session.interface.mixer_panels.layer = "base"
        check(driver)


def test_curves(driver):
    driver.key("c")
    shown = check(driver)
    assert shown["Curves"].size.y <= 0.8 * driver.size[1]
    driver.key("m")
    check(driver)
    beside(driver, ("search curves", "curves all", "curves close"))
    driver.click("curves close")
    assert not driver.session.interface.curves.shown


def test_long_names_many_morphs_and_several_characters(driver):
    name = "mixamorig:Armature|A_very_long_name_of_a_take"
    clips = tuple(sliding_clip(f"{name} {k}", 0.0, 1.0) for k in range(40))
    show_model(driver.session, make_model([square()], clips=clips))
    check(driver)
    show_model(driver.session, morph_model(52))
    driver.session.interface.mixer_panels.tab = "Morphs"
    driver.frames(3)
    check(driver)
    choose(driver, "View")
    check(driver)
    character_files.open_files(driver.session, [asset_path("mannequin.glb")] * 3)
    check(driver)


@pytest.mark.parametrize("popup", POPUPS)
def test_pop_ups(driver, popup):
    driver.session.interface.error = LONG * 6
    driver.session.interface.popup = popup
    driver.session.notify(LONG * 2)
    check(driver)


@pytest.mark.parametrize("group", GROUPS)
def test_menus(driver, group):
    beside(driver, [f"menu {each}" for each in GROUPS] + ["frame time"])
    driver.click(f"menu {group}")
    check(driver)


def test_dragging_every_edge_keeps_the_panels_inside(driver):
    for name in ("mixer", "curves"):
        action(name).run(driver.session)
    driver.session.editor.start(DOCUMENT)
    driver.frames(4)
    for name in ("left", "right", "clips", "curves", "curves list"):
        for goal in ((2, 2), (driver.size[0] - 2, driver.size[1] - 2)):
            if f"{name} edge" in driver.marks:
                driver.drag(driver.place(f"{name} edge"), goal)
                check(driver)


@pytest.mark.parametrize("name", ["left", "right"])
def test_dragging_the_edge_of_a_column_is_remembered(usual, name):
    x, y = usual.place(f"{name} edge")
    further = 100 if name == "left" else -100
    covered = usual.session.aspect
    usual.drag((x, y), (x + further, y))
    assert usual.place(f"{name} edge")[0] == pytest.approx(x + further, abs=1)
    before = {"left": 18.0, "right": 17.0}[name]
    assert usual.session.settings.panels[name] == pytest.approx(before + 100 / 16, abs=0.1)
    assert usual.session.aspect < covered, "the scene has less room"
    usual.click(f"{name} edge")
    usual.click(f"{name} edge")
    assert name not in usual.session.settings.panels
    assert usual.place(f"{name} edge")[0] == pytest.approx(x)


def test_dragging_an_edge_keeps_the_camera(usual):
    before = usual.scene.camera.current.view().copy()
    usual.drag(usual.place("left edge"), (400, 500))
    assert (usual.scene.camera.current.view() == before).all()


def test_dragging_the_lists_of_the_curves_and_clips(usual):
    usual.session.editor.start(DOCUMENT)
    for key in "cm":
        usual.key(key)
    usual.size = (1280, 1000)
    usual.frames(4)
    for name, way in (("curves list", (60, 0)), ("clips", (0, 40))):
        x, y = usual.place(f"{name} edge")
        usual.drag((x, y), (x + way[0], y + way[1]))
        assert usual.place(f"{name} edge") == pytest.approx((x + way[0], y + way[1]), abs=2)
        assert name in usual.session.settings.panels


def test_clips_take_the_height_that_the_mixer_leaves(usual):
    def rows():
        top, bottom = usual.marks["clip Idle"][1::2]
        edge = usual.marks["clips edge"][1]
        return (edge - top) / (bottom - top)

    usual.session.editor.start(DOCUMENT)
    usual.key("m")
    usual.frames(4)
    assert rows() > 6
    usual.session.editor.start(MotionDoc(layers=(LayerSettings("base", "Walk"),)))
    usual.frames(4)
    assert rows() > 13
    usual.click("layer base")
    usual.frames(4)
    assert rows() > 7


def test_narrow_window_shows_the_scene_beside_its_panel(gl):
    driver = PanelDriver(gl, size=(700, 500))
    left = driver.session.interface.viewport.box[0]
    assert left == pytest.approx(240)
    assert driver.session.aspect == pytest.approx(
        (700 - left) / (driver.session.interface.viewport.box[3] - 20), rel=0.1
    )
    choose(driver, "View")
    assert "orthographic" in driver.marks
    driver.click("collapse")
    assert "orthographic" not in driver.marks
    assert driver.session.interface.viewport.box[0] == 0.0
    driver.click("collapse")
    assert "orthographic" in driver.marks
    driver.close()


def test_low_window_has_tabs_for_clips_and_mixer(gl):
    driver = PanelDriver(gl, size=(1280, 500))
    driver.key("m")
    driver.frames(3)
    assert "make layers" in driver.marks
    driver.click("tab Clips")
    assert "clip Walk" in driver.marks
    assert "make layers" not in driver.marks
    driver.close()


def test_the_list_of_clips_ends_with_its_rows(usual):
    def clips_end():
        """The lower ends of the last row and of the panel."""
        last = max(box[3] for name, box in usual.marks.items() if name.startswith("clip "))
        shown = windows()["Clips"]
        return last, shown.pos.y + shown.size.y

    usual.size = (1280, 1000)
    clips = tuple(sliding_clip(f"Clip {k}", 0.0, 1.0) for k in range(4))
    show_model(usual.session, make_model([square()], clips=clips))
    usual.frames(4)
    last, end = clips_end()
    assert end - last < 20
    usual.session.editor.start(MotionDoc(layers=(LayerSettings("base", "Clip 1"),)))
    usual.key("m")
    usual.click("layer base")
    usual.frames(4)
    last, end = clips_end()
    assert end - last < 20
    mixer = windows()["Mixer"]
    assert mixer.pos.y - end < 12, "the mixer begins there"
    assert not mixer.scrollbar_y
    bottom = usual.session.interface.viewport.box[3]
    assert bottom - mixer.pos.y - mixer.size.y < 14, "it has the rest"
