"""The page of the comparison: rows of models, columns of programs, and an overview picture."""

import html
import tomllib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

REMARKS = tomllib.loads(Path(__file__).with_name("remarks.toml").read_text())
BACKGROUND = np.array([48, 50, 54], np.float32)
COLUMNS = (("ours", "Rigview"), ("f3d", "f3d"), ("three", "three.js"))
GOOD = 0.985  # agreement of silhouettes
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
        "<!doctype html><html lang=en><meta charset=utf-8><title>Viewer comparison</title>",
        f"<style>{STYLE}",
        "</style><h1>The same file in three programs</h1>",
        "<p>First row: default settings; f3d with its own camera, environment map and ambient",
        "occlusion, three.js with its room environment and a shadow, from the camera of Rigview.",
        "Second row: the model alone with the same camera and time. Last column:",
        "silhouettes; red: only Rigview, green: only f3d, blue: three.js differs from Rigview.",
        "Third row: one light, or the lights of the file.</p>",
        *(f"<p>{html.escape(words)}</p>" for words in REMARKS["everywhere"]),
        "<ul>",
        *(f"<li>{html.escape(words)}" for words in made_by.values()),
        "</ul>",
    ]
    for section, title in (("models", "Models"), ("features", "Feature files")):
        chosen = [row for row in rows if row.section == section]
        parts += [f"<h2>{title}</h2>"] * bool(chosen)
        for row in chosen:
            parts.append(_section(row, pictures))
    (out / "index.html").write_text("\n".join(parts))
    _overview(rows).save(out / "overview.png")


def _section(row, folder):
    name = row.subject.name
    looks = [
        _figure(folder, f"{name}-own-{who}", row.default_view.get(who), title)
        for who, title in COLUMNS
    ]
    alone = [
        _figure(folder, f"{name}-same-{who}", row.model_only.get(who), f"{title}, model alone")
        for who, title in COLUMNS
    ]
    differ = silhouettes(row)
    alone.append(_figure(folder, f"{name}-differ", differ, "silhouettes", over_background=False))
    lit = [
        _figure(folder, f"{name}-lit-{who}", row.one_light.get(who), f"{title}, one light")
        for who, title in (COLUMNS[0], COLUMNS[2])
    ]
    lit.append(_figure(folder, f"{name}-off", color_difference(row), "colour difference × 8"))
    agreed = [(row.agreement(who), title) for who, title in COLUMNS[1:]]
    agreements = ", ".join(
        f"<span class={'' if found >= GOOD else 'low'}>{title} {found:.4f}</span>"
        for found, title in agreed
        if found is not None
    )
    if row.shading():
        agreements += ", with one light, colours differ from three.js by {:.1f} ({:.0f})".format(
            *row.shading()
        )
    words = html.escape(REMARKS["files"].get(name, ""))
    better = html.escape(REMARKS["better"].get(name, ""))
    return (
        f"<h3>{html.escape(name)}</h3><p>{better}</p>"
        f"<p>Silhouettes agree with {agreements}. {words}</p>"
        + "".join(f"<div class=row>{''.join(part)}</div>" for part in (looks, alone, lit))
    )


def _figure(folder, name, picture, caption, *, over_background=True):
    if picture is None:
        return f"<figure><figcaption>{html.escape(caption)}: no picture</figcaption></figure>"
    Image.fromarray(over_background_color(picture) if over_background else picture).save(
        folder / f"{name}.png"
    )
    shown = f"<img src='pictures/{name}.png' alt='' loading=lazy>"
    return f"<figure>{shown}<figcaption>{html.escape(caption)}</figcaption></figure>"


def over_background_color(picture):
    """A picture [H, W, 3] over the background colour."""
    if picture.shape[2] == 3:
        return picture
    alpha = picture[..., 3:].astype(np.float32) / 255
    return (picture[..., :3] * alpha + BACKGROUND * (1 - alpha) + 0.5).astype(np.uint8)


def silhouettes(row):
    """Silhouettes [H, W, 3]: red only Rigview, green only f3d, blue three.js differs."""
    mine = row.covers("ours")
    found = np.repeat((mine * np.uint8(40))[..., None], 3, axis=-1)
    if "f3d" in row.model_only:
        other = row.covers("f3d")
        found[mine & ~other] = (255, 60, 60)
        found[~mine & other] = (60, 255, 60)
    if "three" in row.model_only:
        found[..., 2] |= (row.covers("three") != mine) * np.uint8(255)
    return found


def color_difference(row):
    """The colour difference [H, W, 3] to three.js with one light, times 8."""
    if "three" not in row.one_light:
        return None
    mine, other = (
        over_background_color(row.one_light[who]).astype(int) for who in ("ours", "three")
    )
    return np.minimum(np.abs(mine - other) * 8, 255).astype(np.uint8)


def _overview(rows):
    wide = 7 * THUMB + 190
    page = Image.new("RGB", (wide, (THUMB + 4) * len(rows) + 24), (28, 29, 32))
    canvas = ImageDraw.Draw(page)
    titles = [title for _, title in COLUMNS]
    for k, title in enumerate([*titles, *(f"{each}, alone" for each in titles), "silhouettes"]):
        canvas.text((190 + k * THUMB, 6), title, fill=(200, 200, 200))
    for k, row in enumerate(rows):
        top = 24 + k * (THUMB + 4)
        lines = [row.subject.name]
        for who, title in COLUMNS[1:]:
            found = row.agreement(who)
            lines.append(f"{title} {'–' if found is None else f'{found:.4f}'}")
        canvas.text((6, top + 6), "\n".join(lines), fill=(220, 220, 220))
        shown = [row.default_view.get(who) for who, _ in COLUMNS]
        shown += [*(row.model_only.get(who) for who, _ in COLUMNS), silhouettes(row)]
        for column, picture in enumerate(shown):
            if picture is not None:
                small = Image.fromarray(over_background_color(picture)).resize(
                    (THUMB - 4, THUMB - 4)
                )
                page.paste(small, (190 + column * THUMB, top))
    return page
