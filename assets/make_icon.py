"""Draws the icon of the program from the mannequin, into assets/desktop: `make icon`.

The pictures are rendered by Rigview itself, the small ones closer to the face, since there is no
room for shoulders. The scalable one is traced from a picture of few colours.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

import rigview
from rigview.resources import asset_path

ICONS = Path(__file__).resolve().parent / "desktop" / "icons" / "hicolor"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
SMALL = 32  # pixels up to which only the head is shown
LARGER = 4  # how much larger pictures are drawn before they are scaled down
TOP, BOTTOM = (62, 88, 140), (27, 38, 66)  # sRGB of the tile
CORNER = 0.22  # radius of the corners of the tile, of its edge
TRACED = 512  # pixels of the picture that is traced
COLOURS = 24  # of the traced picture
LEAST = 16  # square pixels of a traced area
FINE = 30  # of 255: how far the colours of details are from those around them
OFF = 0.5  # pixels that a traced line may be off
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{edge}" height="{edge}" viewBox="0 0 {edge} {edge}">
<defs>
<linearGradient id="tile" x1="0" y1="0" x2="0" y2="1">
<stop stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/>
</linearGradient>
<clipPath id="shape"><rect width="{edge}" height="{edge}" rx="{radius}"/></clipPath>
</defs>
<g clip-path="url(#shape)" fill-rule="evenodd" stroke-width="1" stroke-linejoin="round">
<rect width="{edge}" height="{edge}" fill="url(#tile)"/>
{lines}
</g>
</svg>
"""

Points = np.ndarray  # [N, 2] x, y


def head(size: int, *, close: bool) -> Image.Image:
    """Return the mannequin's head over nothing, `size` pixels wide."""
    drawn = rigview.render(
        asset_path("mannequin.glb"),
        "Idle",
        0.5,
        camera_position=(0.7, 1.66, 2.3) if close else (1.1, 1.65, 2.2),
        camera_target=(0.035, 1.618, 0.05) if close else (0.012, 1.57, 0.03),
        camera_fov=6.1 if close else 9.6,
        no_background=True,
        grid=False,
        shadow=False,
        light_rim=2.0,
        exposure=0.25,
        resolution=(size, size),
    )
    return Image.fromarray(drawn)


def tile(size: int) -> Image.Image:
    """Return the square with round corners behind the head."""
    down = np.linspace(0.0, 1.0, size)[:, None, None]
    colour = np.asarray(TOP) * (1 - down) + np.asarray(BOTTOM) * down
    colours = np.broadcast_to(colour, (size, size, 3)).round().astype(np.uint8)
    mask = Image.new("L", (size, size))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size - 1, size - 1), CORNER * size, fill=255)
    square = Image.fromarray(np.ascontiguousarray(colours))
    square.putalpha(mask)
    return square


def icon(size: int) -> Image.Image:
    """Return the icon."""
    large = LARGER * size
    square = tile(large)
    shown = Image.new("RGBA", (large, large))
    shown.alpha_composite(square)
    shown.alpha_composite(head(large, close=size <= SMALL))
    shown.putalpha(square.getchannel("A"))
    small = shown.resize((size, size), Image.Resampling.BOX)
    if size <= SMALL:
        small = small.filter(ImageFilter.UnsharpMask(radius=0.5, percent=120, threshold=0))
    return small


def loops(mask: np.ndarray) -> Iterator[Points]:
    """Yield the closed outlines of an area [H, W], along the edges of its pixels."""
    padded = np.pad(mask, 1)
    after: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for dy, dx, begin, end in (
        (-1, 0, (0, 0), (1, 0)),
        (0, 1, (1, 0), (1, 1)),
        (1, 0, (1, 1), (0, 1)),
        (0, -1, (0, 1), (0, 0)),
    ):
        outside = ~np.roll(padded, (-dy, -dx), (0, 1))[1:-1, 1:-1]
        for y, x in np.argwhere(mask & outside):
            after[x + begin[0], y + begin[1]].append((x + end[0], y + end[1]))
    while after:
        first = at = next(iter(after))
        line = []
        while at in after:
            line.append(at)
            ends = after[at]
            following = ends.pop()
            if not ends:
                del after[at]
            at = following
            if at == first:
                break
        yield np.asarray(line, float)


def smooth(line: Points) -> Points:
    """Return a closed line without the steps of pixels."""
    return sum(
        np.roll(line, shift, 0) * weight
        for shift, weight in zip(
            range(-3, 4), (0.05, 0.12, 0.2, 0.26, 0.2, 0.12, 0.05), strict=True
        )
    )


def simple(line: Points) -> Points:
    """Return the points of an open line that others are not nearly between."""
    if len(line) < 3:
        return line
    along = line[-1] - line[0]
    offset = line - line[0]
    length = np.hypot(*along)
    off = (
        np.hypot(*offset.T)
        if length == 0
        else np.abs(along[0] * offset[:, 1] - along[1] * offset[:, 0]) / length
    )
    far = int(off.argmax())
    if off[far] < OFF:
        return line[[0, -1]]
    return np.concatenate((simple(line[: far + 1])[:-1], simple(line[far:])))


def path(mask: np.ndarray) -> str:
    """Return an area as the data of an SVG path."""
    parts = []
    for line in loops(mask):
        x, y = line.T
        if abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) < 2 * LEAST:
            continue
        points = simple(np.concatenate((rounded := smooth(line), rounded[:1])))[:-1]
        parts.append("M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points) + "Z")
    return "".join(parts)


def colour_areas(picture: Image.Image, count: int, within: np.ndarray) -> list[tuple[str, str]]:
    """Return colours and paths of the parts of a picture in few colours, the largest first."""
    few = picture.quantize(count, kmeans=3, dither=Image.Dither.NONE)
    numbers, palette = np.asarray(few), few.getpalette() or []
    sizes = np.bincount(numbers[within], minlength=count)
    return [
        (
            "#" + "".join(f"{part:02x}" for part in palette[3 * number : 3 * number + 3]),
            path(within & (numbers == number)),
        )
        for number in np.argsort(-sizes)
        if sizes[number]
    ]


def traced() -> str:
    """Return the icon as SVG."""
    drawn = head(2 * TRACED, close=False).resize((TRACED, TRACED), Image.Resampling.BOX)
    covered = np.asarray(drawn.getchannel("A")) > 127
    flat = Image.new("RGBA", drawn.size, (199, 170, 128, 255))
    flat.alpha_composite(drawn)
    plain = flat.convert("RGB")
    calm = plain
    for _ in range(3):  # without the grain of the wood
        calm = calm.filter(ImageFilter.MedianFilter(9))
    off = np.abs(np.asarray(plain, float) - np.asarray(calm, float)).max(-1)
    areas = colour_areas(calm, COLOURS, covered)  # and what is finer, such as the mouth:
    areas += colour_areas(
        plain.filter(ImageFilter.MedianFilter(3)), COLOURS, covered & (off > FINE)
    )
    under = "#" + "".join(
        f"{part:02x}" for part in np.asarray(drawn)[covered][:, :3].mean(0).astype(int)
    )
    shapes = [(under, path(covered)), *areas]
    top, bottom = ("#" + "".join(f"{part:02x}" for part in each) for each in (TOP, BOTTOM))
    lines = "\n".join(
        f'<path fill="{colour}" stroke="{colour}" d="{data}"/>' for colour, data in shapes if data
    )
    return SVG.format(
        edge=TRACED, top=top, bottom=bottom, radius=f"{CORNER * TRACED:.1f}", lines=lines
    )


def main() -> None:
    """Write all sizes."""
    for size in SIZES:
        target = ICONS / f"{size}x{size}" / "apps" / "rigview.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        icon(size).save(target, optimize=True)
    target = ICONS / "scalable" / "apps" / "rigview.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(traced(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
