"""Statistics of a file, formatted for the report: figures, lists, bars and small tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from .. import wording
from ..model.facing import axis_name
from ..model.statistics import Facts, material_notes

_KINDS = {
    "vertices": "Vertices",
    "morph_targets": "Morph targets",
    "textures": "Textures",
    "palettes": "Joint palettes",
}


@dataclass(frozen=True, slots=True)
class Share:
    """A bar of a bar chart: a part of a total."""

    name: str
    value: str
    percent: float


@dataclass(frozen=True, slots=True)
class Table:
    """A small table; numeric columns are right-aligned."""

    title: str
    head: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


def joint_count(facts: Facts) -> str:
    """Return the number of skin joints as text; without a skin, the number of nodes."""
    skinned = sum(joint["skinned"] for joint in facts["joints"])
    if skinned:
        return wording.page_counted(skinned, "joint")
    return wording.page_counted(len(facts["joints"]), "node")


def figures(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Return the figures at the top of a character, each with its noun."""
    meshes = facts["meshes"]
    texts = (
        wording.page_counted(len(facts["clips"]), "clip"),
        joint_count(facts),
        wording.page_counted(sum(each["triangles"] for each in meshes), "triangle"),
        wording.page_counted(sum(each["vertices"] for each in meshes), "vertex", "vertices"),
        f"{wording.page_size(facts['bytes'])} file size",
        f"{wording.page_size(facts['gpu_bytes']['total'])} GPU memory",
    )
    return tuple((number, noun) for number, _, noun in (each.partition(" ") for each in texts))


def particulars(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Return the properties of the file, each with its heading."""
    joints = facts["joints"]
    skinned = sum(each["skinned"] for each in joints)
    depth = max((each["depth"] + 1 for each in joints), default=0)
    extensions = facts["extensions"]
    required = set(extensions["required"])
    used = [f"{name} (required)" if name in required else name for name in extensions["used"]]
    said = [
        ("Format", f"{facts['format']} {facts['version']}".strip()),
        ("Generator", facts["generator"]),
        ("Copyright", facts["copyright"]),
        ("Faces", axis_name(facts["facing"]) if facts["facing_found"] else ""),
        ("Scenes", ", ".join(each for each in facts["scenes"] if each)),
        (
            "Hierarchy",
            f"{wording.page_counted(len(joints), 'node')}, "
            f"{wording.in_groups(skinned)} of them in a skin, "
            f"{wording.page_counted(depth, 'level')} deep",
        ),
        ("Cameras", ", ".join(f"{each['name']} ({each['kind']})" for each in facts["cameras"])),
        ("Extensions", ", ".join(used)),
        (
            "Compressed",
            "; ".join(
                f"{each['extension']}: {wording.page_size(each['bytes'])}, decompressed "
                f"{wording.page_size(each['unpacked'])}"
                for each in facts["packed"]
            ),
        ),
        ("Unsupported", ", ".join(extensions["not_drawn"])),
    ]
    return tuple((heading, text) for heading, text in said if text)


def memory(facts: Facts) -> tuple[Share, ...]:
    """Return the GPU memory by kind."""
    sizes = facts["gpu_bytes"]
    total = max(sizes["total"], 1)
    return tuple(
        Share(name, wording.page_size(sizes[kind]), 100 * sizes[kind] / total)
        for kind, name in _KINDS.items()
        if sizes[kind]
    )


def influences(facts: Facts) -> tuple[Share, ...]:
    """Return the numbers of skinned vertices with 1, 2, … influences."""
    found = facts["influences"]
    total = max(sum(found.values()), 1)
    return tuple(
        Share(
            wording.page_counted(int(joints), "joint"),
            wording.in_groups(n),
            100 * n / total,
        )
        for joints, n in found.items()
    )


def tables(facts: Facts) -> tuple[Table, ...]:
    """Return the tables of clips, skins, meshes, materials and textures that have rows."""
    made = (
        _clips(facts["clips"]),
        _skins(facts),
        _meshes(facts["meshes"]),
        _materials(facts),
        _textures(facts["textures"]),
    )
    return tuple(table for table in made if table.rows)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    numeric = tuple(all(row[column][:1].isdigit() for row in rows) for column in range(len(head)))
    return Table(title, tuple(head), numeric, tuple(tuple(row) for row in rows))


def _clips(clips: Sequence[Facts]) -> Table:
    rows = [
        (
            str(clip["index"]),
            clip["name"],
            wording.page_seconds(clip["start"]),
            wording.page_seconds(clip["end"]),
            wording.in_groups(clip["tracks"]),
            wording.in_groups(clip["joints"]),
            wording.in_groups(clip["keys"]),
            " ".join(clip["interpolation"]),
            wording.page_size(clip["bytes"]),
        )
        for clip in clips
    ]
    head = ("#", "Name", "From", "To", "Tracks", "Joints", "Keys", "Interpolation", "Size")
    return _table("Clips", head, rows)


def _skins(facts: Facts) -> Table:
    names = {mesh["index"]: mesh["name"] for mesh in facts["meshes"]}
    rows = [
        (
            str(skin["index"]),
            skin["name"],
            wording.in_groups(len(skin["joints"])),
            ", ".join(names[mesh] for mesh in skin["meshes"]) or "no mesh",
        )
        for skin in facts["skins"]
    ]
    return _table("Skins", ("#", "Name", "Joints", "Moves"), rows)


def _meshes(meshes: Sequence[Facts]) -> Table:
    rows = [
        (
            str(mesh["index"]),
            mesh["name"],
            wording.in_groups(mesh["primitives"]),
            wording.in_groups(mesh["vertices"]),
            wording.in_groups(mesh["triangles"]),
            wording.in_groups(len(mesh["morph_targets"])),
            "skinned" if mesh["skinned"] else "rigid",
            wording.in_groups(mesh["instances"]),
        )
        for mesh in meshes
    ]
    head = (
        "#",
        "Name",
        "Primitives",
        "Vertices",
        "Triangles",
        "Morph targets",
        "Moved",
        "Instances",
    )
    several = any(mesh["instances"] > len(mesh["nodes"]) for mesh in meshes)
    shown = len(head) if several else len(head) - 1
    return _table("Meshes", head[:shown], [row[:shown] for row in rows])


def _materials(facts: Facts) -> Table:
    rows = [
        (
            str(material["index"]),
            material["name"],
            material["alpha_mode"].lower(),
            ", ".join(material_notes(material)) or "–",
            ", ".join(f"{name} #{image}" for name, image in material["textures"].items()) or "–",
        )
        for material in facts["materials"]
    ]
    return _table("Materials", ("#", "Name", "Alpha", "Notes", "Textures"), rows)


def _textures(textures: Sequence[Facts]) -> Table:
    rows = [
        (
            str(texture["index"]),
            texture["name"],
            f"{texture['width']} × {texture['height']}",
            wording.page_size(texture["bytes"]),
        )
        for texture in textures
    ]
    return _table("Textures", ("#", "Name", "Pixels", "Size"), rows)
