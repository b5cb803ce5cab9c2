"""Convolution of maps of the sphere with kernels that are symmetric about their axis.

In spherical harmonics such a convolution is a product: the coefficients of degree l are multiplied
by the kernel's. The harmonics are a Fourier transform along each row, and associated Legendre
functions along the columns.

Source: Driscoll and Healy, "Computing Fourier Transforms and Convolutions on the 2-Sphere" (1994).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..animation.types import F64

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
            products = np.einsum("mlixc,nxl->mlinc", found, kernels)
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

    They are normalised: the integral of the square over the cosine of the latitude is 1.
    """
    theta = (np.arange(height) + 0.5) / height * np.pi
    x, sine = np.cos(theta), np.sin(theta)
    sectoral = np.full(height, np.sqrt(0.5))  # of degree m and order m
    for first in range(0, DEGREES, _ORDERS):
        orders = np.arange(first, first + _ORDERS)
        out = np.zeros((_ORDERS, DEGREES, height))
        for m in orders.tolist():
            if m:
                sectoral = sectoral * sine * np.sqrt((2 * m + 1) / (2 * m))
            out[m - first, m] = sectoral
        for degree in range(first + 1, DEGREES):
            lower = min(degree - first, _ORDERS)  # orders below the degree
            m2 = orders[:lower] ** 2.0
            a = np.sqrt((4.0 * degree**2 - 1) / (degree**2 - m2))[:, None]
            step = x * out[:lower, degree - 1]
            if degree > 1:
                b = np.sqrt(np.maximum((degree - 1) ** 2 - m2, 0) / (4.0 * (degree - 1) ** 2 - 1))
                step -= b[:, None] * out[:lower, degree - 2]
            out[:lower, degree] = a * step
        yield first, out
