"""Two versions in one picture: each part has the pixels of the whole picture of its version."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import Material, Transmission
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.instance import Instance
from rigview.scene.scene import Scene
from rigview.scene.selected import Selected
from rigview.scene.versions import PicturePart, Versions
from rigview.window.scene_view import SceneView
from tests.support.looks import set_look
from tests.support.models import make_model, rod_model, square, square_model
from tests.support.sessions import new_session

SIZE = (240, 160)


@pytest.fixture
def pictures(gl, request):
    """Returns a function that draws a scene, by default with 4 samples."""
    renderer, target = Renderer(gl), Target(gl, SIZE, getattr(request, "param", 4))

    def picture(scene):
        scene.update(0.0)
        renderer.draw(scene, target)
        return target.read()

    yield picture
    target.release()
    renderer.release()


def red(model):
    """A version of the rod with another material only."""
    (mesh,) = model.meshes
    painted = replace(mesh, primitives=tuple(replace(p, material=0) for p in mesh.primitives))
    return replace(model, meshes=(painted,), materials=(Material(base_color=(0.9, 0.1, 0.1, 1)),))


def single(model, **display):
    scene = Scene()
    scene.show(model)
    scene.frame(SIZE[0] / SIZE[1])
    set_look(scene, **display)
    return scene


def compared(mode, old, new, **display):
    scene = Scene()
    scene.set_instances([Instance.of(old), Instance.of(new)])
    scene.instances.versions = Versions(*scene.instances, mode)
    scene.frame(SIZE[0] / SIZE[1])
    set_look(scene, **display)
    return scene


def assert_shifted(found, picture, columns, part, most=1):
    """Columns of a picture are those of another one, moved to the right.

    Interpolation at other places, and shading after all data are drawn, as in whole pictures,
    round a few numbers to their neighbours.
    """
    moved = np.roll(picture, columns, axis=1)[:, part].astype(int)
    apart = np.abs(found[:, part] - moved)
    if apart.size:
        assert apart.max() <= most
        assert (apart > 0).mean() < 1e-2


@pytest.mark.parametrize("edge", [0.0, 0.31, 0.5, 1.0])
def test_a_wipe_shows_each_version_as_it_is_alone(pictures, edge):
    model = rod_model()
    one, two = pictures(single(model, skeleton=True)), pictures(single(red(model), skeleton=True))
    assert (one != two).any()
    scene = compared("wipe", model, red(model), skeleton=True)
    scene.instances.versions.edge = edge
    found, column = pictures(scene), round(edge * SIZE[0])
    # overlays are added to shaded surfaces: another rounding
    assert_shifted(found, one, 0, slice(column), most=2)
    assert_shifted(found, two, 0, slice(column, None), most=2)


@pytest.mark.parametrize("pictures", [9], indirect=True)
def test_a_wipe_with_shifted_samples(pictures):
    """Beside the edge, the further samples may be left out."""
    model = rod_model()
    one, two = pictures(single(model)), pictures(single(red(model)))
    scene = compared("wipe", model, red(model))
    found, column = pictures(scene), SIZE[0] // 2
    np.testing.assert_array_equal(found[:, : column - 1], one[:, : column - 1])
    np.testing.assert_array_equal(found[:, column + 1 :], two[:, column + 1 :])


def test_side_by_side_shows_each_version_in_the_middle_of_its_half(pictures):
    model = rod_model()
    one, two = pictures(single(model)), pictures(single(red(model)))
    scene = compared("side-by-side", model, red(model))
    found, half = pictures(scene), SIZE[0] // 2
    assert_shifted(found, one, -half // 2, slice(half))
    assert_shifted(found, two, half // 2, slice(half, None))


def test_halves_are_in_the_middle_of_what_no_panel_covers(pictures):
    model, plain = rod_model(), {"background": (0.2, 0.2, 0.2, 1.0)}  # without dither
    alone = pictures(single(model, **plain))
    scene = compared("side-by-side", model, model, **plain)
    scene.instances.versions.free = (0.25, 0.75)
    found, half = pictures(scene), SIZE[0] // 2
    quarter = SIZE[0] // 8
    assert_shifted(found, alone, -quarter, slice(half))
    assert_shifted(found, alone, quarter, slice(half, None))


def test_transmission_of_a_shifted_half(pictures):
    """What is seen through glass moves with its half of the picture."""
    behind, glass = square(0.8, -0.5, material=0), square(2.0, material=1)
    materials = (
        Material(base_color=(0.1, 0.8, 0.2, 1.0)),
        Material(transmission=Transmission(factor=1.0), roughness=0.2),
    )
    model = make_model([behind, glass], materials=materials)
    alone, half = pictures(single(model)), SIZE[0] // 2
    found = pictures(compared("side-by-side", model, model))
    near = slice(SIZE[0] // 8, 3 * SIZE[0] // 8)
    assert_shifted(found, alone, -half // 2, near)


def test_outline_of_a_selected_part_in_a_shifted_half(pictures):
    model = rod_model()
    node = model.instances[0].joint
    alone, half = single(model), SIZE[0] // 2
    scene = compared("side-by-side", model, red(model))
    for each in (alone, scene):
        set_look(each, selected=Selected(node, 0))
    scene.activate(scene.instances[0])
    one, found = pictures(alone), pictures(scene)
    assert_shifted(found, one, -half // 2, slice(half))
    plain = pictures(compared("side-by-side", model, red(model)))
    np.testing.assert_array_equal(found[:, half:], plain[:, half:])


def test_an_equal_ghost_is_hidden_by_the_surfaces(pictures):
    model = rod_model()
    overlaid = pictures(compared("overlaid", model, model)).astype(int)
    apart = np.abs(overlaid - pictures(single(model)))
    assert apart.max() <= 1  # a picture without a ghost is shaded after its data are drawn
    assert (apart > 0).mean() < 1e-3


def test_a_ghost_shows_where_the_old_version_was(pictures):
    """It changes what is beside the new version, and nothing far from both."""
    model = rod_model()
    clear = {"grid": False, "background": (0, 0, 0, 0)}
    scene, other = (compared(mode, model, model, **clear) for mode in ("overlaid", "wipe"))
    for each in (scene, other):
        each.instances[0].character.play_clip(0, 0.0)
        each.instances[0].character.playback.seek(1.0, 0.0)
        each.instances[0].character.playback.pause(0.0)
    other.instances.versions.edge = 1.0
    old = pictures(other)
    other.instances.versions.edge = 0.0
    new = pictures(other)
    both = pictures(scene)
    beside = (old[..., 3] == 255) & (new[..., 3] == 0)
    assert beside.sum() > 100
    assert (both[beside][:, 3] > 0).all()
    assert (both[beside][:, 3] < 255).all(), "it is translucent"
    assert (both[(old[..., 3] == 0) & (new[..., 3] == 0)] == 0).all()


def test_versions_of_another_scale_have_the_same_size():
    model = rod_model()
    scene = compared("wipe", model, model)
    scene.instances.versions.scale = 100.0
    scene.measure()
    np.testing.assert_allclose(scene.instances[1].character.world, np.diag([0.01] * 3 + [1.0]))


def test_versions_of_the_same_height():
    small = Instance.of(square_model(size=0.5))
    scene = Scene()
    scene.set_instances([Instance.of(square_model(size=2.0)), small])
    scene.instances.versions = Versions(*scene.instances, "wipe")
    scene.measure()
    np.testing.assert_array_equal(small.character.world, np.eye(4))
    scene.instances.same_size = True
    scene.measure()
    np.testing.assert_allclose(small.character.world, np.diag([4.0, 4.0, 4.0, 1.0]))


def test_only_versions_are_visible_until_one_of_them_is_removed():
    model = rod_model()
    scene = Scene()
    scene.set_instances([Instance.of(model) for _ in range(3)])
    first, _, third = scene.instances
    scene.instances.versions = Versions(first, third, "wipe")
    scene.measure()
    assert scene.instances.visible == [first, third]
    assert scene.characters == [first.character, third.character]
    np.testing.assert_array_equal(third.character.world, np.eye(4))
    scene.remove(third)
    assert scene.instances.versions is None
    assert len(scene.instances.visible) == 2
    assert scene.instances[1].character.world[0, 3] > 0.1


def test_the_version_of_a_part_is_picked(gl):
    """Of the same place, in front of each other, the surface of the chosen part is hit."""
    scene = compared("wipe", square_model(), square_model(size=0.5))
    scene.update(0.0)
    renderer = Renderer(gl)
    old, new = scene.parts
    edge = (SIZE[0] // 2, int(SIZE[1] * 0.25))  # outside of the smaller square
    middle = (SIZE[0] // 2, SIZE[1] // 2)
    both = PicturePart((*old.instances, *new.instances))
    found = [
        renderer.pick(scene, SIZE, pixel, part=part)
        for pixel in (middle, edge)
        for part in (old, new, both)
    ]
    renderer.release()
    hits = [None if hit is None else hit.part.instance for hit in found]
    assert hits == [0, 0, 1, 0, None, 0]


def test_a_pivot_in_a_shifted_half(gl):
    """A double click orbits around the point that is drawn there."""
    session = new_session(60.0)
    scene = compared("side-by-side", square_model(), square_model())
    session.scene = scene
    session.interface.viewport.box = (0.0, 0.0, *map(float, SIZE))
    view = SceneView(Renderer(gl), 1)
    scene.update(0.0)
    view.draw(session, 1.0, full=True)
    turned = []
    scene.camera.orbit_around = lambda *place: turned.append(place[:3])
    for x in (0.25, 0.75):
        session.interface.viewport.pivot = (x, 0.5)
        view.handle_clicks(session)
    view.release()
    assert [(x, y) for x, y, _ in turned] == [(0.5, 0.5), (0.5, 0.5)]
    assert turned[0][2] == pytest.approx(turned[1][2])
