"""Image-based light: an environment map prefiltered for diffuse and glossy surfaces.

Diffuse irradiance is stored as nine spherical harmonic coefficients, glossy reflection as small
octahedral maps, each prefiltered for one roughness by a convolution with its lobe, from a mip
pyramid of the map. Both are computed once per environment map.

In spherical harmonics, the convolution of a map of the sphere with a kernel that is symmetric about
its axis is a product: the coefficients of degree l are multiplied by the kernel's. The harmonics
are a Fourier transform along each row, and associated Legendre functions along the columns.

Sources: Driscoll and Healy, "Computing Fourier Transforms and Convolutions on the 2-Sphere" (1994);
Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance Environment Maps"
(2001); Karis, "Real Shading in Unreal Engine 4" (2013); Krivanek and Colbert, "Real-time Shading
with Filtered Importance Sampling" (2008); Cigolle and others, "Survey of Efficient Representations
for Independent Unit Vectors" (2014).
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..animation.types import F32, F64
from ..file_io import read_file

DEGREES = 256  # harmonics of degree 0 to 255: a detail of 0.7 degrees
_ORDERS = 32  # orders at a time, which bounds the memory
_ONE_THREAD = 1 << 18  # largest product of the three sizes for which OpenBLAS starts no threads
_COLUMNS = 16  # of a product


def convolved(maps: Sequence[F64], kernels: F64) -> F64:
    """Return the sums [N, H, W, 3] of maps, each convolved with a kernel.

    Parameters
    ----------
    maps
        M equirectangular maps [H, W, 3] of equal size, H at least `DEGREES` and W twice as much.
    kernels
        [N, M, DEGREES] coefficients of the kernels, see `legendre`.
    """
    height, width = maps[0].shape[:2]
    spectra = [np.fft.rfft(each, axis=1)[:, :DEGREES].transpose(1, 0, 2) for each in maps]
    spectrum = np.concatenate(spectra, axis=2)  # [m, H, M * 3]
    light = np.concatenate([spectrum.real, spectrum.imag], axis=2) * _row_weights(height)[:, None]
    count = len(kernels)
    result = np.empty((DEGREES, height, 2 * 3 * count))
    with np.errstate(under="ignore"):  # functions of high order vanish near the poles
        for first, functions in _legendre_functions(height):
            orders = slice(first, first + len(functions))
            found = _product(functions, light[orders])
            found = found.reshape(*functions.shape[:2], 2, len(maps), 3)
            products = np.einsum("mlixc,nxl->mlinc", found, kernels[..., first:])
            products = products.reshape(*functions.shape[:2], -1)
            result[orders] = _product(functions.transpose(0, 2, 1), products)
    real, imaginary = result.reshape(DEGREES, height, 2, count, 3).transpose(2, 3, 1, 0, 4)
    out: F64 = np.fft.irfft(real + 1j * imaginary, n=width, axis=2)
    return out


def legendre(cosines: F64) -> F64:
    """Return the Legendre polynomials [DEGREES, n] of cosines [n].

    They are the coefficients of a ring around the axis of the kernel, whose weights sum to 1.
    """
    out = np.empty((DEGREES, len(cosines)))
    out[0], out[1] = 1.0, cosines
    for degree in range(2, DEGREES):
        a, b = (2 * degree - 1) / degree, (degree - 1) / degree
        out[degree] = a * cosines * out[degree - 1] - b * out[degree - 2]
    return out


def _row_weights(height: int) -> F64:
    """Return weights [H] of rows, the sum 2: exact integrals of harmonics up to degree H - 1.

    Source: Fejér's first rule, Davis and Rabinowitz, "Methods of Numerical Integration" (1984).
    """
    j = np.arange(1, height // 2 + 1)
    theta = (np.arange(height) + 0.5) / height * np.pi
    out: F64 = 2 / height * (1 - 2 * np.cos(2 * np.outer(theta, j)) @ (1 / (4.0 * j * j - 1)))
    return out


def _product(first: F64, second: F64) -> F64:
    """Return the matrix products of [m, a, b] and [m, b, n].

    In parts that BLAS computes in one thread: with many small ones, threads cost more than they
    save, and much more if other programs run.
    """
    out = np.empty((*first.shape[:2], second.shape[2]))
    rows = max(_ONE_THREAD // (first.shape[2] * _COLUMNS), 1)
    for top in range(0, first.shape[1], rows):
        for left in range(0, second.shape[2], _COLUMNS):
            part, columns = slice(top, top + rows), slice(left, left + _COLUMNS)
            out[:, part, columns] = first[:, part] @ second[:, :, columns]
    return out


def _legendre_functions(height: int) -> Iterator[tuple[int, F64]]:
    """Yield orders m by their first one, and the associated Legendre functions [m, l, H] of them.

    They are normalised: the integral of the square over the cosine of the latitude is 1. Degrees l
    begin with the first order, as those below an order have no function.
    """
    theta = (np.arange(height) + 0.5) / height * np.pi
    x, sine = np.cos(theta), np.sin(theta)
    sectoral = np.full(height, np.sqrt(0.5))  # of degree m and order m
    for first in range(0, DEGREES, _ORDERS):
        orders = np.arange(first, first + _ORDERS)
        out = np.zeros((_ORDERS, DEGREES - first, height))
        for m in orders.tolist():
            if m:
                sectoral = sectoral * sine * np.sqrt((2 * m + 1) / (2 * m))
            out[m - first, m - first] = sectoral
        for degree in range(first + 1, DEGREES):
            lower = min(degree - first, _ORDERS)  # orders below the degree
            m2 = orders[:lower] ** 2.0
            a = np.sqrt((4.0 * degree**2 - 1) / (degree**2 - m2))[:, None]
            step = x * out[:lower, degree - first - 1]
            if degree > first + 1:
                b = np.sqrt(np.maximum((degree - 1) ** 2 - m2, 0) / (4.0 * (degree - 1) ** 2 - 1))
                step -= b[:, None] * out[:lower, degree - first - 2]
            out[:lower, degree - first] = a * step
        yield first, out


SIDE = 96  # texels of a level of the studio, including its border of one texel
SHARP_SIDE = 384  # the same of a map, whose lamps are small
LEVELS = 7  # level k has roughness k / (LEVELS - 1)
LEAST_SUN_HEIGHT = 0.1  # of a light that casts the shadow: sine of its elevation
OUTSTANDING = 1.5  # its brightness, over the mean above the horizon
MAX_BYTES = 1 << 24  # of a stored environment
SAMPLES = 512  # of a GGX lobe


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """A prefiltered environment: linear light from all directions, world space."""

    irradiance: F32  # [9, 3] coefficients: the dot product with `harmonics(n)` is irradiance / pi
    levels: F32  # [LEVELS, S, S, 3] octahedral maps, see `octahedral`


def prefilter(radiance: F32, side: int = SIDE) -> Environment:
    """Return the prefiltered environment of an equirectangular map.

    Parameters
    ----------
    radiance
        [H, W, 3] linear, equirectangular: +Y at the top, +X in the middle, +Z at three quarters of
        the width.
    side
        Texels of a level along each edge. Those that are not mirrors are convolved at half the
        height of maps of 2 `DEGREES` rows and more: their details are larger.
    """
    if radiance.ndim != 3 or radiance.shape[2] != 3:
        raise ValueError(f"radiance must be [H, W, 3], not {list(radiance.shape)}")
    pyramid = mip_pyramid(radiance.astype(np.float64))
    towards = texel_directions(side)
    levels = np.empty((LEVELS, side, side, 3), np.float32)
    sharp = level_of(pyramid, 4 * np.pi / (side - 2) ** 2)
    levels[0] = look_up(pyramid, towards, np.full(towards.shape[:-1], sharp))
    coarse = pyramid[1:] if len(radiance) >= 2 * DEGREES else pyramid
    filtered = _ggx_filtered(coarse, [(k / (LEVELS - 1)) ** 2 for k in range(1, LEVELS)])
    channels = np.concatenate(list(filtered.astype(np.float32)), axis=-1)  # one place in all
    levels[1:] = np.moveaxis(_bilinear(channels, towards).reshape(side, side, -1, 3), 2, 0)
    return Environment(_irradiance(coarse[0]), levels)


def scaled(environment: Environment, share: float) -> Environment:
    """Return an environment with its light multiplied by `share`."""
    return Environment(
        environment.irradiance * np.float32(share), environment.levels * np.float32(share)
    )


def rotated_irradiance(irradiance: F32, turn: float) -> F32:
    """Return the irradiance coefficients [9, 3] of light rotated by `turn` about +Y, radians."""
    if turn == 0.0:
        return irradiance
    cosine, sine = np.cos(turn), np.sin(turn)
    back = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
    spread = octahedral(np.stack(np.meshgrid(*[np.linspace(-0.9, 0.9, 5)] * 2), -1)).reshape(-1, 3)
    received = harmonics(spread @ back) @ irradiance
    found = np.linalg.lstsq(harmonics(spread), received, rcond=None)[0]
    return found.astype(np.float32)


def harmonics(direction: F64) -> F64:
    """Return the nine real spherical harmonics [..., 9] up to the second band."""
    x, y, z = direction[..., 0], direction[..., 1], direction[..., 2]
    return np.stack(
        [
            np.full(x.shape, 0.282095),
            0.488603 * y,
            0.488603 * z,
            0.488603 * x,
            1.092548 * x * y,
            1.092548 * y * z,
            0.315392 * (3 * z * z - 1),
            1.092548 * x * z,
            0.546274 * (x * x - y * y),
        ],
        axis=-1,
    )


def octahedral(uv: F64) -> F64:
    """Return the unit directions [..., 3] of octahedral coordinates [..., 2], -1 to 1.

    +Y is in the middle, -Y at the corners; coordinates beyond an edge wrap around the sphere.
    """
    # coordinates beyond an edge are mirrored at the middle of that edge
    for _ in range(2):
        for a, b in ((0, 1), (1, 0)):
            beyond = np.abs(uv[..., a]) > 1
            folded = np.sign(uv[..., a]) * 2 - uv[..., a]
            uv = np.where(
                beyond[..., None],
                np.stack([folded, -uv[..., b]] if a == 0 else [-uv[..., b], folded], axis=-1),
                uv,
            )
    x, z = uv[..., 0], uv[..., 1]
    y = 1 - np.abs(x) - np.abs(z)
    below = np.maximum(-y, 0)
    x, z = x - np.copysign(below, x), z - np.copysign(below, z)
    toward = np.stack([x, y, z], axis=-1)
    out: F64 = toward / np.sqrt((toward**2).sum(axis=-1, keepdims=True))
    return out


def texel_directions(side: int = SIDE) -> F64:
    """Return the directions [S, S, 3] of the texels of a level of S, including its border."""
    at = (np.arange(side) - 0.5) / (side - 2) * 2 - 1
    return octahedral(np.stack(np.meshgrid(at, at, indexing="xy"), axis=-1))


@lru_cache(maxsize=4)
def brightest_direction(environment: Environment) -> F64 | None:
    """Return the unit vector [3] to the brightest light above the horizon; None if none stands out.

    The light is that of a glossy reflection, so that a large window is brighter than a small lamp.
    """
    level = environment.levels[min(2, len(environment.levels) - 1)]
    light = level.astype(np.float64) @ np.array([0.2126, 0.7152, 0.0722])
    towards = texel_directions(len(level))
    above = towards[..., 1] > LEAST_SUN_HEIGHT
    brightest = int(np.where(above, light, -1.0).argmax())
    if light.flat[brightest] < OUTSTANDING * float(light[above].mean()) or not light.any():
        return None
    found: F64 = towards.reshape(-1, 3)[brightest]
    return found


def save(environment: Environment, path: Path) -> None:
    """Write an environment as .npz in half floats; brighter light is clamped.

    Large ones are not compressed, as that takes long and saves little.
    """
    write = np.savez_compressed if environment.levels.shape[1] <= SIDE else np.savez
    write(
        path,
        irradiance=environment.irradiance,
        levels=np.minimum(environment.levels, 6e4).astype(np.float16),
    )


def load(path: Path) -> Environment:
    """Read an environment written by `save`.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It is not such a file.
    """
    data = io.BytesIO(read_file(path, MAX_BYTES))
    try:
        with np.load(data, allow_pickle=False) as arrays:
            irradiance, levels = arrays["irradiance"], arrays["levels"]
    except Exception as error:  # numpy, zipfile and zlib raise many kinds for damaged files
        raise ValueError(f"not an environment: {error}") from None
    side = levels.shape[1] if levels.ndim == 4 else 0
    if irradiance.shape != (9, 3) or side < 3 or levels.shape != (LEVELS, side, side, 3):
        raise ValueError("not an environment: the arrays have other shapes")
    if not (irradiance.dtype == np.float32 and levels.dtype == np.float16):
        raise ValueError("not an environment: the arrays have other types")
    if not (np.isfinite(irradiance).all() and np.isfinite(levels).all()):
        raise ValueError("not an environment: a value is not finite")
    return Environment(irradiance, levels.astype(np.float32))


def directions(height: int, width: int) -> F64:
    """Return the directions [H, W, 3] of the pixels of an equirectangular map."""
    theta = (np.arange(height) + 0.5) / height * np.pi
    phi = ((np.arange(width) + 0.5) / width - 0.5) * 2 * np.pi
    sine = np.sin(theta)[:, None]
    return np.stack(
        np.broadcast_arrays(sine * np.cos(phi), np.cos(theta)[:, None], sine * np.sin(phi)), axis=-1
    )


def _irradiance(radiance: F64) -> F32:
    height, width = radiance.shape[:2]
    theta = (np.arange(height) + 0.5) / height * np.pi
    area = np.sin(theta)[:, None] * (np.pi / height) * (2 * np.pi / width)
    basis = harmonics(directions(height, width))
    coefficients = np.einsum(
        "hwc,hwk,hw->kc", radiance, basis, np.broadcast_to(area, basis.shape[:2])
    )
    bands = np.array([1.0, *[2 / 3] * 3, *[1 / 4] * 5])  # clamped cosine lobe / pi
    return (coefficients * bands[:, None]).astype(np.float32)


def mip_pyramid(radiance: F64) -> list[F64]:
    """Return the mip pyramid of a map: each level averages 2 x 2 pixels of the previous one."""
    levels = [radiance]
    while min(levels[-1].shape[:2]) > 4:
        fine = levels[-1]
        even = fine[: fine.shape[0] // 2 * 2, : fine.shape[1] // 2 * 2]
        levels.append((even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]) / 4)
    return levels


def level_of(pyramid: list[F64], angle: float) -> float:
    """Return the level of a pyramid whose pixels have a solid angle, steradians."""
    own = 4 * np.pi / (pyramid[0].shape[0] * pyramid[0].shape[1])
    return float(np.clip(0.5 * np.log2(max(angle / own, 1e-9)), 0, len(pyramid) - 1))


def look_up(pyramid: list[F64], direction: F64, level: F64) -> F64:
    """Return the light [..., 3] from directions [..., 3], filtered trilinearly at level [...]."""
    level = np.clip(level, 0, len(pyramid) - 1)
    low = np.minimum(np.floor(level).astype(int), len(pyramid) - 2)
    share = (level - low)[..., None]
    out = np.zeros((*direction.shape[:-1], 3))
    for k in range(len(pyramid)):
        for chosen, weight in ((low == k, 1 - share), (low + 1 == k, share)):
            if chosen.any():
                out[chosen] += weight[chosen] * _bilinear(pyramid[k], direction[chosen])
    return out


def _bilinear(picture: F64, direction: F64) -> F64:
    height, width = picture.shape[:2]
    row = np.arccos(np.clip(direction[..., 1], -1, 1)) / np.pi * height - 0.5
    column = (np.arctan2(direction[..., 2], direction[..., 0]) / (2 * np.pi) + 0.5) * width - 0.5
    top, left = np.floor(row).astype(int), np.floor(column).astype(int)
    texels = picture.reshape(height * width, -1)
    upper, lower = np.clip(top, 0, height - 1) * width, np.clip(top + 1, 0, height - 1) * width
    first, second = left % width, (left + 1) % width
    down, across = (
        (at - k)[..., None].astype(picture.dtype) for at, k in ((row, top), (column, left))
    )
    out: F64 = texels[upper + first]
    out += across * (texels[upper + second] - out)
    below = texels[lower + first]
    below += across * (texels[lower + second] - below)
    out += down * (below - out)
    return out


def _ggx_filtered(pyramid: list[F64], alphas: Sequence[float]) -> F64:
    """Return the light [N, H, W, 3] of all directions, convolved with GGX lobes (view = normal)."""
    kernels = np.array([_ggx_kernels(alpha, pyramid) for alpha in alphas])
    rows = max(len(pyramid[0]), DEGREES)
    around = directions(rows, 2 * rows)
    maps = [level if level.shape == around.shape else _bilinear(level, around) for level in pyramid]
    return np.maximum(convolved(maps, kernels), 0.0)  # beside the sun, rounding may go below


def _ggx_kernels(alpha: float, pyramid: list[F64]) -> F64:
    """Return the coefficients [M, DEGREES] of a GGX lobe for each level of a pyramid.

    Each sample adds a ring to the two levels whose pixels are nearest to its solid angle.
    """
    cosine, level = ggx_samples(alpha, pyramid)
    weight = cosine / cosine.sum()
    shares = np.maximum(1 - np.abs(level - np.arange(len(pyramid))[:, None]), 0)  # [M, n]
    out: F64 = (shares * weight) @ legendre(cosine).T
    return out


def ggx_samples(alpha: float, pyramid: list[F64]) -> tuple[F64, F64]:
    """Return samples of a GGX lobe around the normal, which is also the direction of view.

    Returns
    -------
    cosine
        [n] of the angles between the light directions and the normal, which are their weights too.
    level
        [n] of the pyramid, where pixels have four times the solid angle of the sample.
    """
    u = (np.arange(SAMPLES) + 0.5) / SAMPLES
    a2 = alpha * alpha
    half2 = (1 - u) / (1 + (a2 - 1) * u)  # squared cosine of the half vector's angle
    density = a2 / (np.pi * (half2 * (a2 - 1) + 1) ** 2) / 4  # D n.h / (4 v.h) with v = n
    cosine = 2 * half2 - 1  # the light direction has twice the angle of the half vector
    above = cosine > 0
    angles = 4 / (SAMPLES * density[above])
    return cosine[above], np.array([level_of(pyramid, angle) for angle in angles.tolist()])
