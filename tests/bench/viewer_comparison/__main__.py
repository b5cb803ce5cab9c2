"""Compares pictures with those of f3d and three.js: same model, camera, time and background.

    python -m tests.bench.viewer_comparison OUT [NAME...]        (or make pairs)

Writes OUT/index.html, OUT/overview.png and OUT/rows.json, and prints two tables:

Rows (rows.py): a number of the pictures of each program, its threshold, the verdict against each
program, which is computed from the numbers, and a sentence. Files: the agreement of the
silhouettes, the intersection over union of the pixels that are covered by more than half.

It fails if a model agrees with three.js by less than 0.995, or if fewer rows than 14 are better or
level against a program. NAMEs are rows, and stems of files. The files below the folder MODELS are
compared, too, and measured where a row is about any character.

f3d: pip install f3d==4.0.0, here or in another environment, whose interpreter F3D_PYTHON names.
three.js: npm install three@0.187 in the folder THREE_DIR, and Chromium. Missing programs are
skipped. Sentences about the pictures are in remarks.toml; renew them after looking.
"""

import json
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rigview.errors import AppError
from rigview.loading.load import load
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.scene.environment import LEVELS, SIDE, Environment
from rigview.scene.lights import KEY
from rigview.scene.scene import Scene
from rigview.scenedoc.look import CLEAR
from rigview.tasks.still_pictures import StillRenderer
from tests.bench.viewer_comparison import comparison_page, draw_with_three, shots
from tests.bench.viewer_comparison.compared_files import Subject, models, written
from tests.bench.viewer_comparison.feature_files import feature_files
from tests.bench.viewer_comparison.goals import holding
from tests.bench.viewer_comparison.row_files import row_files
from tests.bench.viewer_comparison.rows import PROGRAMS, ROWS, measured, said
from tests.bench.viewer_comparison.shots import LOOKS, SIZE, ground_of, render_options
from tests.support.looks import set_look

PEERS = PROGRAMS[1:]
LEAST = 0.995  # agreement of the silhouettes of models with three.js
ASKED = 14  # rows that are better or level
OTHERS = os.environ.get("MODELS")
DARK = Environment(np.zeros((9, 3), np.float32), np.zeros((LEVELS, SIDE, SIDE, 3), np.float32))


@dataclass
class Comparison:
    """The pictures [H, W, 4] of a file by program.

    Attributes
    ----------
    model_only
        With the same camera, on a transparent background.
    default_view
        With the background and lights of each program: `rigview render` without options; f3d with
        its own camera, environment map and ambient occlusion; three.js with its room environment,
        a floor and a light that casts a shadow on it.
    one_light
        With the same camera, lit by one directional light or the lights of the file.
    """

    subject: Subject
    section: str
    model_only: dict = field(default_factory=dict)
    default_view: dict = field(default_factory=dict)
    one_light: dict = field(default_factory=dict)
    base_colour: np.ndarray | None = None  # Rigview's, with the same camera

    def covers(self, who):
        """Which pixels [H, W] a program covers by more than half; Rigview's in base colour."""
        picture = self.base_colour if who == "ours" else self.model_only[who]
        return picture[..., 3] > 127

    def agreement(self, peer):
        """Intersection over union of the silhouettes, None without a picture."""
        if peer not in self.model_only:
            return None
        mine, other = self.covers("ours"), self.covers(peer)
        return float((mine & other).sum() / max((mine | other).sum(), 1))

    def shading(self):
        """The colour difference to three.js with one light: mean and 99th percentile, of 255."""
        if "three" not in self.one_light:
            return None
        mine, other = (self.one_light[who].astype(int) for who in ("ours", "three"))
        inside = (mine[..., 3] == 255) & (other[..., 3] == 255)
        off = np.abs(mine - other)[inside][:, :3].max(axis=1, initial=0)
        return (float(off.mean()), float(np.percentile(off, 99))) if off.size else (0.0, 0.0)


def main(out, names):
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subjects = models(folder)
        others = models(folder / "others", Path(OTHERS))[:-1] if OTHERS else []
        stills = StillRenderer()
        table, pictures = _rows(subjects, others, names, stills, folder / "rows")
        files = [Comparison(each, "models") for each in subjects]
        files += [Comparison(each, "others") for each in others]
        generated = written(feature_files(), folder / "features")
        files += [Comparison(each, "features") for each in generated]
        files = [each for each in files if not names or each.subject.name in names]
        made_by = _draw_files(files, stills)
        stills.release()
    _print_files(files)
    comparison_page.write(out, table, pictures, files, made_by)
    (out / "rows.json").write_text(json.dumps([_as_json(each) for each in table], indent=1))
    _print_rows(table)
    sys.stdout.write(f"{out / 'index.html'}\n{out / 'overview.png'}\n{out / 'rows.json'}\n")
    _fail(table, [each for each in files if each.section == "models"], every=not names)


def _rows(subjects, others, names, stills, folder):
    """The results of the rows, and their pictures by shot and program."""
    chosen = [row for row in ROWS if not names or row.name in names]
    found = {each.name: each for each in [*subjects, *written(row_files(), folder)]}
    groups = [row.groups(found, others) for row in chosen]
    wanted = [row.shots(own) for row, own in zip(chosen, groups, strict=True)]
    unique = dict.fromkeys(shot for each in wanted for shot in each)
    pictures, places = shots.draw(list(unique), stills) if unique else ({}, {})
    table = [measured(row, own, pictures, places) for row, own in zip(chosen, groups, strict=True)]
    return table, pictures


def _sentence(result):
    return said(comparison_page.REMARKS["rows"].get(result.row.name), result.verdicts)


def _as_json(result):
    row = result.row
    return {
        "row": row.name,
        "what": row.what,
        "threshold": str(row.goal),
        "met": result.is_met,
        "numbers": result.numbers,
        "verdicts": result.verdicts,
        "says": _sentence(result),
        "files": result.each,
    }


def _print_rows(table):
    titles = ("Rigview", "f3d", "three.js", "against f3d", "three.js")
    head = f"{'row':20} {'threshold':>12} " + " ".join(f"{each:>11}" for each in titles)
    sys.stdout.write(f"{head}\n" if table else "")
    for result in table:
        cells = ["–" if each is None else f"{each:.3g}" for each in result.numbers.values()]
        cells[0] += "" if result.is_met else " !"
        cells += [each or "–" for each in result.verdicts.values()]
        line = " ".join(f"{each:>11}" for each in cells)
        sys.stdout.write(f"{result.row.name:20} {result.row.goal!s:>12} {line}\n")
        sys.stdout.write(f"    {result.row.what}. {_sentence(result)}\n")
    for peer in PEERS:
        verdicts = [result.verdicts[peer] for result in table]
        sys.stdout.write(f"{holding(verdicts)} of {len(table)} rows hold against {peer}\n")


def _print_files(files):
    for row in files:
        found = [row.agreement(peer) for peer in PEERS]
        texts = ["  –   " if each is None else f"{each:.4f}" for each in found]
        off = "{:5.2f} {:4.0f}".format(*row.shading()) if row.shading() else ""
        sys.stdout.write(f"{row.subject.name:28} f3d {texts[0]}  three.js {texts[1]}  {off}\n")


def _fail(table, files, *, every):
    """Exit if a silhouette differs, or if too few rows hold against a program that was drawn."""
    failed = []
    low = [row.subject.name for row in files if (row.agreement("three") or 1.0) < LEAST]
    if low:
        failed.append(f"silhouettes agree with three.js by less than {LEAST}: {', '.join(low)}")
    for peer in PEERS if every else ():
        verdicts = [result.verdicts[peer] for result in table]
        if any(verdicts) and holding(verdicts) < ASKED:
            failed.append(f"fewer than {ASKED} rows hold against {peer}")
    if failed:
        sys.exit("\n".join(failed))


def _draw_files(files, stills):
    """Draw the files with all programs; return what the programs are."""
    offscreen = OffscreenRenderer(SIZE)
    views = [_view(offscreen, stills, row) for row in files]
    made_by = {"ours": f"Rigview, {offscreen.made_by}"}
    offscreen.release()
    return made_by | _by_f3d(files, views) | _by_three(files, views)


def _view(offscreen, stills, row):
    """Draw with Rigview; return the scene, clip and time for the other programs."""
    model = load(row.subject.path)
    clip = row.subject.clip if row.subject.clip < len(model.clips) else -1
    time = model.clips[clip].end * row.subject.phase if clip >= 0 else 0.0
    scene = Scene()
    scene.show(model).play_clip(clip, 0.0, passes=1)
    scene.update(time)
    scene.frame(1.0, fit="pose")
    row.default_view["ours"] = stills.picture(render_options(row.subject))
    with offscreen.context:
        set_look(scene, background=CLEAR)
        row.model_only["ours"] = offscreen.render(scene)
        set_look(scene, view_mode="base-colour")
        row.base_colour = offscreen.render(scene)
        set_look(scene, view_mode="lit", environment=DARK, tone_mapping="linear", shadow=False)
        if not model.lights:  # the key light alone: the rim light is none of three.js
            set_look(scene, light="key", light_rim=0.0)
        row.one_light["ours"] = offscreen.render(scene)
    return scene, clip, time


def _by_f3d(files, views):
    if not files:
        return {}
    version = shots.f3d_version()
    if version is None:
        sys.stderr.write("f3d is skipped: pip install f3d==4.0.0, or F3D_PYTHON=that python\n")
        return {}
    jobs, places = [], []
    for row, (scene, clip, time) in zip(files, views, strict=True):
        looks, anchors = shots.camera_of_f3d(scene.camera.orbit, scene.bounds.radius)
        job = {"path": str(row.subject.path), "clip": clip, "time": time}
        for kind, look, camera, around in (
            (row.model_only, LOOKS["alone"], looks, anchors),
            (row.default_view, LOOKS["default"], {}, []),
        ):
            places.append(kind)
            jobs.append(
                job
                | {"camera": camera, "anchors": around}
                | {"transparent": look.transparent, "options": look.of_f3d()}
            )
    for drawn, picture in zip(places, shots.run_f3d(jobs), strict=True):
        if picture is not None:
            drawn["f3d"] = picture
    return {"f3d": f"f3d {version}"}


def _by_three(files, views):
    if not files:
        return {}
    line = draw_with_three.missing()
    if line:
        sys.stderr.write(f"{line}\n")
        return {}
    three = draw_with_three.Three()
    try:
        facts = three.ask("facts()")
        for row, (scene, clip, time) in zip(files, views, strict=True):
            camera, ground = scene.camera.used, ground_of(scene)
            key = {"lux": KEY, "towards": ground["towards"]}
            given = row.subject.path, clip, time, SIZE
            alone = LOOKS["alone"].of_three()
            try:
                row.model_only["three"] = three.draw(*given, camera, ground=ground | alone)
                row.one_light["three"] = three.draw(*given, camera, key=key, tone="linear")
                row.default_view["three"] = three.draw(
                    *given, camera, ground=ground, **LOOKS["default"].of_three()
                )
            except (AssertionError, AppError) as error:
                sys.stderr.write(f"three.js: {row.subject.name}: {error}\n")
    finally:
        three.close()
    words = f"three.js r{facts['three']}, {facts['samples']} samples, {facts['renderer']}"
    return {"three": words}


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), set(sys.argv[2:]))
