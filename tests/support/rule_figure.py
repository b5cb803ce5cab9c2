"""A small T-pose figure without findings, which test cases of rules change."""

import numpy as np

from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from tests.support.gltf_documents import Builder

# name, parent, position; the figure is 1.8 m tall and faces +Z
JOINTS = (
    ("Hips", -1, (0, 0.9, 0)),
    ("Spine", 0, (0, 1.3, 0)),
    ("Head", 1, (0, 1.6, 0)),
    ("LeftArm", 1, (0.2, 1.4, 0)),
    ("LeftHand", 3, (0.6, 1.4, 0)),
    ("RightArm", 1, (-0.2, 1.4, 0)),
    ("RightHand", 5, (-0.6, 1.4, 0)),
)
HIPS, SPINE, HEAD, LEFT_ARM, LEFT_HAND, RIGHT_ARM, RIGHT_HAND = range(7)


class Figure:
    """The data of the figure; a case changes it before the file is built."""

    def __init__(self):
        self.names = [name for name, _, _ in JOINTS]
        self.parents = [parent for _, parent, _ in JOINTS]
        places = np.array([place for _, _, place in JOINTS])
        self.nodes = [{"translation": [0, 0, 0]} for _ in JOINTS]
        for node, parent, place in zip(self.nodes, self.parents, places, strict=True):
            node["translation"] = (place - (places[parent] if parent >= 0 else 0)).tolist()
        self.inverse = np.tile(np.eye(4), (len(JOINTS), 1, 1))
        self.inverse[:, :3, 3] = -places
        self.skin = {"name": "Figure"}
        self._shape()
        self.material = {"name": "Cloth"}
        self.primitive = {}  # additional JSON
        self.attributes = {}  # additional arrays by name
        self.body = {"name": "BodyMesh", "mesh": 0, "skin": 0}  # node of the mesh
        self.after = []  # changes of the builder

    def _shape(self):
        up = np.arange(0, 1.81, 0.1)
        along = np.arange(-0.8, 0.81, 0.1)
        trunk = [[x, y, 0] for y in up for x in (-0.1, 0.1)]
        arms = [[x, y, 0] for x in along for y in (1.35, 1.45)]
        self.positions = np.array(trunk + arms)
        quads = range(0, len(trunk) - 2, 2)
        up = [[[q, q + 1, q + 2], [q + 1, q + 3, q + 2]] for q in quads]
        quads = range(len(trunk), len(trunk) + len(arms) - 2, 2)
        across = [[[q, q + 2, q + 1], [q + 1, q + 2, q + 3]] for q in quads]
        self.indices = np.array(up + across).reshape(-1)
        self.normals = np.tile([0.0, 0, 1], (len(self.positions), 1))
        self.texcoords = self.positions[:, :2] / 2
        joints = [HIPS if y < 1.2 else SPINE if y < 1.5 else HEAD for _, y, _ in trunk]
        for x, _, _ in arms:
            hand, arm = (LEFT_HAND, LEFT_ARM) if x > 0 else (RIGHT_HAND, RIGHT_ARM)
            joints.append(hand if abs(x) > 0.55 else arm if abs(x) > 0.15 else SPINE)
        self.joints = np.zeros((len(joints), 4), np.uint16)
        self.joints[:, 0] = joints
        self.weights = np.zeros((len(joints), 4), np.float32)
        self.weights[:, 0] = 1

    @property
    def hand(self):
        """The vertices of the left hand, fingertips first."""
        return np.flatnonzero(self.positions[:, 0] > 0.55)[::-1]

    def builder(self):
        """A builder of the document: nodes 0 to 6 are the joints, node 7 has the mesh."""
        b = Builder()
        for n, node in enumerate(self.nodes):
            children = [k for k, parent in enumerate(self.parents) if parent == n]
            named = {"name": self.names[n]} if self.names[n] is not None else {}
            b.add("nodes", **named, **node, **({"children": children} if children else {}))
        b.add("nodes", **self.body)
        b.add("scenes", nodes=[0, len(self.nodes)])
        with np.errstate(over="ignore"):
            columns = self.inverse.swapaxes(1, 2).reshape(-1, 16)
            inverse = {"inverseBindMatrices": b.accessor(columns)}
        b.add("skins", **({"joints": list(range(len(self.nodes)))} | inverse | self.skin))
        b.add("materials", **self.material)
        attributes = {
            "POSITION": b.accessor(self.positions),
            "NORMAL": b.accessor(self.normals),
            "TEXCOORD_0": b.accessor(self.texcoords),
            "JOINTS_0": b.accessor(self.joints, "uint16"),
            "WEIGHTS_0": b.accessor(self.weights),
        }
        for name, array in self.attributes.items():
            attributes[name] = b.accessor(array, np.asarray(array).dtype.name)
        row = {"indices": b.accessor(self.indices, "uint16"), "material": 0, **self.primitive}
        b.add("meshes", name="Body", primitives=[{"attributes": attributes, **row}])
        turn = [[0, 0, 0, 1], [0, 0, 0.1, 0.995]]
        b.animation((HIPS, "rotation", [0, 1], turn), name="Nod")
        for change in self.after:
            change(b)
        b.bound()
        return b


def context(*changes):
    """Return a function that builds the changed figure as a context of rules."""

    def make():
        figure = Figure()
        for change in changes:
            change(figure)
        return CheckContext(load(figure.builder().glb()))

    return make


def document_change(change):
    """Return a change of a figure that changes its document."""
    return lambda figure: figure.after.append(change)


def extra_vertices(count):
    """Return a change that appends vertices at the top of the head."""

    def change(figure):
        for name in ("positions", "normals", "texcoords", "joints", "weights"):
            array = getattr(figure, name)
            setattr(figure, name, np.concatenate((array, array[-1:].repeat(count, axis=0))))

    return change
