"""The foot contacts of one clip as spans of its time, as `check` measures them."""

import numpy as np

from ..animation.playback import Loop
from ..model.model import Model
from ..motion.document import ClipSettings, MotionDoc
from ..motion.read import MotionFile
from ..scene.contact_spans import ContactSpan, ContactSpans
from .check_context import CheckContext
from .foot_contacts import contacts


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def clip_contacts(model: Model, number: int, own_loop: Loop | None = None) -> ContactSpans:
    """Return the contacts of a clip's feet; without feet on the ground, none.

    Parameters
    ----------
    number
        Index of the clip.
    own_loop
        Its loop mode in the motion file; None: not set.
    """
    clip, motion = model.clips[number], None
    if own_loop is not None:
        loops = own_loop[0] == "loop" and own_loop[1] > 1
        settings = ClipSettings(loop="loop" if loops else "once")
        motion = MotionFile(MotionDoc(clips={f"#{number}": settings}))
    context = CheckContext(model, clips=(number,), motion=motion)
    found = context.cached(contacts, number) if clip.duration > 0 else None
    if found is None or not found.fits:
        return ContactSpans(clip, {})
    spans = {
        foot.joint: tuple(ContactSpan(each.begin, each.end, each.slide) for each in of_foot)
        for foot, of_foot in found.feet
    }
    return ContactSpans(clip, spans)
