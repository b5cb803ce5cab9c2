"""What notebooks show of a model or a pose: a picture; of a clip or several poses: a strip."""

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


def picture(shown: object) -> bytes | None:
    """Return the PNG of a model, clip or pose.

    None without OpenGL, for an empty batch, and if no model with the rest pose is left.
    """
    try:
        pixels = _drawn(shown)
    except AppError:
        return None
    return None if pixels is None else as_png(pixels)


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
