"""The page of the comparison: the table of rows, files in three programs, an overview picture."""

import html
import tomllib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from tests.bench.viewer_comparison.goals import VERDICTS, holding
from tests.bench.viewer_comparison.rows import said
from tests.bench.viewer_comparison.shots import LOOKS

REMARKS = tomllib.loads(Path(__file__).with_name("remarks.toml").read_text())
BACKGROUND = np.array([48, 50, 54], np.float32)
COLUMNS = (("ours", "Rigview"), ("f3d", "f3d"), ("three", "three.js"))
SECTIONS = (("models", "Models"), ("others", "Other models"), ("features", "Feature files"))
GOOD = 0.985  # agreement of silhouettes
THUMB = 192
STYLE = """
body { background: #1c1d20; color: #ddd; font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }
h1, h2 { font-weight: 600; } h3 { margin: 2.2rem 0 .3rem; }
.row { display: grid; grid-template-columns: repeat(4, minmax(0, 512px)); gap: 6px; }
figure { margin: 0; } img { width: 100%; display: block; }
figcaption { color: #999; font-size: 13px; }
p { max-width: 68rem; margin: .4rem 0; } .low { color: #ffb454; }
a { color: #8ab4f8; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .25rem .9rem .25rem 0; }
td.number { font-variant-numeric: tabular-nums; }
.better { color: #7fd18b; } .worse { color: #ff7b6b; }
"""


def write(out, table, drawn, rows, made_by):
    """Write index.html, its pictures, and overview.png.

    Parameters
    ----------
    table
        Results of the rows (rows.py), and `drawn`: their pictures by shot and program.
    rows
        Comparisons of files.
    """
    pictures = out / "pictures"
    pictures.mkdir(exist_ok=True)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Viewer comparison</title>",
        f"<style>{STYLE}",
        "</style><h1>The same file in three programs</h1>",
        *_table(table, drawn, pictures),
        "<h2>Files</h2>",
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
    for section, title in SECTIONS:
        chosen = [row for row in rows if row.section == section]
        parts += [f"<h2>{title}</h2>"] * bool(chosen)
        for row in chosen:
            parts.append(_section(row, pictures))
    (out / "index.html").write_text("\n".join(parts))
    _overview(table, drawn, rows).save(out / "overview.png")


def _table(table, drawn, folder):
    """The table of the rows, and the pictures from which their numbers are computed."""
    if not table:
        return
    yield "<h2>Rows</h2>"
    for peer, title in COLUMNS[1:]:
        verdicts = [result.verdicts[peer] for result in table]
        counts = ", ".join(f"{verdicts.count(each)} {each}" for each in VERDICTS)
        yield f"<p>Against {title}: {counts}; {holding(verdicts)} of {len(table)} hold.</p>"
    yield "<table><tr><th>row<th>number<th>threshold"
    yield "".join(f"<th>{title}" for _, title in COLUMNS)
    yield "".join(f"<th>against {title}" for _, title in COLUMNS[1:])
    for result in table:
        low = {"ours": "" if result.is_met else " low"}
        yield f"<tr><td><a href='#{_anchor(result)}'>{result.row.name}</a><td>{result.row.what}"
        yield f"<td>{result.row.goal}"
        yield "".join(
            f"<td class='number{low.get(who, '')}'>{_shown(result.numbers[who])}"
            for who, _ in COLUMNS
        )
        yield "".join(f"<td class={each}>{each or '–'}" for each in result.verdicts.values())
    yield "</table>"
    for result in table:
        yield f"<h3 id='{_anchor(result)}'>{result.row.name}</h3>"
        words = said(REMARKS["rows"].get(result.row.name), result.verdicts)
        yield f"<p>{html.escape(words)}</p>"
        for shot in _shots(result):
            name = f"row-{_anchor(result)}-{shot.subject.name}-{shot.look}"
            yield "<div class=row>"
            for who, title in COLUMNS:
                number = _shown(result.each[who].get(shot.subject.name))
                caption = f"{title}: {shot.subject.name}, {shot.look}: {number}"
                yield _figure(folder, f"{name}-{who}", drawn[shot].get(who), caption)
            yield "</div>"


def _anchor(result):
    return result.row.name.replace(" ", "-")


def _shown(number):
    return "–" if number is None else f"{number:.3g}"


def _shots(result):
    """The shots of a row that all programs draw."""
    groups = result.groups
    return [
        shot for shot in dict.fromkeys(result.row.shots(groups)) if LOOKS[shot.look].f3d is not None
    ]


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


def _overview(table, drawn, rows):
    """A picture of the rows, two shots of each, and below it of the files."""
    wide = 7 * THUMB + 190
    high = THUMB + 4
    page = Image.new("RGB", (wide, high * (len(table) + len(rows)) + 48), (28, 29, 32))
    canvas = ImageDraw.Draw(page)
    titles = [title for _, title in COLUMNS]
    _line(canvas, 6, [*titles, *titles])
    for k, result in enumerate(table):
        lines = [result.row.name, str(result.row.goal).replace("≥", ">=").replace("≤", "<=")]
        lines += [f"{title} {_shown(result.numbers[who])}" for who, title in COLUMNS]
        lines += [f"{title}: {result.verdicts[who] or '–'}" for who, title in COLUMNS[1:]]
        shown = [drawn[shot].get(who) for shot in _shots(result)[:2] for who, _ in COLUMNS]
        _thumbs(page, canvas, 24 + k * high, lines, shown)
    below = 24 + len(table) * high
    _line(canvas, below + 6, [*titles, *(f"{each}, alone" for each in titles), "silhouettes"])
    for k, row in enumerate(rows):
        lines = [row.subject.name]
        for who, title in COLUMNS[1:]:
            found = row.agreement(who)
            lines.append(f"{title} {'–' if found is None else f'{found:.4f}'}")
        shown = [row.default_view.get(who) for who, _ in COLUMNS]
        shown += [*(row.model_only.get(who) for who, _ in COLUMNS), silhouettes(row)]
        _thumbs(page, canvas, below + 24 + k * high, lines, shown)
    return page


def _line(canvas, top, titles):
    for k, title in enumerate(titles):
        canvas.text((190 + k * THUMB, top), title, fill=(200, 200, 200))


def _thumbs(page, canvas, top, lines, shown):
    canvas.text((6, top + 6), "\n".join(lines), fill=(220, 220, 220))
    for column, picture in enumerate(shown):
        if picture is not None:
            small = Image.fromarray(over_background_color(picture))
            small = small.resize((THUMB - 4, THUMB - 4))
            page.paste(small, (190 + column * THUMB, top))
