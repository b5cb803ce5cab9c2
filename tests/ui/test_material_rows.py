"""The material of a part in the inspector: editing its factors, and pictures of its textures."""

import numpy as np
import pytest

from rigview.model.edits import FactorKey
from rigview.model.material import FACTORS, Clearcoat, Material, TextureRef
from rigview.scene.selected import Selected
from rigview.session.commands.actions import undo
from rigview.ui.material_rows import TexturePictures, _decoded, _encoded, _is_used
from rigview.window.thumbnails import LONGEST, Thumbnails, small
from tests.support.panels import PanelDriver
from tests.support.shared import MODELS, needs_shared


def select_part(driver):
    own = driver.session.active
    joint = next(i.joint for i in own.model.instances if i.in_scene)
    driver.session.selections.select(own, Selected(joint, 0))
    driver.frames(3)
    return own


def test_a_slider_edits_a_factor_as_one_step(driver):
    own = select_part(driver)
    left, top, right, bottom = driver.marks["factor roughness"]
    middle = (top + bottom) / 2
    before = own.model.materials[0].roughness
    driver.drag((left + 0.9 * (right - left), middle), (left + 0.25 * (right - left), middle))
    assert own.model.materials[0].roughness == pytest.approx(0.25, abs=0.03)
    assert own.changes.words == "1 material factor"
    assert driver.session.history.undo_label.startswith("Roughness of")
    undo(driver.session)
    assert own.model.materials[0].roughness == before
    assert not driver.session.history.undo_label


def test_a_colour_is_dragged_in_linear_numbers(driver):
    own = select_part(driver)
    left, top, right, bottom = driver.marks["factor base_color"]
    red = (left + 0.1 * (right - left), (top + bottom) / 2)
    before = own.model.materials[0].base_color
    driver.drag(red, (red[0] - 60, red[1]))
    now = own.model.materials[0].base_color
    assert now[0] < before[0]
    assert now[1:] == before[1:]
    assert list(own.changes.edits.factors) == [FactorKey(0, "base_color")]


def test_the_edited_colour_is_drawn(driver):
    own = select_part(driver)
    before = driver.picture(scene=True).astype(int)
    edits = own.changes.edits.with_factor(
        own.changes.base, FactorKey(0, "base_color"), (1.0, 0.0, 0.0, 1.0)
    )
    own.changes.edit(edits, "Colour")
    red = driver.picture(scene=True).astype(int)
    left, top, right, bottom = (round(x) for x in driver.session.interface.viewport.box)
    view = slice(top, bottom), slice(left, right)
    assert (red[view] - before[view])[..., 1].min() < -60
    undo(driver.session)
    again = driver.picture(scene=True).astype(int)
    assert np.abs(again[view] - before[view]).mean() < 1.0


def test_linear_and_encoded_components_are_inverse():
    for x in (0.0, 0.001, 0.2, 1.0, 4.0):
        assert _decoded(_encoded(x)) == pytest.approx(x)


def test_factors_of_absent_parts_are_not_shown():
    def used(material):
        return {name for name, row in FACTORS.items() if _is_used(material, row)}

    plain = used(Material())
    assert {"base_color", "roughness", "emissive_strength", "ior"} <= plain
    assert not plain & {"normal_scale", "occlusion_strength", "alpha_cutoff"}
    assert not any("." in name for name in plain)
    more = used(Material(normal_texture=TextureRef(0), alpha_mode="MASK", clearcoat=Clearcoat()))
    assert {"normal_scale", "alpha_cutoff", "clearcoat.factor"} <= more
    assert "clearcoat.normal_scale" not in more


@needs_shared
def test_textures_have_pictures_and_a_click_shows_one_large(gl):
    driver = PanelDriver(gl, MODELS / "Fox.glb", (1280, 1400))
    try:
        own = select_part(driver)
        pictures = driver.session.interface.of(TexturePictures)
        image = own.model.images[0]
        assert pictures.wanted == [image]
        Thumbnails(driver.gui).show(driver.session)
        driver.session.jobs.poll()
        assert pictures.made[image][1:] == small(image).shape[1::-1]
        assert max(pictures.made[image][1:]) <= LONGEST
        before = driver.picture()
        left, top, right, bottom = map(round, driver.marks["texture base colour"])
        assert np.ptp(before[top:bottom, left : left + 30].reshape(-1, 3), axis=0).max() > 60
        driver.click("texture base colour")
        driver.frames(3)
        assert pictures.large is image
        left, top, right, bottom = map(round, driver.marks["large texture"])
        assert right - left > 400
        inside = driver.picture()[top:bottom, left:right]
        assert np.ptp(inside.reshape(-1, 3), axis=0).min() > 60
        driver.key("escape")
        assert driver.session.interface.popup == ""
    finally:
        driver.close()
