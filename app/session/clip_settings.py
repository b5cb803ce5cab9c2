"""The settings of a clip in the motion document: loop mode, range, sync marks, root motion."""

from ..errors import UsageError
from ..model.lookup import find_clip
from ..model.model import Model
from ..motion.document import ClipSettings, MotionDoc


def clip_key(model: Model, document: MotionDoc, clip: int) -> str:
    """Return the document's key for a clip; its name if the document has no settings of it."""
    name = model.clips[clip].name
    if find_clip(model, name).index == clip and name in document.clips:
        return name
    for key in document.clips:
        try:
            if find_clip(model, key).index == clip:
                return key
        except UsageError:
            continue
    return name if find_clip(model, name).index == clip else f"#{clip}"


def settings_of(model: Model, document: MotionDoc, clip: int) -> ClipSettings:
    """Return the settings of a clip; the defaults if the document has none of it."""
    return document.clips.get(clip_key(model, document, clip), ClipSettings())
