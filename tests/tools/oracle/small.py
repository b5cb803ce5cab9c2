"""The small files of tests/oracle/models: between them what animated glTF can say.

Their numbers are arbitrary; what each file is there for stands in its function.
"""

from collections.abc import Sequence

import numpy as np

from tests.tools.oracle.builder import TETRAHEDRON, Builder, Draw, cubic, unit

Kind = str | None  # of interpolation; None: the file does not say
Times = Sequence[float]  # seconds

BYTE_UNIT = [[-62, -106, 32, 5], [-72, -57, 60, 64], [12, -111, -60, -8], [-37, -56, -70, 82]]
SHORT_UNIT = [
    [22826, 5146, -5101, 22364],
    [-14243, -2476, 28970, -5042],
    [26880, -12006, -12702, 6757],
    [6158, -16888, 15766, -22405],
]


def interpolations() -> Builder:
    """Return STEP, LINEAR and CUBICSPLINE on translation, rotation and scale; late first keys."""
    made, draw = Builder(), Draw(1)
    mesh = made.mesh()
    root = made.node("Root", translation=[0.5, -1.0, 2.0], mesh=mesh)
    arm = made.node(
        "Arm", root, mesh=mesh, translation=[1, 0, 0], rotation=[0.6, 0, 0, 0.8], scale=[1, 2, 1.5]
    )
    hand = made.node("Hand", arm, mesh=mesh, translation=[0, 1.5, 0], rotation=[0, 0.28, 0, 0.96])
    made.node("Tip", hand, mesh=mesh, translation=[0.25, 0.25, 0.25], scale=[0.5, 0.5, 0.5])

    targets = [(root, "translation"), (arm, "rotation"), (hand, "scale")]

    def clip(name: str, *tracks: tuple[Kind, Times]) -> None:
        channels = [
            made.channel(node, path, times, keys(draw, path, times, kind), kind)
            for (node, path), (kind, times) in zip(targets, tracks, strict=True)
        ]
        made.clip(name, *channels)

    all_times = [0, 0.4, 1, 1.7], [0, 0.25, 0.5, 1.25, 2], [0, 0.7, 1.3]
    for kind in ("STEP", "LINEAR", "CUBICSPLINE"):
        clip(kind.capitalize(), *((kind, times) for times in all_times))
    clip("Linear where unsaid", *((None, times) for times in all_times))
    clip(
        "Late",
        ("LINEAR", [0.75, 1.5, 2.5]),
        ("CUBICSPLINE", [1.25, 1.5, 2]),
        ("STEP", [0.5, 3]),
    )
    clip("One key", ("LINEAR", [0.5]), ("LINEAR", [1]), ("STEP", [0.25]))
    return made


def keys(draw: Draw, path: str, times: Times, kind: Kind) -> np.ndarray:
    """Return some output for the keys of a channel."""
    count, width = len(times), 4 if path == "rotation" else 3
    low = 0.25 if path == "scale" else -1.0
    values = draw.rotations(count) if width == 4 else draw.floats(count, 3, low=low, high=2.0)
    if kind != "CUBICSPLINE":
        return values
    return cubic(draw.floats(count, width), values, draw.floats(count, width))


def arcs() -> Builder:
    """Return rotations that need the shortest arc, nearly none, nearly half a turn; signs."""
    made, draw = Builder(), Draw(2)
    mesh = made.mesh()
    upper = made.node("Upper", mesh=mesh, rotation=unit(1, 2, -2, 4))
    lower = made.node("Lower", upper, mesh=mesh, translation=[0, 1, 0])
    rotations = draw.rotations(9)
    for k in range(1, 9):  # from each key to the next the long way, were signs left as they are
        if float(np.dot(rotations[k - 1], rotations[k])) > 0:
            rotations[k] = -rotations[k]
    times = np.arange(9) * 0.25
    made.clip("Long ways", made.channel(upper, "rotation", times, rotations, "LINEAR"))
    q = np.array(unit(2, -1, 3, 5))
    near = [q, -q, q, unit(2, -1, 3, 5.001), unit(-2, 1, -3, -5.01), unit(2, -1, 3, 5.00001)]
    made.clip("Near", made.channel(lower, "rotation", times[:6], near, "LINEAR"))
    half = [[0, 0, 0, 1], unit(0, 0, 1, 0.01), [0, 0, 0, 1], unit(0, 0, 1, -0.01), [0, 0, 0, -1]]
    made.clip("Half turns", made.channel(upper, "rotation", times[:5], half, "LINEAR"))
    signs = cubic(np.zeros((9, 4)), rotations, draw.floats(9, 4, low=-2, high=2))
    made.clip("Cubic keeps signs", made.channel(upper, "rotation", times, signs, "CUBICSPLINE"))
    made.clip("Held", made.channel(lower, "rotation", times, rotations, "STEP"))
    return made


def mirrors() -> Builder:
    """Return negative and non-uniform scales in a hierarchy, and nodes that have a `matrix`."""
    made, draw = Builder(), Draw(3)
    mesh = made.mesh()
    turned = [0, 1.5, 0, 0, -0.75, 0, 0, 0, 0, 0, 2, 0, 0.5, 1, -0.25, 1]  # columns
    flipped = [-1.5, 0, 0, 0, 0, 0, 2, 0, 0, -0.5, 0, 0, 1, 0, 0.5, 1]
    first = made.node("Mirrored", mesh=mesh, scale=[-1, 2, 0.5], rotation=unit(1, 1, 0, 3))
    second = made.node("Matrix", first, mesh=mesh, matrix=turned)
    third = made.node("Inside out", second, mesh=mesh, scale=[-0.5, -1, -2], translation=[0, 1, 0])
    fourth = made.node("Stretched", third, mesh=mesh, scale=[3, 1, 0.25], rotation=unit(0, 2, 1, 2))
    made.node("Mirrored matrix", mesh=mesh, matrix=flipped)
    times = [0, 0.5, 1.25]
    made.clip(
        "Turn",
        made.channel(first, "rotation", times, draw.rotations(3), "LINEAR"),
        made.channel(first, "translation", times, draw.floats(3, 3), "LINEAR"),
        made.channel(fourth, "rotation", times, draw.rotations(3), "LINEAR"),
    )
    signs = [[-0.5, -1, -2], [0.5, -1, 2], [1, 1, -1]]
    made.clip("Flip", made.channel(third, "scale", times, signs, "STEP"))
    shrunk = [[-1, 2, 0.5], [-2, -1, 0.25], [-0.125, -3, -2]]  # two of the axes pass zero
    made.clip(
        "Through zero",
        made.channel(first, "scale", times, shrunk, "LINEAR"),
        made.channel(third, "translation", times, draw.floats(3, 3), "STEP"),
    )
    return made


def morphs() -> Builder:
    """Return morph weights in all interpolations, weights of mesh and node, sparse accessors."""
    made, draw = Builder(), Draw(4)
    targets = draw.floats(3, 8, 3)
    targets[1][[0, 2, 3, 4, 6, 7]] = 0
    points = np.concatenate([TETRAHEDRON, np.add(TETRAHEDRON, [2, 0, 0])])
    primitive = made.primitive(points)
    primitive["attributes"]["POSITION"] = made.sparse(points, [0, 5], base=True)
    primitive["targets"] = [
        {"POSITION": made.accessor(targets[0], bounds=True)},
        {"POSITION": made.sparse(targets[1], [1, 5])},
        {"POSITION": made.sparse(targets[2], [2, 3, 7], base=True)},
    ]
    mesh = made.mesh(primitive, weights=[0.25, 0, 0.5])
    second = [made.primitive(), made.primitive(np.array(TETRAHEDRON) * -2)]
    for part in second:
        moves = [made.accessor(draw.floats(4, 3), bounds=True) for _ in range(2)]
        part["targets"] = [{"POSITION": each} for each in moves]
    face = made.node("Face", mesh=mesh, rotation=unit(0, 1, 0, 3))
    twin = made.node("Own weights", mesh=mesh, weights=[0, 1, -0.5], translation=[0, 3, 0])
    pair = made.node("Two parts", face, mesh=made.mesh(*second), translation=[0, 0, 2])
    times = [0, 0.5, 0.75, 2]
    held = draw.floats(4, 3, low=0)
    held[1:3] = 0  # sparse, and nothing else
    made.clip("Step", made.channel(face, "weights", times, held, "STEP"))
    sparse = made.sparse(held.reshape(-1, 1), [0, 1, 2, 9, 10, 11])
    made.clip("Sparse", made.channel(face, "weights", times, sparse, "LINEAR"))
    made.clip(
        "Linear",
        made.channel(twin, "weights", times, draw.floats(4, 3), "LINEAR"),
        made.channel(pair, "weights", times[:3], draw.floats(3, 2), "LINEAR"),
    )
    bent = cubic(*(draw.floats(4, 3) for _ in range(3)))
    late = cubic(*(draw.floats(2, 2) for _ in range(3)))
    made.clip(
        "Cubic",
        made.channel(face, "weights", times, bent, "CUBICSPLINE"),
        made.channel(pair, "weights", [0.5, 1.5], late, "CUBICSPLINE"),
    )
    return made


def integers() -> Builder:
    """Return normalized integers as output of rotations and weights, and as weights of joints.

    The quaternions have unit length to the last bit: their squares add up to 127² or 32767².
    Of weights, -128 is -1 as -127 is (glTF 2.0, section 3.11).
    """
    made, draw = Builder(), Draw(5)
    joints = made.accessor([[0, 0, 0, 0], *[[0, 1, 0, 0]] * 3], "u1")
    shares = [[255, 0, 0, 0], [0, 255, 0, 0], [51, 204, 0, 0], [128, 127, 0, 0]]
    weights = made.accessor(shares, "u1", normalized=True)
    primitive = made.primitive(JOINTS_0=joints, WEIGHTS_0=weights)
    moves = draw.floats(2, 4, 3)
    primitive["targets"] = [{"POSITION": made.accessor(each, bounds=True)} for each in moves]
    lower = made.node("Lower", translation=[0, 0.5, 0])
    upper = made.node("Upper", lower, translation=[0, 1, 0])
    skin = made.skin([lower, upper])
    body = made.node("Body", mesh=made.mesh(primitive), skin=skin)
    short = np.array(SHORT_UNIT, np.int64)
    times = [0, 0.5, 1, 2]
    zero = np.zeros_like(short)
    outputs = {
        "Byte": (made.accessor(BYTE_UNIT, "i1", normalized=True), "LINEAR"),
        "Short": (made.accessor(short, "i2", normalized=True), "LINEAR"),
        "Short, cubic": (
            made.accessor(cubic(zero, short, short[::-1] // 2), "i2", width=4, normalized=True),
            "CUBICSPLINE",
        ),
    }
    morphed = {
        "Byte": made.accessor([0, 255, 128, 3, 77, 200, 255, 0], "u1", normalized=True),
        "Short": made.accessor([0, 65535, 9, 30000, 7, 2, 65535, 1], "u2", normalized=True),
        "Short, cubic": made.accessor([-32767, 9, 32767, -2, 0, 5] * 4, "i2", normalized=True),
    }
    for name, (output, interpolation) in outputs.items():
        made.clip(
            name,
            made.channel(upper, "rotation", times, output, interpolation),
            made.channel(body, "weights", times, morphed[name], interpolation),
        )
    below = made.accessor([-128, 127, -127, 60, -3, -128, 0, 0], "i1", normalized=True)
    made.clip("Lowest byte", made.channel(body, "weights", times, below, "LINEAR"))
    return made
