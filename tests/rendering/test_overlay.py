"""The skeleton overlay uses the matrices of the skin."""

import numpy as np
import pytest

from rigview.model.model import MeshInstance
from rigview.rendering import overlay_lines
from rigview.rendering.frame import Frame
from rigview.rendering.overlay_lines import skeleton_overlay
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.drawn_joints import shown_joints
from rigview.scene.scene import Scene
from rigview.scenedoc.shown import Shown
from tests.support.draw import draw
from tests.support.looks import set_look
from tests.support.models import make_model, rod_model, square
from tests.support.solids import sphere


def bent_rod(tau=0.5, **display):
    """A scene of a rod that is bent, with display options."""
    scene = Scene()
    scene.show(rod_model()).play_clip(0, 0.0)
    set_look(scene, **display)
    scene.update(tau)
    return scene


def skeleton_lines(scene):
    """All lines [N, 14] of skeletons with bones as lines, in the order of drawing."""
    set_look(scene, bones="lines")
    overlay = skeleton_overlay(Frame.of(scene), (400, 400))
    assert not len(overlay.octahedra)
    return np.concatenate([overlay.ghosts, overlay.bones, overlay.lines])


def test_bones_join_parents_and_children():
    scene = Scene()
    character = scene.show(rod_model())
    character.play_clip(0, 0.0)
    set_look(scene, skeleton=True)
    scene.update(0.5)
    lines = skeleton_lines(scene)
    places = character.matrices[:, :3, 3]
    joints = np.nonzero(shown_joints(character.model))[0]
    bones = [
        (character.model.skeleton.parents[j], j)
        for j in joints
        if character.model.skeleton.parents[j] in joints
    ]
    assert len(lines) == 2 * len(bones) + 2 * len(joints)
    ends = {tuple(np.round([*line[:3], *line[3:6]], 4)) for line in lines}
    for parent, child in bones:
        assert tuple(np.round([*places[parent], *places[child]], 4)) in ends


def test_mesh_nodes_are_not_bones():
    model = rod_model()
    shown = shown_joints(model)
    for instance in model.instances:
        assert not shown[instance.joint]


def drawn_axes(scene):
    """Starts and steps [J, 3, 3] of the axes, by joint and axis."""
    lines = skeleton_lines(scene)
    colours = np.array(overlay_lines.AXES, np.float32)
    places = scene.character.matrices[scene.character.drawn_joints.joints, :3, 3]
    placed = places @ scene.character.world[:3, :3].T + scene.character.world[:3, 3]
    found = np.zeros((len(places), 3, 2, 3))
    for line in lines:
        axis = np.flatnonzero((colours == line[6:10]).all(axis=1))
        joint = np.abs(placed - line[:3]).sum(axis=1).argmin()
        if len(axis):  # not an outline
            found[joint, axis[0]] = line[:3], line[3:6] - line[:3]
    assert len(lines) == 2 * 3 * len(places), "each with an outline"
    return found[:, :, 0], found[:, :, 1]


def test_axes_follow_the_pose():
    scene = bent_rod(axes=True)
    starts, steps = drawn_axes(scene)
    steps /= np.linalg.norm(steps, axis=-1, keepdims=True)
    matrices = scene.character.matrices[scene.character.drawn_joints.joints]
    np.testing.assert_allclose(starts, matrices[:, None, :3, 3].repeat(3, axis=1), atol=1e-6)
    np.testing.assert_allclose(steps, np.swapaxes(matrices[:, :3, :3], 1, 2), atol=1e-4)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_axes_are_a_part_of_the_bones(scale):
    """At any scale of the instance; bones of the rod have 1 m."""
    scene = bent_rod(axes=True)
    scene.character.set_placement(np.diag([scale, scale, scale, 1]).astype(np.float32))
    lengths = np.linalg.norm(drawn_axes(scene)[1], axis=-1) / scale
    np.testing.assert_allclose(lengths, np.full_like(lengths, 0.06 * 2), rtol=1e-4)
    drawn = scene.character.drawn_joints
    assert drawn.axis_lengths.shape == drawn.joints.shape == drawn.roots.shape


def test_axes_of_bones_of_any_length():
    """A tiny bone has legible axes, a joint without bones those of its own, a long one no more."""
    heights = [[0, 0, 0], [0, 1, 0], [0, 0.2, 0], [0, 0.001, 0]]
    scene = Scene()
    drawn = scene.show(make_model([square()], (-1, 0, 1, 2), translations=heights)).drawn_joints
    size = 1.201
    np.testing.assert_allclose(
        drawn.axis_lengths, [0.06 * size, 0.35 * 0.2, 0.008 * size, 0.008 * size], rtol=1e-5
    )
    assert scene.show(make_model([square()])).drawn_joints.axis_lengths > 0.0, "a single joint"


@pytest.mark.parametrize("pose", ["rest", "bind"])
def test_ghost_is_the_still_skeleton_at_the_present_root(pose):
    scene = bent_rod(ghost=pose)
    character = scene.character
    lines = skeleton_lines(scene)
    joints = character.drawn_joints.joints
    root = character.matrices[joints[0]]
    straight = root @ np.array([[0, k, 0, 1] for k in range(3)]).T
    at_joints = lines[(lines[:, :3] == lines[:, 3:6]).all(axis=1)]
    np.testing.assert_allclose(at_joints[-3:, :3], straight[:3].T, atol=1e-5)
    bones = lines[(lines[:, :3] != lines[:, 3:6]).any(axis=1)]
    assert (bones[:, 11] > 0.0).all(), "dashed"
    set_look(scene, skeleton=True)
    both = skeleton_lines(scene)
    np.testing.assert_array_equal(both[: len(lines)], lines)
    assert not both[len(lines) :, 11].any(), "the present one is drawn over it, solid"


def test_ghost_covers_a_character_at_rest():
    """Also where its root has moved and turned, and with a root of scale 0."""
    scene = bent_rod(0.0, ghost="rest", skeleton=True)
    root = np.eye(4, dtype=np.float32)
    root[:3, :3], root[:3, 3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], [3, -1, 2]
    character = scene.character
    character.matrices[:] = root @ character.matrices
    lines = skeleton_lines(scene)
    half = len(lines) // 2
    ghost, now = (np.unique(each[:, :6].round(4), axis=0) for each in (lines[:half], lines[half:]))
    np.testing.assert_allclose(ghost, now, atol=1e-4)
    character.model.skeleton.rest.scale[1] = 0.0
    flat = bent_rod(0.0, ghost="rest")
    flat.character.model.skeleton.rest.scale[1] = 0.0
    assert np.isfinite(skeleton_lines(flat)).all()


def test_ghost_is_in_the_picture():
    """The view frames it at every root of the clip, at any time; the size of the scene stays."""
    scene = bent_rod()
    scene.measure()
    before, extent = scene.bounds.swept, scene.bounds.extent
    set_look(scene, ghost="rest")
    scene.measure()
    found = scene.bounds.swept
    np.testing.assert_array_equal(scene.bounds.extent, extent)
    np.testing.assert_array_equal(found[: len(before)], before)
    for tau in (0.0, 0.4, 1.0):
        scene.update(tau)
        scene.measure()
        np.testing.assert_array_equal(scene.bounds.swept, found)
        lines = skeleton_lines(scene)
        assert (lines[:, :3] >= found.min(axis=0) - 1e-5).all()
        assert (lines[:, :3] <= found.max(axis=0) + 1e-5).all()
    scene.character.show = "rest"
    scene.update(0.0)
    scene.measure()
    np.testing.assert_allclose(scene.bounds.swept[-3:, 1], [0, 1, 2], atol=1e-5)


def test_ghost_is_in_stills_that_frame_the_pose():
    """Also above a rod that is folded downwards."""
    scene = bent_rod(0.0, ghost="bind")
    scene.character.model.skeleton.rest.rotation[2] = [0, 0, np.sin(1.3), np.cos(1.3)]
    scene.character.show = "rest"
    scene.update(0.0)
    scene.frame(3.0, fit="pose")
    lines = skeleton_lines(scene)
    seen = scene.camera.current.project(lines[:, :6].reshape(-1, 3), 3.0)[:, :2]
    assert seen.min() >= 0.0
    assert seen.max() <= 1.0


def test_overlays_of_a_model_without_joints():
    scene = Scene()
    set_look(scene, axes=True, ghost="bind")
    scene.show(make_model([square()], scene_joints=np.zeros(0, np.int32)))
    scene.update(0.0)
    assert len(skeleton_lines(scene)) == 0


def test_bounds_without_a_visible_character(gl):
    scene = bent_rod(bounds=True)
    scene.instances.active.bind(Shown(hidden=True))
    scene.update(0.5)
    renderer, target = Renderer(gl), Target(gl, (8, 8), 1)
    renderer.draw(scene, target)
    renderer.release()
    target.release()


@pytest.mark.parametrize("line", ["skeleton", "axes", "ghost"])
def test_lines_hidden_by_the_mesh(gl, line):
    """Joints behind a square show through it unless they are hidden, those before it always."""
    shown = {line: "rest" if line == "ghost" else True}
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=3.0)
    for depth, hidden in ((-1.0, True), (1.0, False)):
        places = [[0, 0, 0], [0.6, -0.3, depth], [0, 0.6, 0]]
        model = make_model([square(3.0)], (-1, -1, 1), translations=places)
        plain, over, tested = (
            draw(gl, model, camera=camera, **options)[:, 40:]  # without joint 0, on the square
            for options in ({}, shown, shown | {"overlay_depth": True})
        )
        assert (over != plain).any()
        np.testing.assert_array_equal(tested, plain if hidden else over)


def test_dashes_have_gaps(gl):
    """The ghost's bone of a rod is interrupted, the skeleton's is not."""
    model = make_model([square(0.01)], (-1, 0), translations=[[0, 0, 0], [0, 2, 0]])
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=6.0)

    def gaps(**shown):
        picture = draw(gl, model, size=(100, 400), camera=camera, bones="lines", **shown)
        column = picture[..., 3].max(axis=1) > 100
        inside = column[np.flatnonzero(column)[0] : np.flatnonzero(column)[-1]]
        return int((np.diff(inside.astype(int)) < 0).sum())

    assert gaps(skeleton=True) == 0
    assert gaps(ghost="rest") > 5


def test_width_of_lines_in_a_picture_that_is_shown_larger(gl):
    """The bone of a rod covers the same share of a picture with a third of the pixels."""
    model = make_model([square(0.01)], (-1, 0), translations=[[0, 0, 0], [0, 2, 0]])
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=6.0)

    def share(size, divisor=1):
        options = {"camera": camera, "skeleton": True, "bones": "lines", "divisor": divisor}
        return (draw(gl, model, size=(size, size), **options)[..., 3] / 255.0).mean()

    assert share(200, 3) == pytest.approx(share(600), rel=0.2)
    assert share(200) > 1.8 * share(200, 3)


def test_no_lines_without_overlays():
    scene = Scene()
    scene.show(rod_model())
    scene.update(0.0)
    assert len(skeleton_lines(scene)) == 0


def test_edges_shared_by_boxes_have_one_colour(gl):
    """The common box is drawn over those of its parts, from every side and at any distance."""
    model = make_model([sphere(8)], instances=(MeshInstance(0, 0, -1, -1, True),) * 2)
    for azimuth in np.linspace(0.1, 6.0, 12):
        camera = OrbitCamera(azimuth=azimuth, elevation=0.35, distance=3.0 + azimuth)
        look = {"bounds": True, "shadow": False, "background": (0, 0, 0, 1)}
        picture = draw(gl, model, camera=camera, size=(160, 120), **look)
        red, _, blue = (picture[..., k].astype(int) for k in range(3))
        assert not (red - blue > 60).any(), "orange of a part"
