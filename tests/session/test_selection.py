"""The selection: its history, reloaded files, several characters, and clicks that select."""

import gc
import json
import weakref

import numpy as np
import pytest

from rigview.scene.selected import Hit, MeshPart, Selected, vertex_positions
from rigview.session import character_files, picking
from rigview.session.commands.actions import action
from tests.support.gltf_documents import make_glb, split_glb
from tests.support.light_mannequin import light_mannequin
from tests.support.looks import set_look
from tests.support.sessions import new_session

CHARACTER = light_mannequin(frozenset(("Idle", "Walk")))
SIZE = (640.0, 480.0)
HEAD, HIPS, LEFT_HAND = "Head", "Hips", "LeftHand"


@pytest.fixture
def paths(tmp_path):
    made = [tmp_path / f"{name}.glb" for name in ("one", "two")]
    for path in made:
        path.write_bytes(CHARACTER)
    return made


def session_of(*paths):
    session = new_session(100.0)
    session.tick()
    character_files.open_files(session, paths)
    session.update()
    return session


@pytest.fixture
def session(paths):
    return session_of(paths[0])


def select(session, name):
    joint = session.model.skeleton.find(name)
    session.selections.select(session.active, Selected(joint))
    session.update()
    return joint


def selected(session):
    current = session.selections.current
    return "" if current is None else current.name


def test_back_and_forward(session):
    for name in (HEAD, HIPS, HIPS, LEFT_HAND):
        select(session, name)
    action("back").run(session)
    assert selected(session) == HIPS
    action("back").run(session)
    assert selected(session) == HEAD
    action("back").run(session)
    assert selected(session) == HEAD
    assert session.interface.notice == "There is no earlier selection"
    action("forward").run(session)
    assert selected(session) == HIPS
    select(session, "Neck")
    action("forward").run(session)
    assert session.interface.notice == "There is no later selection"
    action("back").run(session)
    assert selected(session) == HIPS


def test_selected_joint(session):
    assert session.selected_joint == -1
    joint = select(session, HEAD)
    assert session.selected_joint == joint
    session.selections.select(session.active, Selected(joint, 0))
    assert session.selected_joint == -1


def test_nothing_selected(session):
    select(session, HEAD)
    session.selections.clear()
    session.update()
    assert selected(session) == ""
    assert session.scene.selected is None
    action("back").run(session)
    assert selected(session) == HEAD


def test_only_the_latest_selections_are_kept(session):
    for k in range(250):
        select(session, (HEAD, HIPS)[k % 2])
    steps = 0
    while session.selections.back():
        steps += 1
    assert steps == 99


def test_the_selection_is_no_change_of_the_document(session):
    select(session, HEAD)
    assert not session.dirty
    assert session.history.undo_label == ""


def test_weights_and_curves_show_the_selected_joint(session):
    action("weights").run(session)
    joint = select(session, LEFT_HAND)
    assert session.scene.weights_joint == joint
    assert session.interface.curves.subject == LEFT_HAND
    action("back").run(session)
    action("weights").run(session)
    action("weights").run(session)
    assert session.scene.weights_joint == joint


def test_selecting_activates_the_character(paths):
    session = session_of(*paths)
    first, second = session.open_characters
    joint = second.model.skeleton.find(HEAD)
    session.selections.select(second, Selected(joint))
    session.update()
    assert session.active is second
    assert session.scene.selected == Selected(joint)
    session.activate(first)
    session.update()
    assert session.scene.selected is None
    session.remove(second)
    assert session.selections.current is None
    assert not session.selections.back()


def rename(path, change):
    """Rewrite a file with the names of its nodes changed by a function."""
    text, blob = split_glb(path.read_bytes())
    document = json.loads(text)
    for node in document["nodes"]:
        node["name"] = change(node["name"])
    path.write_bytes(make_glb(document, blob))


def test_a_reloaded_file_keeps_the_selection_by_name(session, paths):
    select(session, HEAD)
    rename(paths[0], lambda name: "Skull" if name == HEAD else name)
    character_files.refresh(session)
    session.update()
    assert selected(session) == ""
    assert session.scene.selected is None
    paths[0].write_bytes(CHARACTER)
    character_files.refresh(session)
    session.update()
    assert selected(session) == HEAD


def test_selections_of_closed_files_are_forgotten(session, paths):
    """So that the memory of their models is freed."""
    select(session, HEAD)
    session.selections.pick_surface = Surfaces(part(session.model.instances[0].joint))
    picking.click(session, (100.0, 50.0), SIZE)
    closed = weakref.ref(session.active)
    character_files.open_file(session, paths[1])
    session.update()
    assert session.selections.current is None
    assert not session.selections.back()
    gc.collect()
    assert closed() is None


class Surfaces:
    """Parts behind each other at every pixel; the last triangle of the first is hit."""

    def __init__(self, *parts):
        self.parts = parts
        self.asked = []

    def __call__(self, _scene, size, pixel, omitted=(), _part=None):
        self.asked.append((size, pixel))
        left = [part for part in self.parts if part not in omitted]
        return Hit(left[0], 0, 0.0, pixel) if left else None


def part(node, primitive=0):
    return MeshPart(0, 0, node, primitive)


def test_clicks_at_one_place_go_through_what_is_there(session):
    near, far = (each.joint for each in session.model.instances[:2])
    session.selections.pick_surface = Surfaces(part(near), part(far))
    nodes = []
    for k in range(3):
        picking.click(session, (100.0 + k, 50.0), SIZE)
        session.update()
        nodes.append(session.scene.selected.joint)
    assert nodes == [near, far, near]
    assert session.selections.pick_surface.asked[0] == ((640, 480), (100, 50))
    picking.click(session, (140.0, 50.0), SIZE)
    assert session.selections.current.chosen.joint == near
    picking.click(session, (141.0, 50.0), SIZE)
    select(session, HEAD)
    picking.click(session, (141.0, 50.0), SIZE)
    assert session.selections.current.chosen.joint == near


def test_a_click_on_nothing_clears(session):
    session.selections.pick_surface = Surfaces()
    select(session, HEAD)
    picking.click(session, (1.0, 1.0), SIZE)
    assert session.selections.current is None


def test_joints_are_picked_while_the_skeleton_is_drawn(session):
    node = session.model.instances[0].joint
    session.selections.pick_surface = Surfaces(part(node))
    camera, joint = session.scene.camera.used, session.model.skeleton.find(HEAD)
    point = session.character.joint_world(joint)[:3, 3]
    place = tuple((camera.project(point, SIZE[0] / SIZE[1])[:2] * SIZE).tolist())
    picking.click(session, place, SIZE)
    assert session.selections.current.chosen == Selected(node, 0)
    set_look(session.scene, skeleton=True)
    picking.click(session, place, SIZE)
    assert selected(session) == HEAD
    assert len(session.selections.pick_surface.asked) == 1
    assert picking.at(session, (3.0, 3.0), SIZE) == (session.active, Selected(node, 0))


@pytest.mark.parametrize("switch", ["weights", "wireframe"])
def test_vertices_are_picked_while_weights_or_wires_are_shown(session, switch):
    instance = next(each for each in session.model.instances if each.in_scene)
    primitive = session.model.meshes[instance.mesh].primitives[0]
    session.selections.pick_surface = Surfaces(part(instance.joint))
    action(switch).run(session)
    camera = session.scene.camera.used
    for vertex in primitive.indices[:3].tolist():
        whole = Selected(instance.joint, 0)
        (point,) = vertex_positions(session.character, whole, np.array([vertex]))
        place = tuple((camera.project(point, SIZE[0] / SIZE[1])[:2] * SIZE).tolist())
        picking.click(session, place, SIZE)
        assert session.selections.current.chosen == Selected(instance.joint, 0, vertex)
        assert selected(session).startswith(f"vertex {vertex} of ")
