"""Rules about names: missing, duplicate, without mirror image, or not accepted unchanged.

Godot 4 replaces ``:`` and ``/`` in bone names and rejects ``/ : , [`` in animation names. Unreal
replaces characters that object names may not have, compares names without case, and replaces
spaces in bone names by hyphens. Unity separates the joints of a path by ``/``. Blender truncates
names to 63 bytes. A clip extracted from its file becomes a file, whose name Windows restricts.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ...model.mirror_image import mirror_name, name_letters
from ...wording import counted, listed, printable, quoted
from ..check_context import CheckContext
from ..finding import Find, Finding, Limit, Limits, rule

_CONTROL = r"\x00-\x1f\x7f"
_BROKEN = re.compile(rf"[/\\{_CONTROL}]|^\s|\s$")
_GODOT_BONE = re.compile(r"[:/]")
_GODOT_CLIP = re.compile(r"[/:,\[]")
_UNREAL = re.compile(r"""["',/.:|&!~\n\r\t@#(){}\[\]=;^%$`+]""")
_FILE = re.compile(r'[/\\:*?"<>|]')
_LENGTH = Limit("bytes", 63, "bytes", "length of a name; Blender truncates longer ones")


def joint_nodes(context: CheckContext) -> dict[int, list[int]]:
    """Return the joint nodes by skin; without skins whose joints are a subset of another's."""
    found: dict[int, list[int]] = {}
    for s, row in enumerate(context.document.rows("skins")):
        joints = list(dict.fromkeys(row["joints"]))
        if not any(set(joints) <= set(others) for others in found.values()):
            found[s] = joints
    return found


def joint_name(context: CheckContext, node: int) -> str:
    """Return the name of a node's joint in the model."""
    skeleton = context.model.skeleton
    return skeleton.names[int(skeleton.joint_of_node[node])]


class _Found(NamedTuple):
    """Joints of a skin whose names are at fault."""

    amount: int
    unit: str
    what: str  # begins the message: “2 joints”; then “of skin”, its name, and `fault`
    fault: str
    at: int  # place in the skin of the joint to which the finding refers
    named: bool = True  # whether it has a name


def _per_skin(look: Callable[[Sequence[str], Limits], _Found | None]) -> Find:
    """Make a rule look at the names of the joints of each skin, ``""`` for none."""

    def find(context: CheckContext, limits: Limits) -> Iterator[Finding]:
        nodes = context.document.rows("nodes")
        for skin, joints in joint_nodes(context).items():
            found = look([nodes[n].get("name") or "" for n in joints], limits)
            if found is not None:
                name, node = context.model.skins[skin].name, joints[found.at]
                yield Finding(
                    f"{found.what} of skin {quoted(name)}{found.fault}",
                    amount=found.amount,
                    unit=found.unit,
                    touches=found.amount,
                    place=f"/nodes/{node}/name" if found.named else f"/nodes/{node}",
                    joint=joint_name(context, node) if found.named else "",
                    item=name,
                )

    return find


@rule(
    "name-duplicate",
    "error",
    "two joints of a skin have the same name",
    "rename one: retargeting, masks and scripts find joints by name, and may pick the other",
)
@_per_skin
def _duplicate(names: Sequence[str], _: Limits) -> _Found | None:
    twice = [name for name, times in Counter(filter(None, names)).items() if times > 1]
    if not twice:
        return None
    verb = "belongs" if len(twice) == 1 else "belong"
    fault = f" {verb} to more than one joint: {listed(twice)}"
    again = [k for k, name in enumerate(names) if name == twice[0]][1]
    return _Found(len(twice), "names", counted(len(twice), "name"), fault, again)


@rule(
    "name-shared",
    "info",
    "a node outside the skins has the name of a joint",
    "rename the node (often a mesh object): engines that keep both in one tree rename one, and "
    "clips may find the wrong one",
)
def _shared(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield nodes outside the skins that have the name of a joint."""
    nodes = context.document.rows("nodes")
    joints = {n for found in joint_nodes(context).values() for n in found}
    named = {nodes[n]["name"]: n for n in sorted(joints, reverse=True) if nodes[n].get("name")}
    others = [n for n in range(len(nodes)) if n not in joints and nodes[n].get("name") in named]
    if others:
        names = [nodes[n]["name"] for n in others]
        yield Finding(
            f"{counted(len(names), 'node')} outside the skins "
            f"{'has' if len(names) == 1 else 'have'} the name of a joint: {listed(names)}",
            amount=len(names),
            unit="nodes",
            place=f"/nodes/{others[0]}/name",
            joint=joint_name(context, named[names[0]]),
        )


@rule(
    "name-missing",
    "info",
    "a joint has no name",
    "name the joint: clips of other files, masks and retargeting find it by name",
)
@_per_skin
def _missing(names: Sequence[str], _: Limits) -> _Found | None:
    without = [k for k, name in enumerate(names) if not name.strip()]
    if not without:
        return None
    what = f"{len(without)} of {counted(len(names), 'joint')}"
    fault = " has no name" if len(without) == 1 else " have no names"
    return _Found(len(without), "joints", what, fault, without[0], named=False)


@rule(
    "clip-name-missing",
    "info",
    "an animation has no name",
    "name it: in Blender the action or the NLA strip, in Maya the clip",
)
def _clip_missing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    clips = context.document.rows("animations")
    without = [a for a, row in enumerate(clips) if not (row.get("name") or "").strip()]
    if without:
        yield Finding(
            "the 1 animation has no name"
            if len(clips) == 1
            else f"{len(without)} of {len(clips)} animations "
            f"{'has' if len(without) == 1 else 'have'} no name",
            amount=len(without),
            unit="animations",
            place=f"/animations/{without[0]}",
        )


@rule(
    "clip-name-duplicate",
    "info",
    "two animations have the same name",
    "rename one: games find clips by name",
)
def _clip_duplicate(context: CheckContext, _: Limits) -> Iterator[Finding]:
    clips = context.document.rows("animations")
    times = Counter(row["name"] for row in clips if row.get("name"))
    for name, number in times.items():
        if number > 1:
            again = [a for a, row in enumerate(clips) if row.get("name") == name]
            yield Finding(
                f"{number} animations are named {quoted(name)}",
                amount=number,
                unit="animations",
                place=f"/animations/{again[1]}/name",
                clip=printable(name),
            )


@rule(
    "name-mirror",
    "info",
    "a joint of one side has no counterpart on the other",
    "add or rename the joint unless it is missing on purpose: mirroring finds it by name",
)
@_per_skin
def _mirror(names: Sequence[str], _: Limits) -> _Found | None:
    """Find joints whose mirror image is missing, if most joints of a side have one."""
    without = _without_mirror(names)
    if not without:
        return None
    fault = (
        f" {'has' if len(without) == 1 else 'have'} no mirror image: {listed(without)}; "
        f"there is no {quoted(mirror_name(without[0]))}"
    )
    what = counted(len(without), "joint")
    return _Found(len(without), "joints", what, fault, names.index(without[0]))


def _without_mirror(names: Sequence[str]) -> list[str]:
    """Return the names without mirror image, if most names of a side have one.

    Digits are ignored: some exporters number all joints of a file consecutively.
    """
    known = {name_letters(name) for name in names}
    sided = [(name, mirrored) for name in names if (mirrored := mirror_name(name))]
    without = [name for name, mirrored in sided if name_letters(mirrored) not in known]
    return without if 2 * len(without) < len(sided) else []


def godot_bone(name: str) -> str:
    """Return the bone name after import into Godot."""
    return _GODOT_BONE.sub("_", name)


def unreal_bone(name: str) -> str:
    """Return the bone name after import into Unreal."""
    return _UNREAL.sub("_", name.replace(" ", "-"))


def _illegal(names: Sequence[str], most: float) -> list[str]:
    """Return the names with forbidden characters, or longer than `most` bytes."""
    return [n for n in names if _BROKEN.search(n) or len(n.encode(errors="replace")) > most]


def _why(name: str, most: float) -> str:
    if re.search(rf"[{_CONTROL}]", name):
        return "has a control character"
    if name != name.strip():
        return "begins or ends with a space"
    if broken := re.search(r"[/\\]", name):
        return f"has a {broken[0]}"
    return f"is {len(name.encode(errors='replace'))} bytes long, more than {most:g}"


@rule(
    "name-illegal",
    "info",
    "a joint name has what engines and programs change: a slash, a control character, a space "
    "at an end, or too many characters",
    "rename the joint; letters, digits, _ and - are safe everywhere",
    _LENGTH,
)
@_per_skin
def _joint_illegal(names: Sequence[str], limits: Limits) -> _Found | None:
    found = _illegal(_named(names), limits["bytes"])
    if not found:
        return None
    fault = f" will be changed: {quoted(found[0])} {_why(found[0], limits['bytes'])}" + (
        f"; also {listed(found[1:])}" if len(found) > 1 else ""
    )
    what = counted(len(found), "joint name")
    return _Found(len(found), "joints", what, fault, names.index(found[0]))


@rule(
    "name-renamed",
    "info",
    "an engine renames a joint on import",
    "rename the joint if scripts or masks use its name; letters, digits, _ and - are safe "
    "everywhere",
)
@_per_skin
def _renamed(names: Sequence[str], _: Limits) -> _Found | None:
    """Find joints that Godot or Unreal rename."""
    by_engine = {
        engine: [name for name in _named(names) if call(name) != name and not _BROKEN.search(name)]
        for engine, call in (("Godot", godot_bone), ("Unreal", unreal_bone))
    }
    engines = [engine for engine, found in by_engine.items() if found]
    if not engines:
        return None
    found = by_engine["Unreal"] or by_engine["Godot"]
    verb, first = "rename" if len(engines) > 1 else "renames", found[0]
    what = f"{' and '.join(engines)} {verb} {counted(len(found), 'joint')}"
    fault = f": {quoted(first)} becomes {quoted(unreal_bone(first))}"
    return _Found(len(found), "joints", what, fault, names.index(first))


@rule(
    "name-collides",
    "warning",
    "two joint names are equal in an engine",
    "rename one, so that they differ by more than case and punctuation",
)
@_per_skin
def _collides(names: Sequence[str], _: Limits) -> _Found | None:
    """Find different joint names that are equal in an engine."""
    pairs = _clashes(_named(names), lambda name: unreal_bone(name).casefold())
    if not pairs:
        return None
    one, other = pairs[0]
    fault = (
        f" {'has' if len(pairs) == 1 else 'have'} equal names in an engine: {quoted(one)} "
        f"and {quoted(other)} are {quoted(unreal_bone(one))} in Unreal, which ignores case"
    )
    what = f"{counted(len(pairs), 'pair')} of joints"
    return _Found(len(pairs), "pairs", what, fault, names.index(other))


def _named(names: Sequence[str]) -> list[str]:
    return [name for name in names if name.strip()]


def _clashes(names: Sequence[str], call: Callable[[str], str]) -> list[tuple[str, str]]:
    known: dict[str, str] = {}
    pairs = []
    for name in dict.fromkeys(names):
        first = known.setdefault(call(name), name)
        if first != name:
            pairs.append((first, name))
    return pairs


@rule(
    "clip-name-illegal",
    "info",
    "an animation name has a slash, a control character, a space at an end, or too many characters",
    "rename the animation; letters, digits, _ and - are safe everywhere",
    _LENGTH,
)
def _clip_illegal(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    clips = [row.get("name") or "" for row in context.document.rows("animations")]
    found = _illegal([name for name in clips if name.strip()], limits["bytes"])
    for name in dict.fromkeys(found):
        yield Finding(
            f"the name of animation {quoted(name)} will be changed: it "
            f"{_why(name, limits['bytes'])}",
            place=f"/animations/{clips.index(name)}/name",
            clip=printable(name),
        )


@rule(
    "clip-name-renamed",
    "info",
    "an animation name has characters that an engine or a file system replaces",
    "rename the animation; letters, digits, _ and - are safe everywhere",
)
def _clip_renamed(context: CheckContext, _: Limits) -> Iterator[Finding]:
    clips = [row.get("name") or "" for row in context.document.rows("animations")]
    named = [name for name in dict.fromkeys(clips) if name.strip() and not _BROKEN.search(name)]
    for kind, who in ((_GODOT_CLIP, "Godot does not allow"), (_FILE, "Windows does not allow")):
        found = [name for name in named if kind.search(name)]
        if found:
            letter = next(match[0] for match in [kind.search(found[0])] if match)
            yield Finding(
                f"{counted(len(found), 'animation')} will be renamed: {who} {letter} in names, "
                f"as in {listed(found)}",
                amount=len(found),
                unit="animations",
                place=f"/animations/{clips.index(found[0])}/name",
                clip=printable(found[0]),
            )
            return
