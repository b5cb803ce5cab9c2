"""Imported clips of skeletons with nodes outside the skin, or with other names."""

import numpy as np
import pytest

from rigview.loading.import_clips import import_clips
from rigview.loading.load import load
from rigview.motion.document import RetargetSettings
from tests.support.humanoids import joint_positions, sampled_pose
from tests.support.library_files import BODY, FINGERS, LAST, body_file

TIMES = np.linspace(0, 1, 13)
NUMBERS = {name: f"bone_{k:02}" for k, name in enumerate(BODY)}


def rotations(model, clip, names):
    pose = sampled_pose(model, clip, TIMES)
    return pose.rotation[:, [model.skeleton.find(name) for name in names]]


def assert_same_rotations(a, b, tolerance=1e-3):
    assert np.abs(np.einsum("tjc,tjc->tj", a, b)).min() > np.cos(tolerance / 2)


@pytest.mark.parametrize("prefix", ["", "mixamorig:"])
def test_nodes_below_the_joints_of_a_skin_are_retargeted(tmp_path, prefix):
    library = body_file(tmp_path / "moves.glb", clips=["Move"])
    target = load(body_file(tmp_path / "big.glb", size=1.5, rename=lambda name: prefix + name))
    model, (imported,) = import_clips(target, [library])
    assert (
        imported.summary == "1 animation, retargeted: 23 of 23 joints matched, 0 at rest, 0 extra"
    )
    source = load(library)
    theirs = rotations(source, source.clips[0], LAST)
    assert np.abs(theirs[..., 3]).min() < 0.99  # they move
    assert_same_rotations(
        rotations(model, model.clips[0], [prefix + name for name in LAST]), theirs
    )


def test_nodes_between_and_above_the_joints_of_a_skin_are_retargeted(tmp_path):
    """Neither the hips nor the spine bind a vertex."""
    plain = ("Hips", "Spine", *LAST)
    library = body_file(tmp_path / "moves.glb", clips=["Move"], plain=plain)
    target = load(body_file(tmp_path / "big.glb", size=1.5, plain=plain))
    model, (imported,) = import_clips(target, [library])
    assert imported.summary.startswith("1 animation, retargeted: 23 of 23 joints matched")
    source = load(library)
    names = tuple(BODY)
    assert_same_rotations(
        rotations(model, model.clips[0], names), rotations(source, source.clips[0], names)
    )


def test_joint_of_one_skin_and_node_of_the_other(tmp_path):
    library = body_file(tmp_path / "moves.glb", clips=["Move"])
    target = load(body_file(tmp_path / "big.glb", size=1.5, plain=()))
    model, (imported,) = import_clips(target, [library])
    assert imported.unmatched == imported.lost == ()
    source = load(library)
    assert_same_rotations(
        rotations(model, model.clips[0], LAST), rotations(source, source.clips[0], LAST)
    )


def test_lost_tracks_are_counted(tmp_path):
    library = body_file(tmp_path / "moves.glb", clips=["Move", "Turn"])
    places = {name: place for name, place in BODY.items() if name not in LAST}
    target = load(body_file(tmp_path / "big.glb", size=1.5, places=places, plain=()))
    _, (imported,) = import_clips(target, [library])
    assert imported.summary == (
        "2 animations, retargeted: 21 of 21 joints matched, 0 at rest, 2 extra, 4 tracks lost"
    )
    assert imported.details[-1] == (
        "lost: LeftIndex3 rotation in 2 animations, RightIndex3 rotation in 2 animations"
    )
    still = body_file(tmp_path / "still.glb", clips=["Move"], animated=set(places))
    assert import_clips(target, [still])[1][0].lost == ()


@pytest.mark.parametrize("reverse", [False, True])
def test_equal_skeletons_with_other_names(tmp_path, reverse):
    library = body_file(tmp_path / "moves.glb", clips=["Move"])
    target = load(body_file(tmp_path / "other.glb", rename=NUMBERS.__getitem__, reverse=reverse))
    model, (imported,) = import_clips(target, [library])
    assert imported.summary == "1 animation, verbatim: equal skeletons"
    assert imported.matched[0] == ("Hips", "bone_00")
    source = load(library)
    places = joint_positions(source, source.clips[0], TIMES)
    copied = joint_positions(model, model.clips[0], TIMES)
    for name, other in NUMBERS.items():
        np.testing.assert_array_equal(
            copied[:, model.skeleton.find(other)], places[:, source.skeleton.find(name)]
        )


def test_renamed_skeleton_without_the_nodes_below(tmp_path):
    library = body_file(tmp_path / "moves.glb", clips=["Move"])
    places = {name: place for name, place in BODY.items() if name not in LAST}
    target = load(
        body_file(tmp_path / "o.glb", places=places, plain=(), rename=NUMBERS.__getitem__)
    )
    _, (imported,) = import_clips(target, [library])
    assert imported.summary == "1 animation, verbatim: equal skeletons, 2 tracks lost"


def changed(**places):
    return BODY | {name: (BODY[name][0], place) for name, place in places.items()}


def swapped(name):
    sides = {"Left": "Right", "Right": "Left"}
    side = next((side for side in sides if name.startswith(side)), "")
    return sides.get(side, "") + name.removeprefix(side)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 1.5, "rename": NUMBERS.__getitem__},
        {"places": changed(Head=(0, 1.65, 0)), "rename": NUMBERS.__getitem__},
        {"places": {n: p for n, p in BODY.items() if n not in FINGERS}, "plain": ()},
        {"rename": swapped},
    ],
    ids=["scaled", "other proportions", "without fingers", "names of the other side"],
)
def test_other_skeletons_are_not_equal(tmp_path, options):
    library = body_file(tmp_path / "moves.glb", clips=["Move"])
    _, (imported,) = import_clips(
        load(body_file(tmp_path / "other.glb", **options)), [library], force=True
    )
    assert not imported.verbatim


def test_joint_map_of_the_user_wins(tmp_path):
    library = body_file(tmp_path / "moves.glb", clips=["Move"])
    target = load(body_file(tmp_path / "other.glb", rename=NUMBERS.__getitem__))
    right = {name: NUMBERS[name] for name in ("LeftArm", "Head")}
    assert import_clips(target, [library], right)[1][0].verbatim
    assert not import_clips(target, [library], right | {"Spine": ""}, force=True)[1][0].verbatim
    wrong = {"LeftArm": NUMBERS["RightArm"]}
    assert not import_clips(target, [library], wrong, force=True)[1][0].verbatim
    hips = {"source_hips": "Hips", "hips": NUMBERS["Spine"]}
    settings = RetargetSettings(**hips)
    assert not import_clips(target, [library], None, settings, force=True)[1][0].verbatim


def test_nearest_of_many_children_is_the_same_joint(tmp_path):
    """A joint with many children in the other order, neighbours within tolerance of each other."""
    names = [f"joint_{k}" for k in range(1500)]
    places = {name: (names[0] if k else "", (k / 50, k / 50, 0)) for k, name in enumerate(names)}
    moves = body_file(
        tmp_path / "a.glb", places=places, plain=(), clips=["Move"], animated=names[:9]
    )
    other = body_file(
        tmp_path / "b.glb", places=places, plain=(), rename=lambda name: f"b{name}", reverse=True
    )
    (imported,) = import_clips(load(other), [moves])[1]
    assert imported.verbatim
    assert imported.matched == tuple((name, f"b{name}") for name, _ in imported.matched)
    assert len(imported.matched) == 1500
