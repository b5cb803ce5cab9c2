"""Ours beside f3d's and three.js': same model, same camera, same moment, same paper.

    python -m tests.bench.pairs OUT [NAME...]        (or make pairs)

Writes OUT/index.html and OUT/overview.png, and prints how far the outlines agree: the intersection
over union of the pixels that are more than half covered. NAMEs are stems of files.

f3d: pip install f3d==4.0.0, here or elsewhere (F3D_PYTHON names that interpreter). three.js: npm
install three@0.187 in a folder that THREE_DIR names, and chromium. What is missing is left out.
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
from rigview.render.offscreen import OffscreenRenderer
from rigview.scene.environment import LEVELS, SIDE, Environment
from rigview.scene.lights import key_light
from rigview.scene.scene import Scene
from tests.bench.pairs import page, three_pictures
from tests.bench.pairs.files import Subject, made, models

SIZE = (512, 512)
F3D = os.environ.get("F3D_PYTHON", sys.executable)
F3D_SIDE = Path(__file__).with_name("f3d_side.py")
PEERS = ("f3d", "three")
DARK = Environment(np.zeros((9, 3), np.float32), np.zeros((LEVELS, SIDE, SIDE, 3), np.float32))


@dataclass
class Row:
    """A subject's pictures [H, W, 4]: bare ones from one camera, and as each shows it by itself."""

    subject: Subject
    section: str
    bare: dict = field(default_factory=dict)
    own: dict = field(default_factory=dict)
    lit: dict = field(default_factory=dict)  # by one light from afar, or by the file's own

    def agreement(self, peer):
        """Intersection over union of what is covered, None where there is nothing to compare."""
        if peer not in self.bare:
            return None
        mine, other = (self.bare[who][..., 3] > 127 for who in ("ours", peer))
        return float((mine & other).sum() / max((mine | other).sum(), 1))

    def shading(self):
        """How far ours is off three.js' under the very same light: mean and 99 %, of 255."""
        if "three" not in self.lit:
            return None
        mine, other = (self.lit[who].astype(int) for who in ("ours", "three"))
        inside = (mine[..., 3] == 255) & (other[..., 3] == 255)
        off = np.abs(mine - other)[inside][:, :3].max(axis=1, initial=0)
        return (float(off.mean()), float(np.percentile(off, 99))) if off.size else (0.0, 0.0)


def main(out, names):
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [Row(each, "models") for each in models(folder)]
        rows += [Row(each, "features") for each in made(folder / "made")]
        rows = [row for row in rows if not names or row.subject.name in names]
        offscreen = OffscreenRenderer(SIZE)
        stages = [_stage(offscreen, row) for row in rows]
        made_by = {"ours": f"Rigview, {offscreen.made_by}"}
        offscreen.release()
        made_by |= _by_f3d(rows, stages, folder) | _by_three(rows, stages)
    for row in rows:
        found = [row.agreement(peer) for peer in PEERS]
        told = ["  –   " if each is None else f"{each:.4f}" for each in found]
        off = "{:5.2f} {:4.0f}".format(*row.shading()) if row.shading() else ""
        sys.stdout.write(f"{row.subject.name:28} f3d {told[0]}  three.js {told[1]}  {off}\n")
    page.write(out, rows, made_by)
    sys.stdout.write(f"{out / 'index.html'}\n{out / 'overview.png'}\n")


def _stage(offscreen, row):
    """Draw ours; the camera and the moment, for the others."""
    model = load(row.subject.path)
    clip = row.subject.clip if row.subject.clip < len(model.clips) else -1
    time = model.clips[clip].end * row.subject.moment if clip >= 0 else 0.0
    scene = Scene()
    scene.show(model).play(clip, 0.0, passes=1)
    scene.frame(1.0)
    scene.update(time)
    with offscreen.context:
        row.own["ours"] = offscreen.render(scene)  # what `rigview render` draws
        scene.display.background, scene.display.grid = (0.0, 0.0, 0.0, 0.0), False
        row.bare["ours"] = offscreen.render(scene)
        display = scene.display
        display.environment, display.tone_mapping, display.shadow = DARK, "linear", False
        row.lit["ours"] = offscreen.render(scene)
    return scene.camera, clip, time


def _by_f3d(rows, stages, folder):
    if subprocess.run([F3D, "-c", "import f3d"], capture_output=True).returncode:
        sys.stderr.write("f3d is left out: pip install f3d==4.0.0, or F3D_PYTHON=that python\n")
        return {}
    jobs, places = [], []
    for row, (camera, clip, time) in zip(rows, stages, strict=True):
        looks = {
            "position": camera.position().tolist(),
            "target": camera.target.tolist(),
            "fov": float(np.degrees(camera.fov)),
        }
        way = camera.direction() * camera.radius
        specks = [(camera.target + way).tolist(), (camera.target - way).tolist()]
        for kind, seen in (("bare", looks), ("own", {})):
            out = folder / f"f3d-{len(jobs)}.npy"
            places.append((getattr(row, kind), out))
            job = {"path": str(row.subject.path), "clip": clip, "time": time, "size": SIZE}
            job |= {"specks": specks if kind == "bare" else []}
            jobs.append(job | {"camera": seen, "bare": kind == "bare", "out": str(out)})
    done = subprocess.run(
        [F3D, F3D_SIDE], input=json.dumps(jobs), text=True, stdout=subprocess.PIPE
    )
    for pictures, out in places:
        if out.exists():
            pictures["f3d"] = np.load(out)
    if done.returncode:
        sys.stderr.write(f"f3d ended with {done.returncode}\n")
    code = "import importlib.metadata as m; print(m.version('f3d'))"
    version = subprocess.run([F3D, "-c", code], capture_output=True, text=True).stdout.strip()
    return {"f3d": f"f3d {version}"}


def _by_three(rows, stages):
    line = three_pictures.missing()
    if line:
        sys.stderr.write(f"{line}\n")
        return {}
    light = key_light()
    key = {"lux": float(light.color[0]), "towards": light.towards.tolist()}
    artist = three_pictures.Three()
    try:
        for row, (camera, clip, time) in zip(rows, stages, strict=True):
            given = row.subject.path, clip, time, SIZE
            try:
                row.bare["three"] = artist.draw(*given, camera, camera.target)
                row.lit["three"] = artist.draw(*given, camera, key=key, tone="linear")
                row.own["three"] = artist.draw(*given, tone="linear", background="#191919")
            except (AssertionError, AppError) as error:
                sys.stderr.write(f"three.js: {row.subject.name}: {error}\n")
    finally:
        artist.close()
    facts = artist.facts
    words = f"three.js r{facts['three']}, {facts['samples']} samples, {facts['renderer']}"
    return {"three": words}


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), set(sys.argv[2:]))
