"""A character to change in one thing at a time, and what a comparison should say about it."""

from dataclasses import dataclass

import numpy as np

from rigview.animation.model_space import to_model_transforms
from tests.support.file_version import Version

SHIFT = 0.02  # metres in the rest pose
DEGREES = 20.0
LEAST_MOTION = 0.01  # of the components of rotations


class NotPossibleError(Exception):
    """The file lacks what the change changes."""


@dataclass(frozen=True)
class Expected:
    """What a comparison should say about a change; None: anything."""

    changes: tuple = ()  # of each: kind, what, name, field or new name, amount or new value
    motion: str = ""  # the only clip that differs
    track: tuple = ()  # its only track that differs: joint, path, amount, seconds
    moves: bool = False  # whether the rest pose and any clips differ, too

    def faults(self, difference):
        """Return what a comparison says otherwise, as text; "" if it says exactly this."""
        said = [
            (c.kind, c.what, c.name, c.field or c.now, c.after)
            for c in difference.changes
            if not c.stored
        ]
        if len(said) != len(self.changes) or not all(map(_alike, self.changes, said)):
            return f"changes: {said}"
        if self.moves:
            return ""
        clips = [clip for clip in difference.clips if not clip.same]
        if difference.rest_differs or [clip.name for clip in clips] != (
            [self.motion] if self.motion else []
        ):
            return f"moves: rest {difference.rest}, {[clip.name for clip in clips]}"
        tracks = [(t.joint, t.path, t.amount, t.time) for clip in clips for t in clip.tracks]
        if self.track and (len(tracks) != 1 or not _alike(self.track, tracks[0])):
            return f"tracks: {tracks}"
        return ""


def _alike(expected, said):
    """Return whether tuples are equal: numbers within a thousandth, None is equal to anything."""
    return len(expected) == len(said) and all(
        p is None
        or (
            abs(p - q) <= 1e-3 * abs(p) + 1e-9
            if isinstance(p, float) and isinstance(q, int | float)
            else p == q
        )
        for p, q in zip(expected, said, strict=True)
    )


class Character:
    """A version of a file and its model, with what the changes need."""

    def __init__(self, source):
        self.version = Version(source)
        self._complete()
        self.model = self.version.load()
        skeleton = self.model.skeleton
        self.names = dict(zip(skeleton.nodes.tolist(), skeleton.names, strict=True))
        matrices = to_model_transforms(skeleton, skeleton.rest)[0]
        self.matrices = dict(zip(skeleton.nodes.tolist(), matrices, strict=True))

    def _complete(self):
        """Add a camera, a light and extras, which few files have."""
        version = self.version
        if "cameras" not in version.json:
            lens = {"yfov": 0.8, "znear": 0.1}
            version.rows("cameras").append({"type": "perspective", "perspective": lens})
            self._add_node(version, {"name": "Eye", "camera": 0})
        lights = version.json.setdefault("extensions", {})
        if "KHR_lights_punctual" not in lights:
            row = {"name": "Lamp", "type": "point", "intensity": 2.0, "range": 4.0}
            lights["KHR_lights_punctual"] = {"lights": [row]}
            version.rows("extensionsUsed").append("KHR_lights_punctual")
            use = {"KHR_lights_punctual": {"light": 0}}
            self._add_node(version, {"name": "Lamp", "extensions": use})
        for row in version.rows("animations"):
            row["extras"] = {"speed": [0, 1]}

    @staticmethod
    def _add_node(version, row):
        version.rows("nodes").append(row)
        scene = version.json["scenes"][version.json.get("scene", 0)]
        scene["nodes"].append(len(version.json["nodes"]) - 1)
        return len(version.json["nodes"]) - 1

    @property
    def joint(self):
        """A node in the middle of a skin, with its name, else any node with a mesh."""
        for skin in self.version.rows("skins"):
            inner = [
                j
                for j in skin["joints"]
                if self.version.json["nodes"][j].get("children")
                and "name" in self.version.json["nodes"][j]
            ]
            if inner:
                return inner[len(inner) // 2]
        rows = self.version.json["nodes"]
        named = [n for n, row in enumerate(rows) if "name" in row and "mesh" in row]
        return need(named, "named joint")[0]

    def parent_of(self, node):
        rows = self.version.json["nodes"]
        return next((n for n, row in enumerate(rows) if node in row.get("children", ())), None)

    def scale_above(self, node):
        """The scale of the parent of a node in the rest pose."""
        parent = self.parent_of(node)
        matrix = np.eye(4) if parent is None else self.matrices[parent]
        return float(np.cbrt(abs(np.linalg.det(matrix[:3, :3]))))

    def carrier(self):
        """The node of the first mesh."""
        rows = self.version.json["nodes"]
        return next(n for n, row in enumerate(rows) if row.get("mesh") == 0)

    def rest_length(self, vertex, primitive, delta):
        """The length of a displacement of a vertex of the first mesh in the rest pose, metres."""
        node = self.version.json["nodes"][self.carrier()]
        palette = self.matrices[self.carrier()]
        if "skin" in node:
            skin = self.model.skins[node["skin"]]
            nodes = self.model.skeleton.nodes[skin.joints].tolist()
            every = np.array([self.matrices[n] for n in nodes]) @ skin.inverse_bind
            palette = np.einsum(
                "s,sab->ab", primitive.weights[vertex], every[primitive.joints[vertex]]
            )
        return float(np.linalg.norm(palette[:3, :3] @ delta))

    def track(self, path, keys=3):
        """The clip, channel and sampler of a linear track that moves, as their JSON objects."""
        for clip in self.version.rows("animations"):
            for channel in clip["channels"]:
                sampler = clip["samplers"][channel["sampler"]]
                enough = self.version.json["accessors"][sampler["input"]]["count"] >= keys
                linear = sampler.get("interpolation", "LINEAR") == "LINEAR"
                if channel["target"].get("path") != path or not (enough and linear):
                    continue
                if np.ptp(self.version.array(sampler["output"]), axis=0).max() > LEAST_MOTION:
                    return clip, channel, sampler
        raise NotPossibleError(f"a linear {path} track")

    def clip_name(self, clip):
        return self.model.clips[self.version.json["animations"].index(clip)].name

    def copy(self):
        """A copy of the version that a change may change."""
        return self.version.copy()


def need(value, what):
    """Return a value, if there is one."""
    if value is None or value == []:
        raise NotPossibleError(what)
    return value
