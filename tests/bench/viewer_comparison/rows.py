"""The rows of the comparison: what is measured on which files, and what the number should be.

A row is a function that gets the pictures of one program and returns a number. `Seen` hands it the
pictures of a group of files; masks, normals and base colours are those of Rigview with the same
camera, equal for all programs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tests.bench.viewer_comparison import measures
from tests.bench.viewer_comparison.goals import VERDICTS, Goal
from tests.bench.viewer_comparison.row_files import MASK_SHARE
from tests.bench.viewer_comparison.shots import Shot

CHARACTERS = (("CesiumMan",), ("Fox",), ("Woman",), ("robot",), ("mannequin",))
TEXTURED = (("robot",), ("CesiumMan",), ("Fox",), ("mannequin",))
WHITE = 225  # least base colour of white, of 255
SEEN = 20.0  # colour difference of a line that is seen at a glance
EDGE = 8.0  # difference of L* across an outline that separates
TINT = 3.0  # colour difference of an area that is seen
PROGRAMS = ("ours", "f3d", "three")


@dataclass(frozen=True)
class Seen:
    """The pictures of a group of files by one program."""

    program: str
    pictures: dict  # by shot and program
    places: dict  # cameras by framed file and side
    group: tuple  # of files; the first places the camera, and its mask is used
    view: str | None

    def picture(self, look, file=0, program=None):
        """The picture [H, W, 4] of a file of the group."""
        shot = Shot(self.group[file], look, self.group[0], self.view)
        return self.pictures[shot][program or self.program]

    @cached_property
    def mask(self):
        """What the first file covers."""
        return measures.covered(self.base)

    @property
    def inside(self):
        """The mask without its edge."""
        return measures.shrunk(self.mask, 2)

    @property
    def base(self):
        """The base colour of the first file."""
        return self.picture("base", program="ours")

    @cached_property
    def normals(self):
        """Unit normals [H, W, 3] of the first file, world space."""
        coded = self.picture("normals", program="ours")[..., :3].astype(float) / 127.5 - 1
        return coded / np.maximum(np.linalg.norm(coded, axis=-1, keepdims=True), 1e-6)

    @property
    def placed(self):
        """The camera."""
        return self.places[self.group[0], self.view]

    @property
    def facing(self):
        """Cosine [H, W] of the angle from the normal to the direction of the camera."""
        return self.normals @ self.placed.used.direction()


def framing(seen):
    return measures.extent(measures.covered(seen.picture("framed")))


def form(seen):
    return measures.tone_of_turn(seen.picture("default"), seen.inside, seen.normals)


def white(seen):
    lit = seen.inside & (seen.base[..., :3].min(axis=-1) >= WHITE)
    return float(np.percentile(seen.picture("default")[..., :3].mean(axis=-1)[lit], 90))


def mid_tones(seen):
    found = measures.of_base_colour(seen.picture("default"), seen.base, seen.inside)
    return float(np.median(found))


def faces(seen):
    top, bottom, _, _ = measures.box(seen.mask)
    head = seen.inside & (seen.facing > 0.3)
    head[top + (bottom - top) // 4 :] = False
    found = measures.of_base_colour(seen.picture("default"), seen.base, head)
    return float(np.percentile(found, 5))


def contact(seen):
    return measures.contact(seen.picture("default"), seen.mask)


def map_shadow(seen):
    return measures.darkest_floor(seen.picture("map"), seen.mask)


def cut_out_shadow(seen):
    rows, columns = measures.below_feet(seen.mask)
    return float(np.median(seen.picture("cut-out")[rows, columns, 3])) / 255


def rim(seen):
    light = measures.luminance(seen.picture("default"))
    across = seen.normals @ np.cross([0, 1, 0], seen.placed.used.direction())
    edge = seen.inside & (seen.facing < 0.4)
    sides = [np.percentile(light[edge & (across * side > 0)], 90) for side in (-1, 1)]
    return float(min(sides) / np.percentile(light[seen.inside & (seen.facing > 0.5)], 98))


def blended_occlusion(seen):
    picture = measures.over_backdrop(seen.picture("default")).mean(axis=-1)
    top, bottom, left, right = measures.box(seen.mask)
    high, wide = bottom - top, right - left
    rows = slice(top + high * 2 // 5, bottom - high * 2 // 5)
    return measures.steps(picture[rows, left + wide // 8 : right - wide // 8].mean(axis=0))


def metal(seen):
    return measures.spread(seen.picture("default"), seen.inside)


def glass_outline(seen):
    ring = seen.inside & (seen.facing < 0.45)
    change = measures.colour_difference(*(seen.picture("default", file) for file in (1, 2)))
    return float((change[ring] >= TINT).mean())


def lamps(seen):
    return measures.detail(seen.picture("map"), measures.shrunk(seen.mask, 8), 8, 99)


def outline(seen):
    return measures.outline_seen(seen.picture("default"), seen.mask, EDGE)


def mask_coverage(seen):
    solid = measures.covered(seen.picture("base", 1, "ours")).sum()
    return float(seen.picture("alone")[..., 3].sum() / 255 / solid / MASK_SHARE)


def crossing_planes(seen):
    both, red, blue = (seen.picture("alone", file) for file in range(3))
    middle = red.shape[1] // 2
    red_near = np.arange(red.shape[1])[None, :, None] < middle
    near, far = np.where(red_near, red, blue), np.where(red_near, blue, red)
    crossed = measures.shrunk((red[..., 3] > 0) & (blue[..., 3] > 0), 3)
    crossed[:, middle - 4 : middle + 4] = False
    return float(measures.in_order(both, near, far)[crossed].mean())


def veil(seen):
    """Change of L* from the upper to the lowest part of an unlit ball."""
    light = measures.lightness(seen.picture("default"))
    top, bottom, _, _ = measures.box(seen.mask)
    upper, lower = seen.inside.copy(), seen.inside.copy()
    upper[(top + bottom) // 2 :] = False
    lower[: bottom - (bottom - top) // 6] = False
    lowest = np.abs(light[lower] - np.median(light[upper]))
    return float(np.percentile(lowest, 90))


def bands(seen):
    """The largest step of the background beside the figure, of 255."""
    picture = measures.over_backdrop(seen.picture("default"))
    height, width = seen.mask.shape
    rows = picture[: height // 3, : width // 4].mean(axis=1)
    return max(measures.banding(channel) for channel in rows.T)


def skeleton(seen):
    """Share of the points on bones with a line within two pixels that is seen at a glance."""
    change = measures.colour_difference(seen.picture("skeleton"), seen.picture("default"))
    strong = np.pad(change >= SEEN, 2)
    near = np.lib.stride_tricks.sliding_window_view(strong, (5, 5)).any(axis=(2, 3))
    at = np.linspace(0.1, 0.9, 9)[:, None, None]
    points = seen.placed.bones[:, 0] * (1 - at) + seen.placed.bones[:, 1] * at
    columns, rows = np.clip(np.rint(points.reshape(-1, 2)).astype(int), 0, len(near) - 1).T
    return float(near[rows, columns].mean())


def wires(seen):
    return measures.detail(seen.picture("wires"), seen.inside, 2, 75)


def edges(seen):
    """Root mean square error of coverage along edges, of 1."""
    exact = seen.picture("reference", program="ours")[..., 3] / 255
    off = seen.picture("alone")[..., 3] / 255 - exact
    return float(np.sqrt((off[(exact > 0.02) & (exact < 0.98)] ** 2).mean()))


def layers(seen):
    change = measures.colour_difference(*(seen.picture("default", file) for file in (0, 1)))
    return float(change[seen.inside].mean())


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes
    ----------
    number
        Returns the number of a group of files.
    what
        What the number is.
    looks
        The looks that are drawn; those of masks and normals are drawn for every row.
    files
        Groups of names.
    of
        The number of the row from those of the groups.
    """

    name: str
    number: Callable[[Seen], float]
    what: str
    goal: Goal
    looks: tuple
    files: tuple
    view: str | None = None
    of: Callable = np.median

    def groups(self, found, others=()):
        """The groups whose files are all found, by name; characters are measured with others."""
        groups = [names for names in self.files if all(name in found for name in names)]
        groups = [tuple(found[name] for name in names) for names in groups]
        general = self.files in (CHARACTERS, TEXTURED)
        return groups + [(other,) for other in others if general]

    def shots(self, groups):
        """The shots of groups."""
        looks = dict.fromkeys((*self.looks, "base", "normals"))
        return [
            Shot(file, look, group[0], self.view)
            for group in groups
            for look in looks
            for file in group
        ]


ROWS = (
    Row(
        "framing",
        framing,
        "longer side of the figure over the picture's; 0: cropped",
        Goal(0.70, 0.96, even=0.02),
        ("framed",),
        CHARACTERS,
    ),
    Row(
        "form",
        form,
        "change of L* for 10° of the surface, white",
        Goal(low=2.5, even=0.2),
        ("default",),
        (("white-figure",), ("Woman",)),
    ),
    Row(
        "white",
        white,
        "strongly lit white, of 255",
        Goal(195, 210, even=2),
        ("default",),
        (("white-figure",), ("Woman",), ("CesiumMan",)),
    ),
    Row(
        "mid-tones",
        mid_tones,
        "picture over base colour, textured",
        Goal(0.70, 0.80, even=0.02),
        ("default",),
        TEXTURED,
    ),
    Row(
        "faces",
        faces,
        "darkest twentieth of the face, picture over base colour",
        Goal(0.40, 0.80, even=0.02),
        ("default",),
        TEXTURED,
        of=np.min,
    ),
    Row(
        "contact",
        contact,
        "darkness of the floor below the feet",
        Goal(low=0.2, even=0.05),
        ("default",),
        (("white-figure",), ("CesiumMan",), ("mannequin",)),
    ),
    Row(
        "shadow of a map",
        map_shadow,
        "darkness of the shadow under an environment map",
        Goal(low=0.2, even=0.05),
        ("map",),
        (("white-figure",), ("CesiumMan",), ("mannequin",)),
    ),
    Row(
        "shadow of a cut-out",
        cut_out_shadow,
        "alpha below the feet",
        Goal(low=0.25, even=0.05),
        ("cut-out",),
        (("white-figure",), ("CesiumMan",), ("mannequin",)),
    ),
    Row(
        "rim",
        rim,
        "edge away from the light over the lit side, leather",
        Goal(high=0.30, even=0.03),
        ("default",),
        (("leather-ball",),),
    ),
    Row(
        "blended occlusion",
        blended_occlusion,
        "step along a gradient of alpha, of 255",
        Goal(high=8, even=2),
        ("default",),
        (("fading-pane",),),
        "front",
    ),
    Row(
        "metal",
        metal,
        "range of L* in a metal ball",
        Goal(low=40, even=4),
        ("default",),
        (("metal-ball",),),
    ),
    Row(
        "glass",
        glass_outline,
        "share of the edge of a glass ball that is seen",
        Goal(low=0.9, even=0.03),
        ("default",),
        (("glass-opaque", "glass", "glass-none"),),
    ),
    Row(
        "lamps",
        lamps,
        "contrast of a map's lamps in a visor, L*",
        Goal(low=15, even=2),
        ("map",),
        (("visor-ball",),),
    ),
    Row(
        "back",
        outline,
        "share of the outline that stands out, from behind",
        Goal(low=0.9, even=0.03),
        ("default",),
        CHARACTERS,
        "back",
    ),
    Row(
        "masks",
        mask_coverage,
        "coverage of small masked leaves over the exact one",
        Goal(0.90, 1.10, even=0.02),
        ("alone",),
        (("leaves", "leaves-solid"), ("leaves-far", "leaves-solid")),
        "front",
    ),
    Row(
        "crossing panes",
        crossing_planes,
        "share of the crossed area that is composed in the right order",
        Goal(low=0.95, even=0.05),
        ("alone",),
        (("crossing", "crossing-red", "crossing-blue"),),
        "front",
    ),
    Row(
        "below the floor",
        veil,
        "change of L* below the floor",
        Goal(high=2, even=0.5),
        ("default",),
        (("sinking-ball",),),
    ),
    Row(
        "background",
        bands,
        "bands of the background, of 255",
        Goal(high=0.25, even=0.25),
        ("default",),
        (("white-figure",),),
    ),
    Row(
        "skeleton",
        skeleton,
        "share of the bones that is seen at a glance",
        Goal(low=0.95, even=0.03),
        ("default", "skeleton"),
        (("CesiumMan",), ("Fox",), ("Woman",)),
    ),
    Row(
        "wireframe",
        wires,
        "contrast of the wires, L*",
        Goal(low=5, even=1),
        ("wires",),
        (("coarse-figure",), ("Woman",)),
    ),
    Row(
        "edges",
        edges,
        "error of coverage along edges",
        Goal(high=0.05, even=0.01),
        ("alone", "reference"),
        (("white-figure",), ("robot",)),
    ),
    Row(
        "layers",
        layers,
        "colour difference by clearcoat, sheen and iridescence",
        Goal(low=5, even=1),
        ("default",),
        (("layers", "layers-none"),),
        "front",
    ),
)


@dataclass(frozen=True)
class Result:
    """The numbers of a row by program, None where one cannot draw its files."""

    row: Row
    groups: list
    numbers: dict
    each: dict  # numbers by program and name of the first file of a group

    @property
    def verdicts(self):
        """How Rigview compares with each other program."""
        mine = self.numbers["ours"]
        return {peer: self.row.goal.verdict(mine, self.numbers[peer]) for peer in PROGRAMS[1:]}

    @property
    def is_met(self):
        """Whether Rigview reaches the threshold."""
        return self.row.goal.is_met(self.numbers["ours"])


def measured(row, groups, pictures, places):
    """The result of a row, over its own files; one that is not drawn has no number."""
    own = {names[0] for names in row.files}
    each = {program: {} for program in PROGRAMS}
    for program, found in each.items():
        for group in groups:
            try:
                seen = Seen(program, pictures, places, group, row.view)
                found[group[0].name] = round(float(row.number(seen)), 4)
            except KeyError:  # no picture
                continue
    numbers = {}
    for program, found in each.items():
        chosen = [number for name, number in found.items() if name in own]
        numbers[program] = round(float(row.of(chosen)), 4) if chosen else None
    return Result(row, groups, numbers, each)


def said(remark, verdicts):
    """The sentence of a row, with a note if the verdicts are others than those it was written for.

    `remark` is a table of remarks.toml: `says`, and the verdict against each program.
    """
    if remark is None:
        return "(no sentence yet)"
    other = {peer: found for peer, found in verdicts.items() if found not in (None, remark[peer])}
    assert all(remark[peer] in VERDICTS for peer in verdicts)
    words = " ".join(remark["says"].split())
    if not other:
        return words
    now = ", ".join(f"{peer} {found}" for peer, found in other.items())
    return f"(Outdated, now {now}:) {words}"
