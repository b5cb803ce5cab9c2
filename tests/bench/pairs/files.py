"""What is compared: models that others made, the bundled one, and small files of one thing each."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from rigview.resources import asset_path
from tests.bench.pairs import make_files
from tests.support.shared import MODELS

MOMENT = 0.4  # of the clip


@dataclass(frozen=True)
class Subject:
    """A file, and the clip that is shown at a moment of it."""

    name: str
    path: Path
    clip: int = 0  # -1: the rest pose
    moment: float = MOMENT


def models(folder):
    """All files of ../shared/models, and the mannequin; what is written for it goes to a folder."""
    found = sorted([*MODELS.rglob("*.glb"), *MODELS.rglob("*.gltf")])
    subjects = [Subject(path.stem, _whole(path, folder)) for path in found]
    return [*subjects, Subject("mannequin", asset_path("mannequin.glb"))]


def made(folder):
    """Small files of one thing each."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name, builder in make_files.all_of_them().items():
        path = folder / f"{name}.glb"
        path.write_bytes(builder.glb())
        clip = 0 if builder.json.get("animations") else -1
        pointers = "KHR_animation_pointer" in builder.json.get("extensionsUsed", [])
        found.append(Subject(name, path, -1 if pointers else clip))
    return found


def _whole(path, folder):
    """The file; where it names a picture that is not there, a copy with a stand-in."""
    if path.suffix == ".glb":
        return path
    images = json.loads(path.read_text()).get("images", [])
    named = [row["uri"] for row in images if "uri" in row and not row["uri"].startswith("data:")]
    lost = [uri for uri in named if not (path.parent / uri).exists()]
    if not lost:
        return path
    copy = folder / path.parent.name
    shutil.copytree(path.parent, copy, dirs_exist_ok=True)
    for uri in lost:
        stripes = Image.linear_gradient("L").resize((64, 64)).point(lambda v: 96 + v // 32 * 16)
        stripes.convert("RGB").save(copy / uri)
    return copy / path.name
