"""Compares pictures with those of f3d and three.js: same model, camera, time and background.

    python -m tests.bench.viewer_comparison OUT [NAME...]        (or make pairs)

Writes OUT/index.html and OUT/overview.png, and prints the agreement of the silhouettes: the
intersection over union of the pixels that are covered by more than half. It fails if a model agrees
with three.js by less than 0.995. NAMEs are stems of files.

f3d: pip install f3d==4.0.0, here or in another environment, whose interpreter F3D_PYTHON names.
three.js: npm install three@0.187 in the folder THREE_DIR, and Chromium. Missing programs are
skipped. Sentences about the pictures are in remarks.toml; renew them after looking.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rigview.errors import AppError
from rigview.loading.load import load
from rigview.options.python_call import options_from_python
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.scene import lights
from rigview.scene.environment import LEVELS, SIDE, Environment
from rigview.scene.lights import KEY, key_light
from rigview.scene.scene import Scene
from rigview.scenedoc.look import CLEAR
from rigview.tasks.still_pictures import COMMAND_ONLY, StillRenderer, clip_option
from tests.bench.viewer_comparison import comparison_page, draw_with_three
from tests.bench.viewer_comparison.compared_files import Subject, features, models
from tests.support.looks import set_look

SIZE = (512, 512)
F3D = os.environ.get("F3D_PYTHON", sys.executable)
F3D_SCRIPT = Path(__file__).with_name("draw_with_f3d.py")
PEERS = ("f3d", "three")
LEAST = 0.995  # agreement of the silhouettes of models with three.js
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
        rows = [Comparison(each, "models") for each in models(folder)]
        rows += [Comparison(each, "features") for each in features(folder / "features")]
        rows = [row for row in rows if not names or row.subject.name in names]
        offscreen = OffscreenRenderer(SIZE)
        stills = StillRenderer()
        views = [_view(offscreen, stills, row) for row in rows]
        made_by = {"ours": f"Rigview, {offscreen.made_by}"}
        offscreen.release()
        stills.release()
        made_by |= _by_f3d(rows, views, folder) | _by_three(rows, views)
    for row in rows:
        found = [row.agreement(peer) for peer in PEERS]
        texts = ["  –   " if each is None else f"{each:.4f}" for each in found]
        off = "{:5.2f} {:4.0f}".format(*row.shading()) if row.shading() else ""
        sys.stdout.write(f"{row.subject.name:28} f3d {texts[0]}  three.js {texts[1]}  {off}\n")
    comparison_page.write(out, rows, made_by)
    sys.stdout.write(f"{out / 'index.html'}\n{out / 'overview.png'}\n")
    chosen = [row for row in rows if row.section == "models"]
    low = [row.subject.name for row in chosen if (row.agreement("three") or 1.0) < LEAST]
    if low:
        sys.exit(f"silhouettes agree with three.js by less than {LEAST}: {', '.join(low)}")


def _view(offscreen, stills, row):
    """Draw with Rigview; return the scene, clip and time for the other programs."""
    model = load(row.subject.path)
    clip = row.subject.clip if row.subject.clip < len(model.clips) else -1
    time = model.clips[clip].end * row.subject.phase if clip >= 0 else 0.0
    scene = Scene()
    scene.show(model).play_clip(clip, 0.0, passes=1)
    scene.update(time)
    scene.frame(1.0, fit="pose")
    row.default_view["ours"] = stills.picture(_render_options(row.subject.path, clip, time))
    with offscreen.context:
        set_look(scene, background=CLEAR)
        row.model_only["ours"] = offscreen.render(scene)
        set_look(scene, view_mode="base-colour")
        row.base_colour = offscreen.render(scene)
        set_look(scene, view_mode="lit", environment=DARK, tone_mapping="linear", shadow=False)
        if not model.lights:  # the key light alone: the rim light is none of three.js
            set_look(scene, light="key")
            lights.RIM = 0.0, 0.0, 0.0
        row.one_light["ours"] = offscreen.render(scene)
    return scene, clip, time


def _render_options(path, clip, time):
    """The options of `rigview render FILE --resolution 512x512` at a time of a clip."""
    values = {"animation": clip_option(clip), "time": time} if clip >= 0 else {}
    values |= {"resolution": SIZE, "quiet": True}
    return options_from_python("render", path, values, without=COMMAND_ONLY)


def _ground(scene):
    """Height of the floor, middle and size of the scene, and the direction to the key light."""
    towards = (-key_light(scene.camera.front).direction).tolist()
    bounds = scene.bounds
    middle, size = bounds.middle.tolist(), bounds.size
    return {"height": bounds.floor, "middle": middle, "size": size, "towards": towards}


def _by_f3d(rows, views, folder):
    if subprocess.run([F3D, "-c", "import f3d"], capture_output=True).returncode:
        sys.stderr.write("f3d is skipped: pip install f3d==4.0.0, or F3D_PYTHON=that python\n")
        return {}
    jobs, places = [], []
    for row, (scene, clip, time) in zip(rows, views, strict=True):
        camera = scene.camera.orbit
        looks = {
            "position": camera.position().tolist(),
            "target": camera.target.tolist(),
            "fov": float(np.degrees(camera.fov)),
        }
        way = camera.direction() * scene.bounds.radius
        anchors = [(camera.target + way).tolist(), (camera.target - way).tolist()]
        for kind, seen in (("model_only", looks), ("default_view", {})):
            out = folder / f"f3d-{len(jobs)}.npy"
            places.append((getattr(row, kind), out))
            job = {"path": str(row.subject.path), "clip": clip, "time": time, "size": SIZE}
            job |= {"anchors": anchors if kind == "model_only" else []}
            jobs.append(job | {"camera": seen, "model_only": kind == "model_only", "out": str(out)})
    done = subprocess.run(
        [F3D, F3D_SCRIPT], input=json.dumps(jobs), text=True, stdout=subprocess.PIPE
    )
    for pictures, out in places:
        if out.exists():
            pictures["f3d"] = np.load(out)
    if done.returncode:
        sys.stderr.write(f"f3d ended with {done.returncode}\n")
    code = "import importlib.metadata as m; print(m.version('f3d'))"
    version = subprocess.run([F3D, "-c", code], capture_output=True, text=True).stdout.strip()
    return {"f3d": f"f3d {version}"}


def _by_three(rows, views):
    line = draw_with_three.missing()
    if line:
        sys.stderr.write(f"{line}\n")
        return {}
    three = draw_with_three.Three()
    try:
        facts = three.ask("facts()")
        for row, (scene, clip, time) in zip(rows, views, strict=True):
            camera, ground = scene.camera.used, _ground(scene)
            key = {"lux": KEY, "towards": ground["towards"]}
            given = row.subject.path, clip, time, SIZE
            try:
                row.model_only["three"] = three.draw(*given, camera, ground=ground | {"bare": True})
                row.one_light["three"] = three.draw(*given, camera, key=key, tone="linear")
                row.default_view["three"] = three.draw(
                    *given, camera, background="#32343a", ground=ground
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
