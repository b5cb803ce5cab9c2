"""Numbers of pictures: lightness, edges, floors and silhouettes.

Pictures are [H, W, 4], uint8, sRGB, straight alpha; masks are [H, W]. Lightness is CIE L*, 0 to
100.
"""

import numpy as np

from tests.support.solids import linear_from_srgb

BACKDROP = 48.0  # grey behind transparent pictures, of 255
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
FEET = 0.05  # of a figure's height: the part that touches the floor


def over_backdrop(picture):
    """A picture [H, W, 3] over the backdrop, 0 to 255."""
    picture = np.asarray(picture, float)
    if picture.shape[2] == 3:
        return picture
    alpha = picture[..., 3:] / 255
    return picture[..., :3] * alpha + BACKDROP * (1 - alpha)


def luminance(picture):
    """Linear luminance [H, W], 0 to 1."""
    return linear_from_srgb(over_backdrop(picture)) @ LUMINANCE


def lightness(picture):
    """CIE L* [H, W]."""
    y = luminance(picture)
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


def colour_difference(one, other):
    """CIE 1976 colour difference [H, W] of two pictures."""
    return np.linalg.norm(_lab(one) - _lab(other), axis=-1)


def _lab(picture):
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = linear_from_srgb(over_backdrop(picture)) @ to_xyz.T / to_xyz.sum(axis=1)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (xyz * 24389 / 27 + 16) / 116)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def covered(picture):
    """Which pixels are covered by more than half."""
    return np.asarray(picture)[..., 3] > 127


def shrunk(mask, pixels):
    """A mask without its outermost pixels."""
    out = np.pad(mask, pixels)
    for _ in range(pixels):
        out = out & _shifted(out, 1, 0) & _shifted(out, -1, 0)
        out = out & _shifted(out, 0, 1) & _shifted(out, 0, -1)
    return out[pixels:-pixels, pixels:-pixels] if pixels else mask


def _shifted(values, down, right):
    return np.roll(values, (down, right), axis=(0, 1))


def blurred(values, radius):
    """Means [H, W] over squares of 2 radius + 1 pixels; edges are repeated."""
    side = 2 * radius + 1
    for axis in (0, 1):
        wide = np.pad(values, [(radius, radius) if k == axis else (0, 0) for k in (0, 1)], "edge")
        windows = np.lib.stride_tricks.sliding_window_view(wide, side, axis=axis)
        values = windows.mean(axis=-1)
    return values


def box(mask):
    """Top, bottom, left and right of a mask, the last ones exclusive; None if it is empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def extent(mask):
    """The longer side of what is covered over the picture's; 0: cropped or empty."""
    found = box(mask)
    if found is None:
        return 0.0
    top, bottom, left, right = found
    height, width = mask.shape
    if top == 0 or left == 0 or bottom == height or right == width:
        return 0.0
    return max((bottom - top) / height, (right - left) / width)


def tone_of_turn(picture, mask, normals, apart=8):
    """Median change of L* over 10 degrees of the normal, between pixels `apart` from each other."""
    light, found = lightness(picture), []
    for axis in (0, 1):
        a, b = (
            (np.s_[:-apart], np.s_[apart:]) if axis == 0 else (np.s_[:, :-apart], np.s_[:, apart:])
        )
        turn = np.degrees(np.arccos(np.clip((normals[a] * normals[b]).sum(axis=-1), -1, 1)))
        counts = mask[a] & mask[b] & (turn > 2) & (turn < 30)
        found.append(np.abs(light[a] - light[b])[counts] / turn[counts] * 10)
    found = np.concatenate(found)
    return float(np.median(found)) if found.size else 0.0


def below_feet(mask, depth=4):
    """Pixels [n] by row and column of the floor just below the lowest part of a figure."""
    top, bottom, left, right = box(mask)
    lowest = mask.shape[0] - 1 - np.argmax(mask[::-1], axis=0)
    columns = np.arange(left, right)
    columns = columns[lowest[columns] >= bottom - FEET * (bottom - top)]
    rows = lowest[columns][:, None] + np.arange(2, 2 + depth)
    rows, columns = np.broadcast_arrays(rows, columns[:, None])
    inside = rows < mask.shape[0]
    return rows[inside], columns[inside]


def open_floor(light, rows):
    """Median L* [n] at the sides of the picture, at the height of rows [n]."""
    width = light.shape[1]
    sides = [light[:, width // 50 : width // 10], light[:, -width // 10 : -width // 50]]
    return np.max([np.median(side, axis=1) for side in sides], axis=0)[rows]


def contact(picture, mask):
    """How much darker the floor is just below the feet: share of the open floor's L*."""
    light, (rows, columns) = lightness(picture), below_feet(mask)
    return float(np.median(1 - light[rows, columns] / np.maximum(open_floor(light, rows), 1e-6)))


def darkest_floor(picture, mask):
    """The shadow of a figure: how much darker its darkest twentieth is, as of `contact`.

    Lines of a grid are averaged with the floor.
    """
    light, (top, bottom, left, right) = lightness(picture), box(mask)
    light[mask] = np.nan
    high, wide = bottom - top, right - left
    floor = np.zeros_like(mask)
    floor[bottom - high // 12 : bottom + high // 25, left - wide // 4 : right + wide // 4] = True
    rows, columns = np.nonzero(floor & shrunk(~mask, 2))
    known = np.isfinite(light)
    around = blurred(np.where(known, light, 0), 4) / np.maximum(blurred(known * 1.0, 4), 1e-6)
    shares = 1 - around[rows, columns] / np.maximum(open_floor(around, rows), 1e-6)
    return float(np.percentile(shares, 95))


def outline_seen(picture, mask, least, reach=3):
    """Share of a silhouette across which L* differs by at least `least`."""
    light, found = lightness(picture), []
    for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        inner = _shifted(light, down * 2, right * 2)
        outer = _shifted(light, -down * reach, -right * reach)
        edge = mask & ~_shifted(mask, -down, -right) & _shifted(mask, down * 2, right * 2)
        far = ~_shifted(mask, -down * reach, -right * reach)
        found.append(np.abs(inner - outer)[edge & far] >= least)
    return float(np.concatenate(found).mean())


def steps(values, apart=12):
    """The largest change over `apart` places of a profile [n], apart from its median change."""
    change = values[apart:] - values[:-apart]
    return float(np.abs(change - np.median(change)).max())


def banding(values):
    """The largest difference of a profile [n] from its trend: half a level for a band of one."""
    short, long = (np.convolve(values, np.full(count, 1 / count), "same") for count in (4, 32))
    return float(np.abs(short - long)[20:-20].max())


def detail(picture, mask, radius, share):
    """The `share` percentile of how much L* differs from its mean over a square."""
    light = lightness(picture)
    return float(np.percentile(np.abs(light - blurred(light, radius))[mask], share))


def spread(picture, mask):
    """The range of L* between the darkest and the brightest twentieth."""
    low, high = np.percentile(lightness(picture)[mask], (5, 95))
    return float(high - low)


def of_base_colour(picture, base, mask):
    """Brightness [n] over that of the base colour, both as sRGB, without black."""
    mine, other = (over_backdrop(each)[..., :3].mean(axis=-1)[mask] for each in (picture, base))
    return (mine / np.maximum(other, 1))[other >= 60]


def composed(near, far):
    """A straight-alpha picture, 0 to 255, of one surface over another."""
    near, far = np.asarray(near, float), np.asarray(far, float)
    a, b = near[..., 3:] / 255, far[..., 3:] / 255
    alpha = a + b * (1 - a)
    colour = (near[..., :3] * a + far[..., :3] * b * (1 - a)) / np.maximum(alpha, 1e-6)
    return np.concatenate([colour, alpha * 255], axis=-1)


def in_order(picture, near, far):
    """Where a picture of two surfaces is more like near over far than like far over near."""
    picture = np.asarray(picture, float)
    off = [np.abs(composed(*pair) - picture).sum(axis=-1) for pair in ((near, far), (far, near))]
    return off[0] < off[1]
