"""Rules about names that an engine, a program or a file system does not accept unchanged.

Godot 4 replaces ``:`` and ``/`` in bone names and rejects ``/ : , [`` in animation names. Unreal
replaces characters that object names may not have, compares names without case, and replaces
spaces in bone names by hyphens. Unity separates the joints of a path by ``/``. Blender truncates
names to 63 bytes. A clip extracted from its file becomes a file, whose name Windows restricts.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from ...wording import counted, listed, printable, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from .names import joint_name, joint_nodes, rows

_CONTROL = r"\x00-\x1f\x7f"
_BROKEN = re.compile(rf"[/\\{_CONTROL}]|^\s|\s$")
_GODOT_BONE = re.compile(r"[:/]")
_GODOT_CLIP = re.compile(r"[/:,\[]")
_UNREAL = re.compile(r"""["',/.:|&!~\n\r\t@#(){}\[\]=;^%$`+]""")
_FILE = re.compile(r'[/\\:*?"<>|]')


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


def _joints(context: CheckContext) -> Iterator[tuple[int, list[int], list[str]]]:
    """Yield skins with the nodes and names of their named joints."""
    nodes = rows(context, "nodes")
    for skin, joints in joint_nodes(context).items():
        named = [n for n in joints if (nodes[n].get("name") or "").strip()]
        yield skin, named, [nodes[n]["name"] for n in named]


def _joint_illegal(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for skin, nodes, names in _joints(context):
        found = _illegal(names, limits["bytes"])
        if found:
            name = context.model.skins[skin].name
            yield Finding(
                f"{counted(len(found), 'joint name')} of skin {quoted(name)} will be changed: "
                f"{quoted(found[0])} {_why(found[0], limits['bytes'])}"
                + (f"; also {listed(found[1:])}" if len(found) > 1 else ""),
                amount=len(found),
                unit="joints",
                place=f"/nodes/{nodes[names.index(found[0])]}/name",
                joint=joint_name(context, nodes[names.index(found[0])]),
                item=name,
            )


def _renamed(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield skins with joints that Godot or Unreal rename."""
    for skin, nodes, names in _joints(context):
        by_engine = {
            engine: [name for name in names if call(name) != name and not _BROKEN.search(name)]
            for engine, call in (("Godot", godot_bone), ("Unreal", unreal_bone))
        }
        engines = [engine for engine, found in by_engine.items() if found]
        if engines:
            found = by_engine["Unreal"] or by_engine["Godot"]
            skin_name, first = context.model.skins[skin].name, found[0]
            yield Finding(
                f"{' and '.join(engines)} {'rename' if len(engines) > 1 else 'renames'} "
                f"{counted(len(found), 'joint')} of skin {quoted(skin_name)}: {quoted(first)} "
                f"becomes {quoted(unreal_bone(first))}",
                amount=len(found),
                unit="joints",
                place=f"/nodes/{nodes[names.index(first)]}/name",
                joint=joint_name(context, nodes[names.index(first)]),
                item=skin_name,
            )


def _collides(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield skins with different joint names that are equal in an engine."""
    for skin, nodes, names in _joints(context):
        pairs = _clashes(names, lambda name: unreal_bone(name).casefold())
        if pairs:
            (one, other), skin_name = pairs[0], context.model.skins[skin].name
            yield Finding(
                f"{counted(len(pairs), 'pair')} of joints of skin {quoted(skin_name)} "
                f"{'has' if len(pairs) == 1 else 'have'} equal names in an engine: {quoted(one)} "
                f"and {quoted(other)} are {quoted(unreal_bone(one))} in Unreal, which ignores case",
                amount=len(pairs),
                unit="pairs",
                place=f"/nodes/{nodes[names.index(other)]}/name",
                joint=joint_name(context, nodes[names.index(other)]),
                item=skin_name,
            )


def _clashes(names: Sequence[str], call: Callable[[str], str]) -> list[tuple[str, str]]:
    known: dict[str, str] = {}
    pairs = []
    for name in dict.fromkeys(names):
        first = known.setdefault(call(name), name)
        if first != name:
            pairs.append((first, name))
    return pairs


def _clip_illegal(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    clips = [row.get("name") or "" for row in rows(context, "animations")]
    found = _illegal([name for name in clips if name.strip()], limits["bytes"])
    for name in dict.fromkeys(found):
        yield Finding(
            f"the name of animation {quoted(name)} will be changed: it "
            f"{_why(name, limits['bytes'])}",
            place=f"/animations/{clips.index(name)}/name",
            clip=printable(name),
        )


def _clip_renamed(context: CheckContext, _: Limits) -> Iterator[Finding]:
    clips = [row.get("name") or "" for row in rows(context, "animations")]
    named = [name for name in dict.fromkeys(clips) if name.strip() and not _BROKEN.search(name)]
    for kind, rule in ((_GODOT_CLIP, "Godot does not allow"), (_FILE, "Windows does not allow")):
        found = [name for name in named if kind.search(name)]
        if found:
            letter = next(match[0] for match in [kind.search(found[0])] if match)
            yield Finding(
                f"{counted(len(found), 'animation')} will be renamed: {rule} {letter} in names, "
                f"as in {listed(found)}",
                amount=len(found),
                unit="animations",
                place=f"/animations/{clips.index(found[0])}/name",
                clip=printable(found[0]),
            )
            return


_LENGTH = (Limit("bytes", 63, "bytes", "length of a name; Blender truncates longer ones"),)
RULES: tuple[Rule, ...] = (
    Rule(
        "name-illegal",
        "warning",
        "a joint name has what engines and programs change: a slash, a control character, a space "
        "at an end, or too many characters",
        "rename the joint; letters, digits, _ and - are safe everywhere",
        _joint_illegal,
        _LENGTH,
    ),
    Rule(
        "name-renamed",
        "info",
        "an engine renames a joint on import",
        "rename the joint if scripts or masks use its name; letters, digits, _ and - are safe "
        "everywhere",
        _renamed,
    ),
    Rule(
        "name-collides",
        "warning",
        "two joint names are equal in an engine",
        "rename one, so that they differ by more than case and punctuation",
        _collides,
    ),
    Rule(
        "clip-name-illegal",
        "warning",
        "an animation name has a slash, a control character, a space at an end, or too many "
        "characters",
        "rename the animation; letters, digits, _ and - are safe everywhere",
        _clip_illegal,
        _LENGTH,
    ),
    Rule(
        "clip-name-renamed",
        "info",
        "an animation name has characters that an engine or a file system replaces",
        "rename the animation; letters, digits, _ and - are safe everywhere",
        _clip_renamed,
    ),
)
