"""Picked surfaces and triangles are those of vertices skinned on the CPU."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.crowd import Crowd
from rigview.loading.load import load
from rigview.model.material import Material
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.surface_picker import REACH
from rigview.scene.camera import OrbitCamera
from rigview.scene.instance import Instance
from rigview.scene.scene import Scene
from tests.rendering.cpu_picking import at_points, projected
from tests.support.instanced_files import instanced
from tests.support.light_mannequin import light_mannequin
from tests.support.models import make_model, make_primitive, square, square_model
from tests.support.shared import MODELS, needs_shared

SIZE = (640, 480)
MIDDLE = (SIZE[0] // 2, SIZE[1] // 2)
POINTS = 2000
FILES = (
    "Fox.glb",
    "Woman.gltf",
    "robot.glb",
    "CesiumMan.glb",
    "BoxAnimated.gltf",
    "SimpleSkin.gltf",
    "RiggedSimple.gltf",
    "InterpolationTest/interpolation_test.gltf",
    "AnimatedMorphCube/AnimatedMorphCube.gltf",
    "SimpleMorph/SimpleMorph.gltf",
)


@pytest.fixture
def renderer(gl):
    made = Renderer(gl)
    yield made
    made.release()


def scene_of(*models, camera=None, tau=0.0):
    """Models side by side, framed or seen by a camera."""
    scene = Scene(camera=camera)
    scene.set_instances([Instance.of(model) for model in models])
    for instance in scene.instances:
        instance.character.play_clip(0 if instance.model.clips else -1, 0.0)
    if camera is None:
        scene.frame(SIZE[0] / SIZE[1])
    scene.update(tau)
    return scene


def ahead(*primitives, materials=(), **model):
    """A scene with a camera on +Z, which sees 2 m from side to side."""
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True, distance=3.0)
    return scene_of(make_model(list(primitives), materials=materials, **model), camera=camera)


def assert_as_on_the_cpu(renderer, model, rng, tau=0.4):
    """At random pixels the picked part, triangle and depth are the front-most on the CPU."""
    scene = scene_of(model, tau=tau)
    triangles = projected(scene.character, scene.camera.used, SIZE)
    pixels = np.stack([rng.integers(0, edge, POINTS) for edge in SIZE], axis=1)
    found, unsure = at_points(triangles, pixels + 0.5)
    frame = renderer._frame_to_pick(scene, SIZE)
    drawn, items = renderer._picker.draw(frame, SIZE, (0, 0, *SIZE))
    hits = drawn[pixels[:, 1], pixels[:, 0]][~unsure]
    found = found[~unsure]
    assert len(found) > 0.9 * POINTS
    assert np.array_equal(hits[:, 0] == 0, found < 0)
    hits, found = hits[found >= 0], found[found >= 0]
    assert len(found) > 20
    parts = [(item.source.joint, item.number) for _, item, _ in items]
    picked = [parts[number - 1] for number in hits[:, 0].astype(int).tolist()]
    assert picked == [triangles.parts[k] for k in triangles.part[found].tolist()]
    assert np.array_equal(hits[:, 1], triangles.index[found])


def test_mannequin(renderer, rng):
    assert_as_on_the_cpu(renderer, load(light_mannequin(frozenset({"Wave"}))), rng)


def test_instances_of_a_mesh(renderer, rng):
    """All belong to the node; triangles are numbered one instance after the other."""
    assert_as_on_the_cpu(renderer, instanced().load(), rng)


@needs_shared
@pytest.mark.parametrize("name", FILES)
def test_real_files(renderer, rng, name):
    assert_as_on_the_cpu(renderer, load(MODELS / name), rng)


GLASS = Material(base_color=(1, 1, 1, 0.3), alpha_mode="BLEND", double_sided=True)
INVISIBLE = replace(GLASS, base_color=(1, 1, 1, 0.0))
HOLE = Material(base_color=(1, 1, 1, 0.2), alpha_mode="MASK", alpha_cutoff=0.5)


def picked(renderer, scene, pixel=MIDDLE):
    hit = renderer.pick(scene, SIZE, pixel)
    return None if hit is None else hit.part.primitive


def test_next_surface_behind(renderer):
    scene = ahead(square(z=-0.5), square(z=0.5), square(z=0.0))
    omitted = []
    while (hit := renderer.pick(scene, SIZE, MIDDLE, omitted)) is not None:
        omitted.append(hit.part)
    assert [part.primitive for part in omitted] == [1, 2, 0]


def test_nothing(renderer):
    assert picked(renderer, ahead(square()), (5, 5)) is None


def test_depth_is_that_of_the_camera(renderer):
    scene = ahead(square(z=0.25))
    hit = renderer.pick(scene, SIZE, MIDDLE)
    place = (MIDDLE[0] + 0.5) / SIZE[0], (MIDDLE[1] + 0.5) / SIZE[1]
    point = scene.camera.used.unproject(*place, hit.depth, SIZE[0] / SIZE[1])
    assert point[2] == pytest.approx(0.25, abs=1e-4)


@pytest.mark.parametrize(("material", "found"), [(GLASS, 1), (INVISIBLE, 0), (HOLE, 0)])
def test_transparent_surfaces(renderer, material, found):
    """Glass is picked; what is invisible or cut out is looked through."""
    scene = ahead(square(), square(z=0.5, material=0), materials=(material,))
    assert picked(renderer, scene) == found


@pytest.mark.parametrize("crowd", [False, True])
def test_triangles_of_sorted_surfaces_keep_their_numbers(renderer, gl, crowd):
    """Drawing sorts the triangles of a blended primitive back to front."""
    near, far = square(z=0.5), square(z=-0.5)
    both = make_primitive(
        np.concatenate([near.positions, far.positions]),
        np.concatenate([near.indices, far.indices + 4]), material=0,
    )  # fmt: skip
    scene = ahead(both, materials=(GLASS,))
    target = Target(gl, SIZE, 1)
    renderer.draw(scene, target)
    if crowd:
        show_crowd(scene, np.eye(4, dtype=np.float32)[None])
    below = renderer.pick(scene, SIZE, (MIDDLE[0] + 40, MIDDLE[1] + 10))
    assert below.triangle == 0
    renderer.draw(scene, target)
    target.release()


def test_surfaces_from_behind(renderer):
    """Only double-sided surfaces are picked from behind, also if they are mirrored."""
    turned = replace(square(z=0.5), indices=square().indices[::-1].copy())
    assert picked(renderer, ahead(square(), turned)) == 0
    mirrored = ahead(square(), turned)
    placement = np.diag([-1.0, 1.0, 1.0, 1.0])
    mirrored.instances[0].character.set_placement(placement)
    mirrored.update(0.0)
    assert picked(renderer, mirrored) == 0
    glass = replace(turned, material=0)
    assert picked(renderer, ahead(square(), glass, materials=(GLASS,))) == 1


def test_thin_lines_within_reach(renderer):
    line = make_primitive([[-0.5, 0, 0], [0.5, 0, 0]], topology="lines")
    scene = ahead(line)
    row = next(y for y in range(MIDDLE[1] - 3, MIDDLE[1] + 3) if _exact(renderer, scene, y))
    assert picked(renderer, scene, (MIDDLE[0], row + REACH)) == 0
    assert picked(renderer, scene, (MIDDLE[0], row + REACH + 1)) is None


def _exact(renderer, scene, y):
    hit = renderer.pick(scene, SIZE, (MIDDLE[0], y))
    return hit is not None and hit.pixel == (MIDDLE[0], y)


def test_several_characters(renderer):
    scene = scene_of(square_model(), square_model(), square_model())
    for k, instance in enumerate(scene.instances):
        middle = instance.extent.mean(axis=0)
        place = scene.camera.used.project(middle, SIZE[0] / SIZE[1])[:2] * SIZE
        assert renderer.pick(scene, SIZE, tuple(place.astype(int).tolist())).part.instance == k


def show_crowd(scene, world):
    model, still = scene.character.model, Clip.of("Still", [])
    scene.crowd = Crowd(model.skeleton, model.skins, (still,), np.zeros(len(world), int), world)
    scene.measure()
    scene.crowd.pose_at(np.zeros(len(world)))


def test_characters_of_a_crowd(renderer):
    """Mirrored members are drawn in a batch of their own; the next one behind is found."""
    model = square_model(Material(double_sided=True))
    depths = [-0.5, 0.5, 0.0, *np.linspace(-0.4, -0.1, 17)]
    world = np.tile(np.eye(4, dtype=np.float32), (len(depths), 1, 1))
    world[:, 2, 3] = depths
    world[1, 0, 0] = -1.0
    scene = ahead(square())
    scene.show(model)
    show_crowd(scene, world)
    omitted = []
    for _ in world:
        omitted.append(renderer.pick(scene, SIZE, MIDDLE, omitted).part)
    assert renderer.pick(scene, SIZE, MIDDLE, omitted) is None
    assert [part.member for part in omitted] == [1, 2, *range(19, 2, -1), 0]
