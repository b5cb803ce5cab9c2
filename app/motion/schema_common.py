"""Value types and keys that several TOML tables of a motion file share."""

from collections.abc import Mapping

from ..errors import KeyPath
from ..tomlfile.tables import Key
from ..tomlfile.toml_errors import motion_error, quoted
from ..tomlfile.value_parsing import LARGEST_SPEED
from ..tomlfile.value_types import Choice, Either, Number, Numbers, Text

CLIP_NAME = Text("the name of a clip")
JOINT_NAME = Text("the name of a joint")
PARAMETER_NAME = Text("the name of a parameter")
LAYER_NAME = Text("the name of a layer")
AXIS = Either(text=PARAMETER_NAME, number=Number())  # a parameter, or a constant
DIRECTION = Numbers(3, nonzero=True)
FACING = Numbers(3, nonzero=True, level=True)
VALUE = Either(number=Number(), vector=Numbers(3))  # of a parameter
SECONDS = Number(low=0)
PLAYBACK_SPEED = Number(-LARGEST_SPEED, LARGEST_SPEED)

ROTATION = Key("rotation", Choice("nlerp", "slerp"), "rotation interpolation")
EVENTS_OF = Key(
    "events",
    Choice("heaviest", "all", "none"),
    "clips that fire their events: the one of greatest weight, all, or none",
)


def only_key_of(table: object, path: KeyPath, *keys: str) -> str:
    """Return which of the keys a table has, the first if none; MotionError for more than one."""
    found = [key for key in keys if isinstance(table, Mapping) and key in table]
    if len(found) > 1:
        raise motion_error(path, f"has both {quoted(found[0])} and {quoted(found[1])}")
    return found[0] if found else keys[0]
