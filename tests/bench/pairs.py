"""Pairs of pictures: ours beside f3d's, same model, same camera, same moment.

    python tests/bench/pairs.py OUT FILE...          (pip install f3d)

Writes OUT/NAME.png (ours, f3d's, where the silhouettes differ) and prints each pair's intersection
over union.
"""

import sys
from pathlib import Path

import f3d
import numpy as np
from PIL import Image

from app.files import load
from app.picture import Painter
from app.scene import Scene

SIZE = (512, 512)
PAPER = np.array([48, 50, 54], np.float32)
MOMENT = 0.4  # of the clip


def ours(painter: Painter, scene: Scene) -> np.ndarray:
    scene.display.background = (0.0, 0.0, 0.0, 0.0)
    scene.display.grid = False
    with painter.context:  # the other program makes its own current
        return painter.paint(scene)


def theirs(path: Path, clip: int, time: float, scene: Scene) -> np.ndarray:
    f3d.Engine.autoload_plugins()
    engine = f3d.Engine.create_egl()
    engine.window.size = SIZE
    engine.options.update(
        {
            "render.grid.enable": False,
            "ui.axis": False,
            "scene.animation.indices": [max(clip, 0)],
        }
    )
    engine.scene.add(str(path))
    if clip >= 0:
        engine.scene.animation.load_time(time)
    camera = scene.camera
    engine.window.camera.position = tuple(camera.position().tolist())
    engine.window.camera.focal_point = tuple(camera.target.tolist())
    engine.window.camera.view_up = (0.0, 1.0, 0.0)
    engine.window.camera.view_angle = float(np.degrees(camera.fov))
    image = engine.window.render_to_image(no_background=True)
    pixels = np.frombuffer(image.content, np.uint8).reshape(SIZE[1], SIZE[0], -1)[::-1]
    return np.ascontiguousarray(pixels)


def over(picture: np.ndarray) -> np.ndarray:
    alpha = picture[..., 3:].astype(np.float32) / 255
    return (picture[..., :3] * alpha + PAPER * (1 - alpha)).astype(np.uint8)


def main(out: Path, files: list[Path]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    painter = Painter(SIZE)
    for path in files:
        model = load(path)
        scene = Scene()
        clip = 0 if model.clips else -1
        time = model.clips[0].end * MOMENT if clip == 0 else 0.0
        scene.show(model).play(clip, 0.0, passes=1)
        scene.frame(1.0)
        scene.update(time)
        a, b = ours(painter, scene), theirs(path, clip, time, scene)
        inside = a[..., 3] > 127, b[..., 3] > 127
        overlap = (inside[0] & inside[1]).sum() / max((inside[0] | inside[1]).sum(), 1)
        differ = np.repeat((inside[0] != inside[1])[..., None] * np.uint8(255), 3, axis=-1)
        Image.fromarray(np.concatenate([over(a), over(b), differ], axis=1)).save(
            out / f"{path.stem}.png"
        )
        sys.stdout.write(f"{path.stem:32} {overlap:.4f}\n")
    painter.release()


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
