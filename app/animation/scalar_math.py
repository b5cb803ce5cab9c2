"""Directions and rotations of one character in plain numbers, for `vectors` and `quat`.

For a single vector numpy takes ten times as long. Vectors are x, y, z and quaternions x, y, z, w.
As in numpy, invalid numbers propagate.
"""

import math
from collections.abc import Sequence

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Numbers = Sequence[float]

TINY = 1e-12  # a shorter vector has no direction
OPPOSITE = 1e-12  # 1 + cosine below which the axis between two directions is undefined
NEARLY_PARALLEL = 1e-4  # radians between 4-vectors; below it slerp equals nlerp in float32
SHORT = 1e-6  # a shorter quaternion has no rotation
IDENTITY: Quaternion = (0.0, 0.0, 0.0, 1.0)


def dot(a: Numbers, b: Numbers) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def length(v: Numbers) -> float:
    """Return the length."""
    x, y, z = v
    return math.sqrt(x * x + y * y + z * z)


def cross(a: Numbers, b: Numbers) -> Vector:
    """Return the vector product."""
    ax, ay, az = a
    bx, by, bz = b
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def unit(v: Numbers, otherwise: Numbers) -> Numbers:
    """Return the vector of length 1; `otherwise` if it is too short."""
    size = length(v)
    if size < TINY:
        return otherwise
    return v[0] / size, v[1] / size, v[2] / size


def reject(v: Numbers, n: Numbers) -> Vector:
    """Return the component of v perpendicular to the direction n."""
    along = dot(v, n)
    return v[0] - along * n[0], v[1] - along * n[1], v[2] - along * n[2]


def across(n: Numbers, v: Numbers, up: Numbers) -> Numbers:
    """Return the direction of the component of v perpendicular to n; the left where it is 0."""
    side = reject(v, n)
    if length(side) > TINY:
        return unit(side, n)
    least = min(range(3), key=lambda k: abs(n[k]))
    axis = reject([float(k == least) for k in range(3)], n)
    return unit(cross(up, n), unit(axis, axis))


def angle(a: Numbers, b: Numbers) -> float:
    """Return the angle between directions of any dimension, radians."""
    apart = math.sqrt(sum([(p - q) * (p - q) for p, q in zip(a, b, strict=True)]))
    together = math.sqrt(sum([(p + q) * (p + q) for p, q in zip(a, b, strict=True)]))
    return 2.0 * math.atan2(apart, together)


def toward(a: Numbers, b: Numbers, radians: float, up: Numbers) -> Vector:
    """Return direction a rotated towards b by an angle."""
    side, cosine, sine = across(a, b, up), math.cos(radians), math.sin(radians)
    return (
        cosine * a[0] + sine * side[0],
        cosine * a[1] + sine * side[1],
        cosine * a[2] + sine * side[2],
    )


def arc(a: Numbers, b: Numbers, up: Numbers) -> Quaternion:
    """Return the shortest rotation from a to b; opposite directions rotate by way of the left."""
    x, y, z = cross(a, b)
    w = 1.0 + dot(a, b)
    if w < OPPOSITE:
        x, y, z = cross(a, across(a, b, up))
        w = 0.0
    size = math.sqrt(x * x + y * y + z * z + w * w)
    return x / size, y / size, z / size, w / size


def multiply(a: Numbers, b: Numbers) -> Quaternion:
    """Return the Hamilton product: rotation by `b` first, then by `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def normalize(q: Numbers) -> Quaternion:
    """Return a quaternion of unit length; the identity if it is too short."""
    x, y, z, w = q
    size = math.sqrt(x * x + y * y + z * z + w * w)
    return IDENTITY if size < SHORT else (x / size, y / size, z / size, w / size)


def slerp(a: Numbers, b: Numbers, u: float) -> Quaternion:
    """Return the spherical linear interpolation on the shorter arc."""
    near = b
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0:
        near = [-part for part in b]
    between = angle(a, near)
    if between < NEARLY_PARALLEL:
        between = NEARLY_PARALLEL
    sine = math.sin(between)
    of_a, of_b = math.sin((1.0 - u) * between) / sine, math.sin(u * between) / sine
    return normalize([of_a * p + of_b * q for p, q in zip(a, near, strict=True)])


def to_matrix(q: Numbers) -> tuple[Vector, Vector, Vector]:
    """Return the rows of the rotation matrix of a unit quaternion."""
    x, y, z, w = q
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    return (
        (1.0 - (yy + zz), xy - wz, xz + wy),
        (xy + wz, 1.0 - (xx + zz), yz - wx),
        (xz - wy, yz + wx, 1.0 - (xx + yy)),
    )


def direction_inverse(rows: Sequence[Numbers]) -> tuple[Vector, Vector, Vector]:
    """Return the inverse of a matrix up to a positive factor, by cofactors."""
    size = max([abs(part) for row in rows for part in row])
    a, b, c = ([part / (size if size > 0.0 else 1.0) for part in row] for row in rows)
    x, y, z = list(zip(a, b, c, strict=True))  # its columns
    inverse = cross(y, z), cross(z, x), cross(x, y)
    if dot(x, inverse[0]) < 0.0:
        return tuple((-p, -q, -r) for p, q, r in inverse)  # type: ignore[return-value]
    return inverse
