"""The inspector: what it shows of joints, vertices and parts, what its clicks copy and select."""

import math
from dataclasses import replace

import numpy as np
import pytest
from imgui_bundle import imgui

from rigview.checks.finding import Finding
from rigview.model.model import CameraView, LightSource
from rigview.scene.selected import Selected
from rigview.session import character_files
from rigview.session.findings.findings_view import FindingsView
from rigview.session.inspector import joint_facts, morph_effects
from rigview.tasks.check_in_background import CheckReport
from rigview.ui.inspector_panel import MOST, MOST_MORPHS
from tests.support.animated_value_files import LIGHT, FeatureBuilder
from tests.support.light_mannequin import light_mannequin
from tests.support.models import make_model, rod_model, show_model, square
from tests.support.panels import PanelDriver


@pytest.fixture(scope="module")
def character(tmp_path_factory):
    path = tmp_path_factory.mktemp("inspector") / "character.glb"
    path.write_bytes(light_mannequin(frozenset(("Walk",))))
    return path


@pytest.fixture
def driver(gl, character):
    driver = PanelDriver(gl, character, size=(1280, 1000))
    yield driver
    driver.close()


def select(driver, chosen):
    session = driver.session
    if isinstance(chosen, str):
        chosen = Selected(session.model.skeleton.find(chosen))
    session.selections.select(session.active, chosen)
    driver.frames(3)


def selected(driver):
    return driver.session.selections.current.name


def copied(driver):
    assert driver.session.interface.notice.startswith("Copied ")
    return imgui.get_clipboard_text()


def click_column(driver, name, column, count):
    """Click one of the numbers of a row."""
    left, top, right, bottom = driver.marks[f"numbers {name}"]
    driver.press(left + (right - left) * (column + 0.5) / count, (top + bottom) / 2)
    driver.release()


def test_the_hierarchy_of_a_joint(driver):
    select(driver, "LeftForeArm")
    names = driver.session.model.skeleton.names
    parent = names[driver.session.model.skeleton.parents[names.index("LeftForeArm")]]
    driver.click("fact Parent")
    assert selected(driver) == parent
    select(driver, "Hips")
    driver.click("fact Children")
    driver.frames(2)
    driver.click("child Spine")
    assert selected(driver) == "Spine"
    driver.key("left_alt", "left_arrow")
    assert selected(driver) == "Hips"


def test_clicks_copy_numbers(driver):
    select(driver, "LeftForeArm")
    joint = driver.session.model.skeleton.find("LeftForeArm")
    click_column(driver, "Translation", 1, 3)
    translation = driver.session.character.pose.translation[joint]
    assert float(copied(driver)) == pytest.approx(float(translation[1]), rel=1e-6)
    driver.click("fact Translation")
    numbers = [float(text) for text in copied(driver).split(", ")]
    assert numbers == pytest.approx(translation.tolist(), abs=1e-7)
    driver.click("pose of rest")
    driver.click("fact Quaternion")
    numbers = [float(text) for text in copied(driver).split(", ")]
    rest = driver.session.model.skeleton.rest.rotation[joint]
    assert numbers == pytest.approx(rest.tolist(), abs=1e-7)
    driver.click("inspected")
    assert copied(driver) == "LeftForeArm"


def test_the_matrix_of_a_space(driver):
    select(driver, "Head")
    driver.click("pose of bind")
    driver.click("space of model")
    driver.click("form of matrix")
    driver.frames(2)
    driver.click("fact Matrix")
    rows = [[float(text) for text in line.split(", ")] for line in copied(driver).splitlines()]
    character, joint = driver.session.character, driver.session.model.skeleton.find("Head")
    np.testing.assert_allclose(rows, character.still_matrices("bind")[joint], atol=1e-6)
    click_column(driver, "Matrix 1", 3, 4)
    assert float(copied(driver)) == pytest.approx(rows[1][3])
    assert "fact Quaternion" not in driver.marks


def test_a_click_on_a_track_opens_its_curves(driver):
    select(driver, "LeftForeArm")
    driver.click("track Rotation")
    view = driver.session.interface.curves
    assert (view.shown, view.subject, view.chart) == (True, "LeftForeArm", "Rotation")


def test_a_vertex(driver):
    model = driver.session.model
    part = model.meshes[model.instances[0].mesh].primitives[0]
    vertex = int(np.flatnonzero((part.weights > 0.2).sum(axis=1) > 1)[0])
    select(driver, Selected(model.instances[0].joint, 0, vertex))
    bars = [name for name in driver.marks if name.startswith("weight of ")]
    assert len(bars) == np.count_nonzero(part.weights[vertex])
    driver.click("fact Stored")
    numbers = [float(text) for text in copied(driver).split(", ")]
    assert numbers == pytest.approx(part.positions[vertex].tolist(), abs=1e-7)
    driver.click("fact World normal")
    numbers = [float(text) for text in copied(driver).split(", ")]
    assert math.hypot(*numbers) == pytest.approx(1.0, abs=1e-6)
    driver.click("fact Sum")
    assert copied(driver) == "1"
    name = bars[0].removeprefix("weight of ")
    driver.click(f"select {name}")
    assert selected(driver) == name


def test_the_morph_targets_that_move_a_vertex(driver):
    """They are listed by how far they move it now; a click finds one in the list."""
    session = driver.session
    model, character = session.model, session.character
    node, part = next(
        (each.joint, model.meshes[each.mesh].primitives[0])
        for each in model.instances
        if each.channel >= 0
    )
    moved = np.linalg.norm(part.morph.positions, axis=-1)  # [M, V]
    vertex = int((moved > 1e-4).sum(axis=0).argmax())
    targets = np.flatnonzero(moved[:, vertex] > 1e-6)
    driver.session.transport.pause_at(0.0)
    select(driver, Selected(node, 0, vertex))
    effects = morph_effects(character, session.selected)
    assert len(effects) == len(targets) > 1
    listed = [f"fact {effect.target}" for effect in effects[:MOST_MORPHS]]
    assert set(listed) <= set(driver.marks)
    driver.click(listed[0])
    driver.frames(2)
    assert session.interface.outliner.filter_morphs == effects[0].target
    assert "search morphs" in driver.marks


def test_a_vertex_of_a_rigid_mesh_has_no_weights(driver):
    model = driver.session.model
    rigid = next(each for each in model.instances if each.skin < 0)
    select(driver, Selected(rigid.joint, 0, 0))
    assert "fact Stored" in driver.marks
    assert not [name for name in driver.marks if name.startswith("weight of ")]
    assert "fact Sum" not in driver.marks
    select(driver, Selected(rigid.joint))
    assert "fact Vertices moved" in driver.marks
    assert "fact Greatest weight" not in driver.marks


def test_a_part_and_its_node(driver):
    instance = driver.session.model.instances[0]
    part = driver.session.model.meshes[instance.mesh].primitives[0]
    select(driver, Selected(instance.joint, 0))
    driver.click("fact Vertices")
    assert copied(driver) == str(len(part.positions))
    driver.click("fact Attributes")
    assert copied(driver).startswith("POSITION, NORMAL")
    driver.click("fact Node")
    assert selected(driver) == driver.session.model.skeleton.names[instance.joint]
    driver.click("fact Mesh")
    assert not driver.session.selections.current.is_joint


def test_cameras_and_lights(driver):
    camera = CameraView("Eye", 1, "perspective", math.radians(45), 1.0, 1.0, 0.1, math.inf)
    light = LightSource("Lamp", 0, 2, "spot", (1.0, 0.5, 0.25), 40.0, 5.0, 0.0, math.pi / 4)
    model = make_model([square()], (-1, 0, 0), cameras=(camera,), lights=(light,))
    show_model(driver.session, model)
    select(driver, Selected(1))
    driver.click("fact Field of view")
    assert copied(driver) == "45°"
    select(driver, Selected(2))
    driver.click("fact Light")
    assert copied(driver) == "spot, 40 cd, up to 5 m"


def test_cameras_and_lights_have_the_values_of_the_time(driver, tmp_path):
    b = FeatureBuilder()
    lamp = {"KHR_lights_punctual": {"light": b.light(type="point", intensity=40)}}
    eye = b.add("cameras", type="perspective", perspective={"yfov": 1.0, "znear": 0.1})
    b.add("nodes", name="Lamp", mesh=b.square(), extensions=lamp)
    b.add("nodes", name="Eye", camera=eye)
    angle = np.radians([20.0, 60.0])
    b.pointer(
        (f"{LIGHT}/intensity", [0, 1], [40, 20]), ("/cameras/0/perspective/yfov", [0, 1], angle)
    )
    character_files.open_file(driver.session, b.path(tmp_path))
    driver.session.transport.pause_at(0.5)
    select(driver, "Lamp")
    driver.click("fact Light")
    assert copied(driver) == "point, 30 cd"
    select(driver, "Eye")
    driver.click("fact Field of view")
    assert copied(driver) == "40°"


def test_numbers_that_are_not_finite_are_drawn(driver):
    model = rod_model()
    model.skeleton.rest.scale[2] = np.inf
    show_model(driver.session, model)
    for space in ("local", "model", "world"):
        select(driver, Selected(2))
        driver.click(f"space of {space}")
    assert "fact From rest" in driver.marks


def test_the_selected_character_is_inspected(driver, character):
    first = driver.session.active
    character_files.add_files(driver.session, [character])
    driver.frames(3)
    select(driver, "Head")
    assert driver.session.selections.current.character is not first
    driver.key("a")
    driver.frames(2)
    assert driver.session.active is first
    assert "inspected" not in driver.marks, "the active character has no selection"


def test_a_replaced_model_is_read_again(driver):
    model = rod_model()
    show_model(driver.session, model)
    select(driver, Selected(2))
    part = model.meshes[0].primitives[0]
    assert joint_facts(model, 2).greatest_weight == 1.0
    light = replace(part, weights=part.weights * np.float32(0.5))
    other = replace(model, meshes=(replace(model.meshes[0], primitives=(light,)),))
    show_model(driver.session, other)
    select(driver, Selected(2))
    assert joint_facts(other, 2).greatest_weight == 0.5


def test_weights_and_curves_share_the_selection(driver):
    find, scene = driver.session.model.skeleton.find, driver.scene
    select(driver, "LeftForeArm")
    driver.key("h")
    assert scene.weights_joint == find("LeftForeArm")
    driver.key("c")
    assert driver.session.interface.curves.subject == "LeftForeArm"
    driver.frames(3)
    driver.click("curves of LeftUpLeg")
    assert selected(driver) == "LeftUpLeg"
    assert scene.weights_joint == find("LeftUpLeg")
    driver.click("overlay settings")
    driver.click("joint")
    driver.frames(2)
    driver.type("LeftArm")
    driver.key("enter")
    assert selected(driver) == "LeftArm"
    assert driver.session.interface.curves.subject == "LeftArm"
    select(driver, Selected(driver.session.model.instances[0].joint, 0))
    assert scene.weights_joint == find("LeftArm"), "a part of a mesh is not a joint"


def test_the_findings_of_a_joint(driver):
    seam = Finding(
        "It jumps",
        rule="loop-seam",
        severity="warning",
        fix="fix it",
        place="",
        amount=12.3,
        unit="mm",
        limit=5.0,
        clip="Walk",
        joint="LeftForeArm",
    )
    other = Finding("It jumps", rule="loop-seam", severity="warning", fix="fix it", joint="Hips")
    active = driver.session.active
    active.check.finish(CheckReport(findings=(seam, other)), 0.1)
    select(driver, "LeftForeArm")
    assert "own finding 0" in driver.marks
    assert "own finding 1" not in driver.marks
    driver.click("own finding 0")
    driver.frames(2)
    assert driver.session.interface.of(FindingsView).opened is seam
    assert "finding fix" in driver.marks, "the panel of findings is shown"
    assert selected(driver) == "LeftForeArm"
    select(driver, "Head")
    driver.click("tab Inspector")
    driver.frames(2)
    assert "own finding 0" not in driver.marks
    model = active.model
    rigid = Finding(
        "It has none",
        rule="mesh-normals",
        severity="error",
        fix="add",
        place=f"/meshes/{model.instances[0].mesh}",
    )
    active.check.finish(CheckReport(findings=(rigid,)), 0.1)
    select(driver, Selected(model.instances[0].joint, 0))
    driver.frames(2)
    driver.click("own finding 0")
    assert driver.session.interface.of(FindingsView).opened is rigid
    many = tuple(replace(other, time=0.1 * k) for k in range(MOST + 2))
    active.check.finish(CheckReport(findings=many), 0.1)
    select(driver, "Hips")
    driver.click("tab Inspector")
    driver.click("more own findings")
    assert driver.session.interface.of(FindingsView).filter == "Hips"
