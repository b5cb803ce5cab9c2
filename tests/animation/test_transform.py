import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rigview.animation.transform import compose, decompose
from tests.support.clips import about, f32, rotation_matrix, same_rotation, unit_quaternions

vectors = hnp.arrays(np.float32, 3, elements=st.floats(-10, 10, width=32))
scales = hnp.arrays(np.float32, 3, elements=st.floats(0.125, 8, width=32))


def by_definition(translation, rotation, scale):
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(rotation) @ np.diag(np.asarray(scale, float))
    matrix[:3, 3] = translation
    return matrix


@given(vectors, unit_quaternions(), scales)
def test_scale_then_rotation_then_translation(translation, rotation, scale):
    got = compose(translation, rotation, scale)
    np.testing.assert_allclose(got, by_definition(translation, rotation, scale), atol=1e-5)


def test_compose_overwrites_out():
    out = np.full((2, 4, 4), np.nan, np.float32)
    assert compose(f32(1, 2, 3), about((0, 0, 1), 90), f32(2, 2, 2), out=out[1]) is not None
    np.testing.assert_allclose(
        out[1], [[0, -2, 0, 1], [2, 0, 0, 2], [0, 0, 2, 3], [0, 0, 0, 1]], atol=1e-6
    )
    assert np.isnan(out[0]).all()


@given(vectors, unit_quaternions(), scales)
def test_decompose_inverts_compose(translation, rotation, scale):
    moved, turned, sized, shear = decompose(by_definition(translation, rotation, scale))
    np.testing.assert_array_equal(moved, translation)
    assert same_rotation(turned, rotation, atol=2e-6)
    np.testing.assert_allclose(sized, scale, rtol=1e-5)
    assert shear == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("signs", [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1), (-1, -1, 1)])
def test_decomposed_mirrored_matrices_compose_to_themselves(signs):
    matrix = by_definition((1, 2, 3), about((0.6, 0, 0.8), 40), np.array(signs) * (1, 2, 3))
    translation, rotation, scale, shear = decompose(matrix)
    np.testing.assert_allclose(compose(translation, rotation, scale), matrix, atol=1e-5)
    assert (np.prod(scale) < 0) == (np.prod(signs) < 0)
    assert (scale < 0).sum() <= 1
    assert shear == pytest.approx(0, abs=1e-6)


def test_shear_is_the_cosine_between_the_axes():
    matrix = np.eye(4)
    matrix[:3, 1] = [np.cos(np.radians(60)), np.sin(np.radians(60)), 0]
    _, rotation, scale, shear = decompose(matrix)
    assert shear == pytest.approx(0.5, abs=1e-6)
    np.testing.assert_allclose(scale, 1, atol=1e-6)
    assert same_rotation(rotation, about((0, 0, 1), -15))  # as far from the one axis as the other


@pytest.mark.parametrize("flat", [(0, 1, 1), (1, 0, 1), (0, 0, 1), (0, 0, 0)])
def test_decompose_of_flat_matrix_returns_a_rotation(flat):
    matrix = by_definition((0, 0, 0), about((0, 1, 0), 30), flat)
    translation, rotation, scale, _ = decompose(matrix)
    assert np.linalg.norm(rotation) == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(compose(translation, rotation, scale), matrix, atol=1e-6)


def test_compose_and_decompose_accept_batches():
    matrices = np.stack(
        [by_definition((k, 0, 0), about((1, 0, 0), 10 * k), (1, k + 1, 1)) for k in range(6)]
    )
    parts = decompose(matrices.reshape(2, 3, 4, 4))
    assert [part.shape for part in parts] == [(2, 3, 3), (2, 3, 4), (2, 3, 3), (2, 3)]
    np.testing.assert_allclose(compose(*parts[:3]), matrices.reshape(2, 3, 4, 4), atol=1e-6)
