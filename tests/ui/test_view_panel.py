"""The panels "View" and "File": view modes, cameras, variants, lights."""

from dataclasses import replace

import numpy as np
import pytest
from imgui_bundle import imgui

from rigview.model.model import Packed
from rigview.scenedoc.view_modes import INFLUENCES, VIEWS
from tests.support.full_file import full_file
from tests.support.looks import set_look
from tests.support.models import rod_model, show_model
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path):
    driver = PanelDriver(gl, full_file().path(tmp_path), size=(1280, 1000))
    yield driver
    driver.close()


def test_view_modes_draw_different_pictures(driver):
    driver.click("tab Stage")
    driver.click("view mode")
    listed = [name for name in driver.marks if name.startswith("view mode ")]
    assert listed == [f"view mode {name}" for name in VIEWS]
    driver.click("view mode face-normals")
    assert driver.scene.look.shading.view_mode == "face-normals"


def test_choosing_a_view_mode_hides_joint_weights(driver):
    set_look(driver.scene, weights_joint=0)
    driver.click("tab Stage")
    driver.click("view mode")
    driver.click("view mode alpha")
    assert driver.scene.weights_joint == -1


def test_tooltip_of_a_view_mode(driver):
    driver.click("tab Stage")
    driver.click("view mode")
    before = driver.picture()
    driver.move(*driver.place("view mode influences"))
    driver.frames(60)
    after = driver.picture()
    assert (after != before).any(axis=-1).sum() > 2000  # more than the highlighted row


def test_view_modes_by_key(driver):
    names = list(VIEWS)
    driver.key("v")
    assert driver.scene.look.shading.view_mode == names[1]
    driver.key("left_shift", "v")
    driver.key("left_shift", "v")
    assert driver.scene.look.shading.view_mode == names[-1]


def test_file_cameras(driver):
    driver.click("camera")
    listed = [name for name in driver.marks if name.startswith("camera ")]
    assert listed == ["camera -1", "camera 0", "camera 1", "camera 2"]
    driver.click("camera 1")
    assert not driver.scene.camera.uses_orbit
    orbit = driver.scene.camera.orbit.ortho
    driver.click("orthographic")  # disabled: the file's camera has its own projection
    assert driver.scene.camera.orbit.ortho is orbit
    driver.click("camera")
    driver.click("camera -1")
    assert driver.scene.camera.uses_orbit


def test_material_variants(driver):
    driver.click("variant")
    driver.click("variant 1")
    assert driver.scene.character.variant == 1
    driver.click("variant")
    driver.click("variant -1")
    assert driver.scene.character.variant == -1


def test_file_without_cameras_and_variants(gl):
    driver = PanelDriver(gl)
    try:
        show_model(driver.session, rod_model())
        driver.frames(2)
        assert not {"camera", "variant"} & set(driver.marks)
    finally:
        driver.close()


def test_only_morph_weights_are_morph_targets(driver):
    assert driver.session.model.channels, "targets of KHR_animation_pointer"
    driver.click("tab Morphs")
    assert "search morphs" not in driver.marks


def test_lights_and_unsupported_extensions_are_listed(driver):
    assert "not drawn" in driver.marks
    assert "light Bulb" in driver.marks
    assert "packed" not in driver.marks
    packed = (Packed("KHR_draco_mesh_compression", 5031, 22552),)
    facts = replace(driver.session.model.facts, not_drawn=(), packed=packed)
    show_model(driver.session, replace(driver.session.model, facts=facts, lights=()))
    driver.frames(2)
    assert "packed" in driver.marks
    assert "not drawn" not in driver.marks
    assert "light Bulb" not in driver.marks


def test_the_legend_names_the_colours(driver):
    driver.frames(2)
    assert "legend" not in driver.marks, "the surface is lit"
    panels = [driver.marks[name] for name in ("orthographic", "scrub")]
    set_look(driver.scene, view_mode="influences")
    driver.frames(3)
    legend = driver.marks["legend"]
    left, _, right, bottom = driver.session.interface.viewport.box
    assert left < legend[0] < legend[2] < panels[0][0] <= right, "beside the right panel"
    assert driver.marks["bones"][3] < legend[1], "below the overlays"
    assert legend[3] < (driver.marks["bones"][1] + bottom) / 2, "not over the feet"
    low, top, high, end = map(round, legend)
    pixels = driver.picture()[top:end, low:high].reshape(-1, 3).astype(int)
    for swatch in INFLUENCES:
        assert (np.abs(pixels - np.multiply(255, swatch.colour)) < 3).all(axis=1).any()
    assert legend[0] > driver.marks["clip Turn"][2] if "clip Turn" in driver.marks else True
    driver.key("tab")
    assert driver.marks["legend"][0] < legend[0], "at the edge without panels"


@pytest.mark.parametrize("mode", [mode for mode in VIEWS if mode != "lit"])
@pytest.mark.parametrize("size", [(1280, 1000), (900, 700)])
def test_legends_are_one_strip_at_one_place(driver, monkeypatch, mode, size):
    written = []
    for name in ("text", "text_disabled"):
        before = getattr(imgui, name)
        monkeypatch.setattr(
            imgui, name, lambda words, of=before: (written.append(words), of(words))
        )
    driver.size = size
    set_look(driver.scene, view_mode=mode)
    driver.frames(4)
    left, top, right, low = driver.marks["legend"]
    beside = driver.marks["bones"]
    assert (left, top) == pytest.approx(
        (beside[0], driver.session.interface.viewport.over[1][3] + 4)
    )
    assert right < driver.session.interface.viewport.box[2]
    assert driver.session.interface.viewport.top == low
    view = VIEWS[mode]
    assert view.label in written, "whole"
    assert view.what not in written, "no sentence"
    assert all(swatch.label in written for swatch in view.swatches or view.ticks)


def test_file_lists_triangles_and_texture_memory(driver):
    driver.frames(2)
    assert "row Triangles" in driver.marks
    assert "row Texture memory" in driver.marks


def test_onion_skins(driver):
    driver.click("pose settings")
    scene = driver.scene
    left, top, right, bottom = driver.marks["onion skins"]
    assert "onion step" not in driver.marks
    driver.drag((left + 2.0, (top + bottom) / 2), ((left + right) / 2, (top + bottom) / 2))
    assert scene.look.overlays.onion_skins == 5
    left, top, right, bottom = driver.marks["onion step"]
    driver.drag((left + 2.0, (top + bottom) / 2), (right + 50.0, (top + bottom) / 2))
    assert scene.look.overlays.onion_step == 30
