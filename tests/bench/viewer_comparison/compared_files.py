"""The compared files: sample models, the bundled character, and generated feature files."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from rigview.resources import asset_path
from tests.support.shared import MODELS

TIME = 0.4  # fraction of the clip


@dataclass(frozen=True)
class Subject:
    """A file, and the clip and phase at which it is drawn.

    `cut_by_f3d`: f3d's clipping planes, by the mesh before skinning, cut the skinned mesh.
    """

    name: str
    path: Path
    clip: int = 0  # -1: the rest pose
    phase: float = TIME

    @property
    def cut_by_f3d(self):
        return self.name == "Woman"


def models(folder, source=MODELS):
    """The files below ../shared/models and the mannequin; `folder` is for changed copies."""
    found = sorted([*source.rglob("*.glb"), *source.rglob("*.gltf")])
    subjects = [Subject(path.stem, _with_images(path, folder)) for path in found]
    return [*subjects, Subject("mannequin", asset_path("mannequin.glb"))]


def written(builders, folder):
    """Write generated files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name, builder in builders.items():
        path = folder / f"{name}.glb"
        path.write_bytes(builder.glb())
        clip = 0 if builder.json.get("animations") else -1
        pointers = "KHR_animation_pointer" in builder.json.get("extensionsUsed", [])
        found.append(Subject(name, path, -1 if pointers else clip))
    return found


def _with_images(path, folder):
    """The path of the file, or of a copy with placeholders for missing images."""
    if path.suffix == ".glb":
        return path
    images = json.loads(path.read_text()).get("images", [])
    named = [row["uri"] for row in images if "uri" in row and not row["uri"].startswith("data:")]
    missing = [uri for uri in named if not (path.parent / uri).exists()]
    if not missing:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / path.parent.name
    shutil.copytree(path.parent, copy, dirs_exist_ok=True)
    for uri in missing:
        stripes = Image.linear_gradient("L").resize((64, 64)).point(lambda v: 96 + v // 32 * 16)
        stripes.convert("RGB").save(copy / uri)
    return copy / path.name
