"""Drawing by pixels: faces, skins, overlays, view modes, topologies, uploads."""

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from rigview.animation.morph import MorphTargets
from rigview.errors import ContextError
from rigview.model.material import Material
from rigview.rendering import palette
from rigview.rendering.gpu_model import GpuModel
from rigview.rendering.program import Programs
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.textures.mipmaps import Mipmaps
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.draw import draw, gpu_objects, middle, srgb
from tests.support.looks import set_look
from tests.support.models import make_model, make_primitive, rod_model, square, square_model


@pytest.mark.parametrize("double", [False, True])
def test_double_sided(gl, double):
    """A square is invisible from behind, unless it is double-sided."""
    model = square_model(Material(base_color=(0.5, 0.5, 0.5, 1), double_sided=double))
    camera = OrbitCamera(azimuth=math.pi, elevation=0.0, ortho=True, distance=3.0)
    picture = draw(gl, model, camera=camera)
    assert (picture[32, 32, 3] == 255) == double
    if double:
        assert picture[32, 32, 0] > 30, "the back is lit as a back"


def test_negative_scale_shows_front_faces(gl):
    """A mirrored node shows its front faces, with normals pointing outwards."""
    plain = square_model(Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0))
    expected = draw(gl, plain)
    plain.skeleton.rest.scale[0] = [-1, 1, 1]
    mirrored = draw(gl, plain)
    np.testing.assert_allclose(middle(mirrored), middle(expected), atol=1)


def test_mirrored_skin_shows_front_faces(gl):
    model = replace(rod_model(), clips=())
    expected = draw(gl, model)
    model.skeleton.rest.scale[1] = [-1, 1, 1]
    mirrored = draw(gl, model)
    np.testing.assert_array_equal(mirrored[..., 3] > 0, (expected[..., 3] > 0))


def test_palette_texture_draws_the_same(gl, monkeypatch):
    """Skins too large for a uniform block have their palette in a texture."""
    model = rod_model()
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0))
    scene.show(model).play_clip(0, 0.0)
    scene.frame(1.0)
    scene.update(0.7)
    target = Target(gl, (64, 64), 1)
    pictures = []
    for entry in (palette.ENTRY, 1 << 30):  # bytes per joint
        monkeypatch.setattr(palette, "ENTRY", entry)
        renderer = Renderer(gl)
        renderer.draw(scene, target)
        pictures.append(target.read())
        renderer.release()
    target.release()
    np.testing.assert_array_equal(*pictures)


def test_eight_influences_equal_four_if_only_four_are_used(gl):
    np.testing.assert_array_equal(draw(gl, rod_model(4), tau=0.6), draw(gl, rod_model(8), tau=0.6))


def test_the_pose_moves_the_picture(gl):
    still, bent = draw(gl, rod_model(), tau=0.0), draw(gl, rod_model(), tau=0.9)
    assert (still[..., 3] != bent[..., 3]).mean() > 0.02


def test_weights_of_the_selected_joint(gl):
    """Viridis: the top of the rod is yellow for its own joint, the bottom grey without weight."""
    picture = draw(gl, replace(rod_model(), clips=()), weights_joint=3).astype(int)
    column = picture[:, 32]
    drawn = np.nonzero(column[:, 3])[0]
    top, bottom = column[drawn[2]], column[drawn[-3]]
    assert top[0] > 120
    assert top[2] < top[0]
    assert top[1] > top[2] + 50
    assert np.ptp(bottom[:3]) < 12, "grey"


def test_mask_weights(gl):
    """One joint at 1 equals its weights; all at 1: yellow; a rigid mesh has its joint's weight."""
    model = replace(rod_model(), clips=())
    count = model.skeleton.count
    alone = tuple(float(joint == 3) for joint in range(count))
    np.testing.assert_array_equal(draw(gl, model, mask=alone), draw(gl, model, weights_joint=3))
    full = draw(gl, model, mask=(1.0,) * count)
    solid = full[full[..., 3] == 255].astype(int)
    assert (solid[:, 0] > solid[:, 2] + 30).all(), "yellow"
    rigid = make_model([square()])
    marks = [draw(gl, rigid, mask=(weight,) * rigid.skeleton.count) for weight in (0.0, 1.0)]
    assert (marks[0] != marks[1]).any()


def test_wireframe_draws_edges(gl):
    plain = draw(gl, rod_model(), size=(128, 128))
    wire = draw(gl, rod_model(), size=(128, 128), wireframe=True)
    changed = (np.abs(plain.astype(int) - wire.astype(int)).max(axis=-1) > 20).sum()
    assert 100 < changed < (plain[..., 3] > 0).sum()


@pytest.mark.parametrize("grey", [0.0, 0.03, 0.2, 0.6, 1.0])
def test_the_wireframe_contrasts_with_any_surface(gl, grey):
    """Beside its inside, the middle edge of a square has a pixel that differs by 50 of 255."""
    model = square_model(Material(base_color=(grey, grey, grey, 1.0), unlit=True))
    look = {"size": (64, 64), "samples": 4, "view_mode": "base-colour"}
    plain, wire = (draw(gl, model, wireframe=lines, **look).astype(int) for lines in (False, True))
    inside = plain[32, 24, 0]
    assert np.abs(wire[28:36, 28:36, 0] - inside).max() >= 50


@pytest.mark.parametrize("topology", ["points", "lines"])
def test_points_and_lines_are_unlit(gl, topology):
    primitive = replace(square(normals=None, material=0), topology=topology)
    material = Material(base_color=(0.2, 0.6, 0.4, 1.0))
    picture = draw(gl, make_model([primitive], materials=(material,)), background=(0, 0, 0, 0))
    drawn = picture[picture[..., 3] == 255]
    assert 16 <= len(drawn) < 64 * 8
    np.testing.assert_allclose(
        drawn[:, :3], np.tile(srgb([0.2, 0.6, 0.4]), (len(drawn), 1)), atol=1
    )


def test_a_mesh_with_and_without_a_skin(gl):
    """One mesh on two nodes, skinned on one of them and rigid on the other."""
    model = replace(rod_model(), clips=())
    skinned = model.instances[0]
    model = replace(model, instances=(skinned, replace(skinned, joint=3, skin=-1)))
    picture = draw(gl, model)
    alone = draw(gl, replace(model, instances=(skinned,)))
    assert (picture[..., 3] > 0).sum() != (alone[..., 3] > 0).sum()
    rows = np.nonzero((picture[..., 3] > 0).any(axis=1))[0]
    assert len(rows) > 55, "the rigid one stands on the top joint: twice the height, framed"


def test_skeleton_is_drawn_over_the_mesh(gl):
    plain = draw(gl, rod_model(), size=(128, 128))
    bones = draw(gl, rod_model(), size=(128, 128), skeleton=True)
    assert (np.abs(plain.astype(int) - bones.astype(int)).max(axis=-1) > 60).sum() > 60


def test_grid_is_below_the_character(gl):
    camera = OrbitCamera(azimuth=0.3, elevation=0.4, distance=8.0)
    bare = draw(gl, rod_model(), camera=camera, size=(128, 128))
    grid = draw(gl, rod_model(), camera=camera, size=(128, 128), grid=True)
    assert (grid[..., 3] > 0).sum() > (bare[..., 3] > 0).sum() + 200


@pytest.mark.parametrize("ortho", [False, True])
def test_what_was_framed_before_does_not_change_the_picture(gl, ortho):
    scene = set_look(Scene(camera=OrbitCamera(ortho=ortho)), grid=True)
    scene.show(rod_model()).play_clip(0, 0.0)
    scene.frame(1.0)
    scene.update(0.4)
    renderer, target = Renderer(gl), Target(gl, (96, 96), 4)
    before, pictures = replace(scene.camera.orbit), []
    for other in (None, np.eye(3) * 0.01, np.eye(3) * 50.0):
        if other is not None:
            scene.camera.orbit.frame(other, 1.0)
            renderer.draw(scene, target)
        scene.camera.orbit = replace(before)
        renderer.draw(scene, target)
        pictures.append(target.read())
    renderer.release()
    target.release()
    assert np.ptp(pictures[0][..., :3]) > 30
    for each in pictures[1:]:
        np.testing.assert_array_equal(each, pictures[0])


@pytest.mark.parametrize("samples", [1, 4])
def test_multisampling_softens_edges(gl, samples):
    picture = draw(gl, rod_model(), tau=0.7, samples=samples)
    partial = ((picture[..., 3] > 0) & (picture[..., 3] < 255)).sum()
    assert (partial > 0) == (samples > 1)


def test_uploading_another_model_frees_the_first(gl):
    scene = Scene(camera=OrbitCamera())
    renderer, target = Renderer(gl), Target(gl, (32, 32), 1)
    alive = []
    for _ in range(4):
        scene.show(rod_model()).play_clip(0, 0.0)
        scene.frame(1.0)
        scene.update(0.0)
        renderer.draw(scene, target)
        alive.append(gpu_objects(gl))
    assert alive[1:] == [alive[1]] * 3
    renderer.unload()
    assert gpu_objects(gl) < alive[-1]
    renderer.release()
    target.release()


def test_incomplete_triangles_are_not_drawn(gl):
    void = make_primitive([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.zeros(0, np.uint32))
    assert not draw(gl, make_model([void])).any()


def test_a_failed_upload_is_an_error(gl, monkeypatch):
    def refuse(*_, **__):
        raise moderngl.Error("out of memory")

    monkeypatch.setattr("rigview.rendering.gpu_model.Textures", refuse)
    renderer = Renderer(gl)
    with pytest.raises(ContextError, match="out of memory"):
        renderer.upload(rod_model())
    renderer.release()


def test_a_failed_upload_is_freed(gl):
    model = rod_model()
    broken = replace(model.meshes[0].primitives[0], morph=MorphTargets(None, None, None, ()))
    primitives = (*model.meshes[0].primitives, broken)
    before = gpu_objects(gl)
    mipmaps = Mipmaps(gl, Programs(gl))
    surfaces = replace(model, meshes=(replace(model.meshes[0], primitives=primitives),))
    with pytest.raises(ValueError, match="axis"):
        GpuModel(gl, surfaces, mipmaps)
    assert gpu_objects(gl) == before


def test_depth_under_the_cursor(gl):
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, distance=4.0)
    scene = Scene(camera=camera)
    scene.show(square_model(Material()))
    scene.update(0.0)
    renderer, target = Renderer(gl), Target(gl, (64, 64), 4)
    renderer.draw(scene, target)
    camera = scene.camera.used
    x, y, depth = camera.project(np.zeros(3), 1.0)
    assert target.depth(32, 32) == pytest.approx(depth, abs=1e-3)
    np.testing.assert_allclose(camera.unproject(x, y, target.depth(32, 32), 1.0), 0, atol=0.02)
    renderer.release()
    target.release()


@pytest.mark.parametrize(("height", "line", "point"), [(500, 1, 4), (1000, 1, 4), (3000, 3, 12)])
def test_lines_and_points_scale_with_the_picture(gl, height, line, point):
    """Widths are relative to the height of the picture, not pixels of OpenGL."""
    across = make_primitive([[-1, 0, 0], [1, 0, 0]], topology="lines")
    dot = make_primitive([[0, 0, 0]], topology="points")
    for primitive, expected in ((across, line), (dot, point)):
        model = make_model([primitive])
        camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=4.0)
        picture = draw(gl, model, size=(16, height), camera=camera)
        assert picture[:, 8, 3].astype(bool).sum() == expected
    assert gl.error == "GL_NO_ERROR"
