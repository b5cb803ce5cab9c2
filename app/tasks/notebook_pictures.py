"""What notebooks show of a model: a page that plays; of a pose or a clip: a picture, a strip."""

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.types import U8
from ..errors import AppError
from ..images.png import as_png
from ..model.model import Model, model_of
from .still_pictures import render

ONE, EACH = (320, 320), (160, 200)  # pixels: of a picture, and of each in a strip
MOST = 6  # pictures of a strip
CELL, TEXTURE = (720, 480), 1024  # pixels: of the poster of a page, and most of its textures
MOST_BYTES = 24_000_000  # of a page in a cell


def picture(shown: object) -> bytes | None:
    """Return the PNG of a model, clip or pose.

    None without OpenGL, for an empty batch, and if no model with the rest pose is left.
    """
    try:
        pixels = _drawn(shown)
    except AppError:
        return None
    return None if pixels is None else as_png(pixels)


def frame(model: Model) -> str | None:
    """Return the page of a model as a sandboxed frame, None without OpenGL or if it is too large.

    Its script runs in an origin of its own, without access to the notebook.
    """
    from html import escape

    from .character_page import page  # templates: only where a model is shown

    try:
        text = page(model, max_texture=TEXTURE, resolution=CELL, quiet=True)
    except AppError:
        return None
    if len(text) > MOST_BYTES:
        return None
    return (
        f'<iframe sandbox="allow-scripts" allow="fullscreen" title="{escape(model.name)}" '
        f'style="width: 100%; height: {CELL[1]}px; border: 0" srcdoc="{escape(text)}"></iframe>'
    )


def _drawn(shown: object) -> U8 | None:
    if isinstance(shown, Model):
        return render(shown, resolution=ONE, quiet=True)
    pose: Pose | None = shown if isinstance(shown, Pose) else None
    if isinstance(shown, Clip) and shown.rest is not None:
        pose = shown.sample(np.linspace(shown.start, shown.end, MOST))
    model = None if pose is None else model_of(pose.rest or pose)
    if pose is None or model is None or 0 in pose.batch:
        return None
    if not pose.batch:
        return render(model, pose=pose, resolution=ONE, quiet=True)
    every = pose.data.reshape(-1, pose.data.shape[-1])
    chosen = np.linspace(0, len(every) - 1, min(MOST, len(every))).astype(int)
    poses = Pose.over(every[chosen], pose.count)
    return np.concatenate(render(model, pose=poses, resolution=EACH, quiet=True), axis=1)
