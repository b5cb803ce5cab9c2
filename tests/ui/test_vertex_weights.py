"""Editing the weights of a vertex in the inspector."""

import numpy as np
import pytest

from rigview.model.edits import VertexKey, same_vertices
from rigview.scene.selected import Selected
from rigview.session.commands.actions import redo, undo
from rigview.session.inspector import vertex_facts


@pytest.fixture
def vertex(driver):
    """A selected vertex that two joints move."""
    model = driver.session.model
    instance = model.instances[0]
    part = model.meshes[instance.mesh].primitives[0]
    few = (part.weights > 0.2).sum(axis=1) > 1
    number = int(np.flatnonzero(few & ((part.weights > 0).sum(axis=1) == 2))[0])
    driver.session.transport.pause_at(0.0)
    driver.session.selections.select(driver.session.active, Selected(instance.joint, 0, number))
    driver.frames(3)
    return VertexKey(instance.mesh, 0, number)


def weights(driver, key):
    """Weights by joint name."""
    model = driver.session.model
    part = model.meshes[key.mesh].primitives[key.primitive]
    skin = model.skins[model.instances[0].skin].joints
    row = zip(part.joints[key.vertex], part.weights[key.vertex], strict=True)
    return {model.skeleton.names[skin[j]]: float(w) for j, w in row if w}


def slide(driver, name, share):
    left, top, right, bottom = driver.marks[f"weight of {name}"]
    middle = (top + bottom) / 2
    driver.drag(((left + right) / 2, middle), (left + share * (right - left), middle))


def test_a_drag_sets_the_weight_and_the_others_share_the_rest(driver, vertex):
    before = weights(driver, vertex)
    one, other = before
    slide(driver, one, 0.8)
    now = weights(driver, vertex)
    assert now[one] == pytest.approx(0.8, abs=0.03)
    assert sum(now.values()) == pytest.approx(1.0)
    assert list(now) == [one, other]
    facts = vertex_facts(driver.session.character, driver.session.selected)
    assert dict(facts.influences)[driver.session.model.skeleton.find(one)] == now[one]
    session = driver.session
    assert session.history.undo_label == f"Weight of {one}"
    undo(session)
    assert weights(driver, vertex) == before
    assert not session.history.undo_label
    redo(session)
    assert weights(driver, vertex) == now


def test_a_drag_to_the_end_and_back_keeps_the_others(driver, vertex):
    before = weights(driver, vertex)
    one, other = before
    left, top, right, bottom = driver.marks[f"weight of {one}"]
    middle = (top + bottom) / 2
    driver.press((left + right) / 2, middle)
    driver.move(right + 20, middle)
    assert weights(driver, vertex) == {one: 1.0}
    driver.move(left + 0.5 * (right - left), middle)
    driver.release()
    assert weights(driver, vertex)[other] == pytest.approx(0.5, abs=0.05)


def test_all_vertices_of_the_place_are_edited(driver, vertex):
    one = next(iter(weights(driver, vertex)))
    places = same_vertices(driver.session.model, vertex)
    slide(driver, one, 0.9)
    assert set(driver.session.active.changes.edits.weights) == set(places)
    assert len({tuple(weights(driver, each).items()) for each in places}) == 1


def test_a_joint_is_removed_and_another_added(driver, vertex):
    one, other = weights(driver, vertex)
    driver.click(f"remove {one}")
    assert weights(driver, vertex) == {other: 1.0}
    assert f"weight of {one}" not in driver.marks
    driver.click("add weight")
    driver.type("Head")
    driver.key("enter")
    driver.frames(2)
    assert weights(driver, vertex) == {other: 0.75, "Head": 0.25}
    driver.click("fact Sum")
    undo(driver.session)
    undo(driver.session)
    assert set(weights(driver, vertex)) == {one, other}


def test_the_surface_is_drawn_with_the_new_weights(driver, vertex):
    session = driver.session
    part = session.model.meshes[vertex.mesh].primitives[0]
    head = (
        session.model.skins[session.model.instances[0].skin]
        .joints.tolist()
        .index(session.model.skeleton.find("Head"))
    )
    session.scene.show_weights(session.model.skeleton.find("Head"))
    before = driver.picture(scene=True).astype(int)
    rows = {
        VertexKey(vertex.mesh, 0, v): ((head, 0, 0, 0), (1.0, 0.0, 0.0, 0.0))
        for v in range(len(part.positions))
    }
    changes = session.active.changes
    changes.edit(changes.edits.with_weights(changes.base, rows), "All")
    after = driver.picture(scene=True).astype(int)
    left, top, right, bottom = (round(x) for x in session.interface.viewport.box)
    changed = np.abs(after - before)[top:bottom, left:right].max(axis=-1) > 30
    assert changed.mean() > 0.01
    undo(session)
    again = driver.picture(scene=True).astype(int)
    assert np.abs(again - before)[top:bottom, left:right].mean() < 1.0
