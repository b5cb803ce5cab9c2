"""Values and keys that several tables of a motion file share."""

from collections.abc import Mapping

from ..tomlfile.tables import Key
from ..tomlfile.toml_errors import KeyPath, motion_error, quoted
from ..tomlfile.value_types import Choice, Either, Number, Numbers, Text

CLIP_NAME = Text("the name of a clip")
JOINT_NAME = Text("the name of a joint")
PARAMETER_NAME = Text("the name of a parameter")
LAYER_NAME = Text("the name of a layer")
AXIS = Either(text=PARAMETER_NAME, number=Number())
DIRECTION = Numbers(3, nonzero=True)
VALUE = Either(number=Number(), vector=Numbers(3))
SECONDS = Number(0)

ROTATION = Key("rotation", Choice("nlerp", "slerp"), "rotation blending")
EVENTS_OF = Key("events", Choice("heaviest", "all", "none"), "which clips fire their events")


def one_of(value: object, path: KeyPath, *keys: str) -> str:
    """Return which of the keys a table has, the first if none; MotionError for more than one."""
    table = value if isinstance(value, Mapping) else {}
    found = [key for key in keys if key in table]
    if len(found) > 1:
        raise motion_error(path, f"has both {quoted(found[0])} and {quoted(found[1])}")
    return found[0] if found else keys[0]
