"""Joint names: side, body part and number, in the naming conventions of common tools.

Mixamo (`mixamorig:LeftUpLeg`), Unreal (`thigh_l`), 3ds Max (`Bip01 L Thigh`), Blender
(`upper_arm.L`), VRoid (`J_Bip_L_UpperLeg`), motion capture (`LHipJoint`, `LeftCollar`), and the
bones of VRM's humanoid. Case, spaces and separators are ignored.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .name_affixes import affixes_of, without_affixes

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
_SIDES = {"l": "left", "left": "left", "r": "right", "right": "right"}
_PREFIXES = {
    "mixamorig",
    "bip",
    "biped",
    "valve",
    "def",
    "org",
    "mch",
    "cc",
    "base",
    "jnt",
    "joint",
}
_PREFIXES |= {"bone", "b", "j", "c", "sk", "character", "skeleton", "rig", "skel"}
_SUFFIXES = {"jnt", "joint", "bone", "bind", "skin"}

_PARTS: dict[str, str] = {}
for _part, _names in {
    "hips": "hips hip pelvis",
    "spine": "spine lowerback abdomen waist chest upperchest torso back ribcage thorax stomach",
    "neck": "neck",
    "head": "head",
    "jaw": "jaw",
    "eye": "eye",
    "shoulder": "shoulder clavicle collar collarbone",
    "upperarm": "arm upperarm uparm armupper",
    "lowerarm": "forearm lowerarm lowarm elbow armlower",
    "hand": "hand wrist palm",
    "upperleg": "upleg upperleg thigh legupper",
    "lowerleg": "leg lowerleg lowleg shin calf knee leglower",
    "foot": "foot ankle",
    "toes": "toes toe toebase ball",
}.items():
    _PARTS |= dict.fromkeys(_names.split(), _part)
_FINGERS = {"thumb", "index", "middle", "ring", "pinky"}
_SEGMENTS = {"metacarpal": 0, "proximal": 1, "intermediate": 2, "distal": 3}
CHAINS = ("spine", "neck")  # chains with a different number of joints per rig
_SERIES = {  # body parts of `leg.L`, `leg.L.001`, `leg.L.002`, parents first
    "leg": ("upperleg", "lowerleg", "foot", "toes"),
    "arm": ("upperarm", "lowerarm", "hand"),
}


class NormalizedName(NamedTuple):
    """A name without conventional prefixes and suffixes."""

    side: str  # "left", "right" or ""
    word: str  # the other words in lower case, joined
    number: int  # the last number in it, -1 for none


class BodyPart(NamedTuple):
    """A body part."""

    side: str
    part: str
    number: int  # of a finger's segment, from 1; 0 for other parts


@lru_cache(4096)
def normalized_name(name: str) -> NormalizedName:
    """Return side, word and number of a name: `mixamorig:LeftUpLeg` is left, upleg.

    For the names of a skeleton, use `normalized_names`.
    """
    words = [word.lower() for word in _WORD.findall(re.split(r"[:|]", name)[-1] or name)]
    words = _split_side(words)
    while len(words) > 1 and words[0] in _PREFIXES:
        words = words[1:]
        if len(words) > 1 and words[0].isdigit():
            words = words[1:]
    sides = [_SIDES[word] for word in words if word in _SIDES]
    rest = [word for word in words if word not in _SIDES and not word.isdigit()]
    if len(rest) > 1 and rest[-1] in _SUFFIXES:
        rest = rest[:-1]
    numbers = [word for word in words if word.isdigit()]
    number = int(numbers[-1][:6]) if numbers else -1
    return NormalizedName(sides[0] if sides else "", "".join(rest), number)


def normalized_names(
    names: Sequence[str], joints: Sequence[str] | None = None
) -> list[NormalizedName]:
    """Return names without the prefix and suffix of nearly all joints, normalised.

    Parameters
    ----------
    joints
        The names of all joints of the skeleton; by default, they are `names`.
    """
    prefix, suffix = _affixes(tuple(names if joints is None else joints))
    return [normalized_name(without_affixes(name, prefix, suffix)) for name in names]


@lru_cache(maxsize=16)
def _affixes(names: tuple[str, ...]) -> tuple[str, str]:
    """Return the prefix and suffix of nearly all joints, empty if they are a part of the names.

    Without them, fewer body parts are known then: all joints of an arm may end in "_L".
    """
    prefix, suffix = affixes_of(names)
    if prefix or suffix:
        short = [without_affixes(name, prefix, suffix) for name in names]
        if _known(short) < _known(names):
            return "", ""
    return prefix, suffix


def _known(names: Sequence[str]) -> int:
    """Return the number of names with a body part."""
    plains = [normalized_name(name) for name in names]
    words = {(plain.side, plain.word) for plain in plains}
    return sum(_role(plain, words) is not None for plain in plains)


def _split_side(words: list[str]) -> list[str]:
    """Return words with a side prefix split off: `leftarm` is left, arm."""
    split: list[str] = []
    for word in words:
        side = next((s for s in ("left", "right") if word.startswith(s)), "")
        split += [side, word[len(side) :]] if side and len(word) > len(side) else [word]
    return split


def body_parts(
    plains: Sequence[NormalizedName], humanoid: Mapping[str, int] | None = None
) -> dict[int, BodyPart]:
    """Return the body part of each name, by index; unknown names are left out.

    Parameters
    ----------
    plains
        Of joints, parents before their children.
    humanoid
        VRM's bones by name, as indices into `plains`; they take precedence.
    """
    bones = humanoid or {}
    from_root = any(bone.endswith("ThumbMetacarpal") for bone in bones)  # VRM 1, not VRM 0
    found = {index: _vrm_role(bone, from_root) for bone, index in bones.items()}
    taken = set(found.values())
    words = {(plain.side, plain.word) for plain in plains}
    series = _series(plains)
    for index, plain in enumerate(plains):
        role = series[index] if index in series else _role(plain, words)
        if role is None or index in found:
            continue
        if role in taken and role.part not in CHAINS:
            continue  # the first is the ancestor
        found[index] = role
        taken.add(role)
    return found


def _series(plains: Sequence[NormalizedName]) -> dict[int, BodyPart]:
    """Return the body parts of limb joints that differ only by a number, by index."""
    found: dict[int, BodyPart] = {}
    for word, parts in _SERIES.items():
        for side in ("left", "right"):
            links = [
                k for k, plain in enumerate(plains) if (plain.side, plain.word) == (side, word)
            ]
            named = {
                _PARTS.get(plain.word)
                for plain in plains
                if plain.side == side and plain.word != word
            }
            if len(links) > 1 and not named & set(parts[:2]):
                free = [part for part in parts if part not in named]
                found |= {k: BodyPart(side, part, 0) for k, part in zip(links, free, strict=False)}
    return found


def _role(name: NormalizedName, words: set[tuple[str, str]]) -> BodyPart | None:
    side, word, number = name
    finger = _finger(word)
    if finger:
        part, segment = finger
        place = segment if segment is not None else max(number, 1)
        return BodyPart(side, part, place) if side else None
    part = _PARTS.get(word, "")
    if not part:
        return None
    if side:
        part = _in_company(side, word, part, words)
    sided = part not in ("hips", "spine", "neck", "head", "jaw")
    if bool(side) != sided:
        return None
    return BodyPart(side, part, 0)


def _in_company(side: str, word: str, part: str, words: set[tuple[str, str]]) -> str:
    """Return a word's body part given the others: a shoulder without an arm is the upper arm."""

    def there(*others: str) -> bool:
        return any((side, other) in words for other in others)

    if word == "hip" and not there("upleg", "upperleg", "thigh"):
        return "upperleg"
    if word == "leg" and not there("upleg", "upperleg", "thigh", "hip"):
        return "upperleg" if there("knee", "shin", "calf", "lowerleg") else part
    if word == "shoulder" and not there("arm", "upperarm", "uparm", "armupper"):
        return "upperarm" if there("elbow", "forearm", "lowerarm") else part
    if word == "foot" and there("ankle"):
        return "toes" if not there("toe", "toes", "toebase", "ball") else ""
    return part


def is_finger(name: str) -> bool:
    """Return whether a joint's name is that of a finger."""
    return _finger(normalized_name(name).word) is not None


def _finger(word: str) -> tuple[str, int | None] | None:
    """Return finger and segment of `handindex`, `findex`, `indexproximal`."""
    segment = next((s for s in _SEGMENTS if word.endswith(s)), "")
    bare = word.removesuffix(segment)
    for prefix in ("hand", "finger", "f", ""):
        name = bare.removeprefix(prefix).removesuffix("finger").replace("little", "pinky")
        if name in _FINGERS:
            return name, _SEGMENTS[segment] if segment else None
    return None


def _vrm_role(bone: str, from_root: bool) -> BodyPart:
    """Return the body part of a VRM humanoid bone; VRM 1 has the thumb's metacarpal."""
    name = normalized_name(bone)
    finger = _finger(name.word)
    if finger is None:
        return BodyPart(name.side, _PARTS.get(name.word, name.word), 0)
    part, segment = finger
    number = 1 if segment is None else segment
    if part == "thumb" and from_root:
        number = min(number + 1, 3)
    return BodyPart(name.side, part, number)
