"""The studio light beside lights of a file, and dimming of very bright lights."""

import numpy as np
import pytest

from rigview.model.light_levels import WHITE
from rigview.resources import asset_path
from rigview.scene.environment import load, scaled
from rigview.scene.lights import FILL
from tests.support.animated_value_files import lit_floor
from tests.support.draw import draw, orbit_camera
from tests.support.ground_pictures import MATTE
from tests.support.lights import lit_model
from tests.support.looks import set_look
from tests.support.models import make_primitive, square
from tests.support.solids import cube, linear_from_srgb

BEHIND = {"intensity": 2.0}  # turned below: its light comes from the back


def far_side(gl, *lamps, **display):
    """Return linear light [3] of a square lit from behind by lights of the file."""
    model = lit_model([square(material=0)], lamps, materials=(MATTE,))
    model.skeleton.rest.rotation[1:] = [0, 1, 0, 0]
    picture = draw(gl, model, size=(16, 16), tone_mapping="none", shadow=False, **display)
    return linear_from_srgb(picture[8, 8])


def studio():
    return load(asset_path("studio.npz"))


def test_lights_of_the_file_leave_a_share_of_the_studio(gl):
    full = far_side(gl, BEHIND, environment=studio())
    assert full.min() > 0.2
    np.testing.assert_allclose(far_side(gl, BEHIND), FILL * full, atol=0.003)


def test_a_chosen_environment_is_not_scaled(gl):
    half, full = (far_side(gl, BEHIND, environment=scaled(studio(), share)) for share in (0.5, 1.0))
    np.testing.assert_allclose(half, full / 2, atol=0.003)


def test_lights_that_are_off_leave_the_studio_without_key_light(gl):
    off = far_side(gl, {"intensity": 0.0})
    np.testing.assert_allclose(off, far_side(gl, BEHIND, environment=studio()), atol=0.003)
    assert far_side(gl).min() > off.max() + 0.1, "the key light shines where a file has none"


@pytest.mark.parametrize("intensity", [2000.0, 54351.4])
def test_too_bright_lights_are_dimmed_to_white(gl, intensity):
    """Like a light that makes a surface white at perpendicular incidence."""
    pictures = [
        draw(
            gl, lit_floor("directional", intensity=each).load(), size=(32, 32),
            camera=orbit_camera(elevation=80), tone_mapping="none", shadow=False,
        )
        for each in (intensity, WHITE)
    ]  # fmt: skip
    np.testing.assert_array_equal(*pictures)
    seen = linear_from_srgb(pictures[0][16, 16])
    assert seen.min() > 0.5 * 0.96, "all of it arrives, and half is sent back"
    assert seen.max() < 0.7, "and what is left of the studio"


def test_studio_share_of_consecutive_pictures(gl):
    """The studio is scaled for a file with lights, and not for the next file without."""
    from rigview.rendering.render_target import Target
    from rigview.rendering.renderer import Renderer
    from rigview.scene.scene import Scene

    renderer, target = Renderer(gl), Target(gl, (16, 16), 1)
    found = []
    for lamps in ((), (BEHIND,), ()):
        scene = set_look(Scene(), grid=False, shadow=False, background=(0, 0, 0, 0))
        scene.show(lit_model([square(material=0)], lamps, materials=(MATTE,)))
        scene.frame(1.0)
        scene.update(0.0)
        renderer.draw(scene, target)
        found.append(target.read())
    renderer.release()
    target.release()
    np.testing.assert_array_equal(found[0], found[2])
    assert np.abs(found[0].astype(int) - found[1].astype(int)).max() > 10


SUN = {"intensity": 2.0}
HERE = [(0, 3, 0)] * 3


def shadowed(gl, *lamps, **display):
    """Return by how much [H, W] linear light is darker, seen from above, with a cube in between."""
    parts = [cube(0.6, (0, 1.5, 0), material=0), floor(3.0)]
    model = lit_model(parts, lamps, places=HERE[: len(lamps)], materials=(MATTE,))
    model.skeleton.rest.rotation[1:] = [-(0.5**0.5), 0, 0, 0.5**0.5]  # shining downwards
    camera = orbit_camera(azimuth=40, elevation=25)
    given = {"size": (64, 64), "camera": camera, "tone_mapping": "linear", "exposure": -1.0}
    pictures = (draw(gl, model, shadow=s, **given, **display) for s in (False, True))
    without, with_shadow = (linear_from_srgb(each[..., :3])[..., 0] for each in pictures)
    return without - with_shadow


def floor(side):
    half = side / 2
    corners = np.array([[-half, 0, half], [half, 0, half], [half, 0, -half], [-half, 0, -half]])
    normals = np.tile(np.array([0, 1, 0], np.float32), (4, 1))
    return make_primitive(corners, [0, 1, 2, 0, 2, 3], normals=normals, material=0)


def test_a_directional_light_casts_a_shadow_at_any_index(gl):
    """Only the first directional light that is on casts a shadow."""
    alone = shadowed(gl, SUN)
    assert (alone > 0.1).sum() > 30
    for others in (({"kind": "point"},), ({"kind": "spot"}, {"intensity": 0.0})):
        np.testing.assert_allclose(shadowed(gl, *others, SUN), alone, atol=0.012)
    np.testing.assert_array_equal(shadowed(gl, {"intensity": 0.0}, grid=True), 0)
