"""The page of pairs: a row a model, a column a program, and one picture of all of them."""

import html
import tomllib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text())
PAPER = np.array([48, 50, 54], np.float32)
COLUMNS = (("ours", "Rigview"), ("f3d", "f3d"), ("three", "three.js"))
NEAR = 0.985
THUMB = 192
STYLE = """
body { background: #1c1d20; color: #ddd; font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }
h1, h2 { font-weight: 600; } h3 { margin: 2.2rem 0 .3rem; }
.row { display: grid; grid-template-columns: repeat(4, minmax(0, 512px)); gap: 6px; }
figure { margin: 0; } img { width: 100%; display: block; }
figcaption { color: #999; font-size: 13px; }
p { max-width: 68rem; margin: .4rem 0; } .low { color: #ffb454; }
"""


def write(out, rows, made_by):
    """Write index.html, its pictures, and overview.png."""
    pictures = out / "pictures"
    pictures.mkdir(exist_ok=True)
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Pairs</title><style>{STYLE}",
        "</style><h1>The same file in three programs</h1>",
        "<p>First row: one camera, one moment, one paper, the model alone. Last column: outlines;",
        "red is only ours, green only f3d's, blue where three.js differs from ours. Second row: as",
        "each shows the file by itself. Third: under one light (or the file's), and no other.</p>",
        *(f"<p>{html.escape(words)}</p>" for words in WORDS["everywhere"]),
        "<ul>",
        *(f"<li>{html.escape(words)}" for words in made_by.values()),
        "</ul>",
    ]
    for section, title in (("models", "Models"), ("features", "Small files of one thing each")):
        chosen = [row for row in rows if row.section == section]
        parts += [f"<h2>{title}</h2>"] * bool(chosen)
        for row in chosen:
            parts.append(_told(row, pictures))
    (out / "index.html").write_text("\n".join(parts))
    _overview(rows).save(out / "overview.png")


def _told(row, folder):
    name = row.subject.name
    figures = [
        _figure(folder, f"{name}-{kind}-{who}", pictures.get(who), f"{title}{words}")
        for kind, pictures, words in (("same", row.bare, ""), ("own", row.own, ", by itself"))
        for who, title in COLUMNS
    ]
    figures.insert(3, _figure(folder, f"{name}-differ", differ(row), "outlines", over_paper=False))
    figures += [
        _figure(folder, f"{name}-lit-{who}", row.lit.get(who), f"{title}, one light")
        for who, title in (COLUMNS[0], COLUMNS[2])
    ]
    figures.append(_figure(folder, f"{name}-off", off(row), "how far off, 8 times"))
    agreed = [(row.agreement(who), title) for who, title in COLUMNS[1:]]
    told = ", ".join(
        f"<span class={'' if found >= NEAR else 'low'}>{title} {found:.4f}</span>"
        for found, title in agreed
        if found is not None
    )
    if row.shading():
        told += ", under one light colours are off three.js' by {:.1f} ({:.0f})".format(
            *row.shading()
        )
    parts = figures[:4], figures[4:7], figures[7:]
    words = html.escape(WORDS["files"].get(name, ""))
    return f"<h3>{html.escape(name)}</h3><p>Outlines agree with {told}. {words}</p>" + "".join(
        f"<div class=row>{''.join(part)}</div>" for part in parts
    )


def _figure(folder, name, picture, caption, *, over_paper=True):
    if picture is None:
        return f"<figure><figcaption>{html.escape(caption)}: no picture</figcaption></figure>"
    Image.fromarray(over(picture) if over_paper else picture).save(folder / f"{name}.png")
    shown = f"<img src='pictures/{name}.png' alt='' loading=lazy>"
    return f"<figure>{shown}<figcaption>{html.escape(caption)}</figcaption></figure>"


def over(picture):
    """A picture [H, W, 3] on paper."""
    if picture.shape[2] == 3:
        return picture
    alpha = picture[..., 3:].astype(np.float32) / 255
    return (picture[..., :3] * alpha + PAPER * (1 - alpha) + 0.5).astype(np.uint8)


def differ(row):
    """Where outlines differ [H, W, 3]: red only ours, green only f3d's, blue three.js and ours."""
    mine = row.bare["ours"][..., 3] > 127
    found = np.repeat((mine * np.uint8(40))[..., None], 3, axis=-1)
    if "f3d" in row.bare:
        other = row.bare["f3d"][..., 3] > 127
        found[mine & ~other] = (255, 60, 60)
        found[~mine & other] = (60, 255, 60)
    if "three" in row.bare:
        found[..., 2] |= ((row.bare["three"][..., 3] > 127) != mine) * np.uint8(255)
    return found


def off(row):
    """How far colours under one light are off three.js' [H, W, 3], eight times."""
    if "three" not in row.lit:
        return None
    mine, other = (over(row.lit[who]).astype(int) for who in ("ours", "three"))
    return np.minimum(np.abs(mine - other) * 8, 255).astype(np.uint8)


def _overview(rows):
    wide = 7 * THUMB + 190
    made = Image.new("RGB", (wide, (THUMB + 4) * len(rows) + 24), (28, 29, 32))
    pen = ImageDraw.Draw(made)
    titles = [title for _, title in COLUMNS]
    for k, title in enumerate([*titles, "outlines", *(f"{each}, by itself" for each in titles)]):
        pen.text((190 + k * THUMB, 6), title, fill=(200, 200, 200))
    for k, row in enumerate(rows):
        top = 24 + k * (THUMB + 4)
        lines = [row.subject.name]
        for who, title in COLUMNS[1:]:
            found = row.agreement(who)
            lines.append(f"{title} {'–' if found is None else f'{found:.4f}'}")
        pen.text((6, top + 6), "\n".join(lines), fill=(220, 220, 220))
        shown = [row.bare.get(who) for who, _ in COLUMNS]
        shown += [differ(row), *(row.own.get(who) for who, _ in COLUMNS)]
        for column, picture in enumerate(shown):
            if picture is not None:
                small = Image.fromarray(over(picture)).resize((THUMB - 4, THUMB - 4))
                made.paste(small, (190 + column * THUMB, top))
    return made
