"""Small models for tests that draw, and in a session."""

from dataclasses import replace

import numpy as np

from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.skeleton import Skeleton
from rigview.animation.skin import Skin
from rigview.animation.track import Track
from rigview.loading.read_character import CharacterFile
from rigview.model.material import Material
from rigview.model.model import Channel, Facts, Image, Mesh, MeshInstance, Model, Primitive
from rigview.session import character_files

ROD_JOINTS = 4
RING = 8


def make_model(primitives, parents=(-1,), *, translations=None, **fields):
    """A model with one mesh on joint 0; `fields` as in Model."""
    count = len(parents)
    rest = Pose(
        np.zeros((count, 3), np.float32),
        np.tile(np.array([0, 0, 0, 1], np.float32), (count, 1)),
        np.ones((count, 3), np.float32),
        np.zeros(0, np.float32),
    )
    if translations is not None:
        rest.translation[:] = translations
    skeleton = Skeleton(
        tuple(f"Joint {k}" for k in range(count)),
        np.array(parents, np.int32),
        np.arange(count, dtype=np.int32),
        rest,
    )
    given = {
        "name": "built",
        "path": None,
        "skeleton": skeleton,
        "channels": (),
        "meshes": (Mesh("Mesh 0", tuple(primitives)),),
        "instances": (MeshInstance(0, 0, -1, -1, True),),
        "materials": (),
        "images": (),
        "skins": (),
        "clips": (),
        "cameras": (),
        "facts": Facts(),
        "scene_joints": np.arange(count, dtype=np.int32),
    }
    return Model(**(given | fields))


def show_model(session, model):
    """Show a model that has no file in place of all characters, with its first clip."""
    character_files.open_files(session, (), found=[CharacterFile(None, model)])


def make_primitive(positions, indices=None, **fields):
    """A primitive of triangles, by default with positions only; `fields` as in Primitive."""
    given = {
        "topology": "triangles",
        "positions": np.asarray(positions, np.float32),
        "normals": None,
        "tangents": None,
        "texcoords": (),
        "colors": None,
        "joints": None,
        "weights": None,
        "indices": None if indices is None else np.asarray(indices, np.uint32),
        "material": -1,
        "morph": None,
    }
    return Primitive(**(given | fields))


def square(size=1.0, z=0.0, **fields):
    """A square that faces +Z, with texture coordinates (0, 0) at the top left, as in glTF."""
    half = size / 2
    corners = [[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z]]
    uv = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
    given = {"normals": normals, "texcoords": (uv,)}
    return make_primitive(corners, [0, 1, 2, 0, 2, 3], **(given | fields))


def square_model(material=None, image=None, **fields):
    """A square with one material and one image [H, W, 4]."""
    images = () if image is None else (Image("picture", lambda: np.asarray(image, np.uint8)),)
    primitive = square(material=-1 if material is None else 0, **fields)
    materials = (material,) if isinstance(material, Material) else ()
    return make_model([primitive], materials=materials, images=images)


def rod_model(influences=4):
    """A rod along +Y, skinned to joints 1 to 3, with a clip that bends them."""
    heights = np.linspace(0, 3, 13)
    angles = np.arange(RING) * (2 * np.pi / RING)
    ring = np.stack([np.cos(angles), np.zeros(RING), -np.sin(angles)], axis=1) * 0.2
    positions = (ring[None] + heights[:, None, None] * [0, 1, 0]).reshape(-1, 3)
    k = np.arange(len(heights) - 1)[:, None] * RING + np.arange(RING)
    right = k - np.arange(RING) + (np.arange(RING) + 1) % RING
    quads = np.stack([k, right, right + RING, k, right + RING, k + RING], axis=-1)
    along = np.clip(positions[:, 1], 0, 2.999)
    lower = along.astype(int).clip(0, 2)
    share = np.clip(along - lower - 0.5, 0, 1)
    upper = np.minimum(lower + 1, 2)
    joints = np.zeros((len(positions), influences), np.uint16)
    weights = np.zeros((len(positions), influences), np.float32)
    joints[:, 0], joints[:, 1] = lower, upper
    weights[:, 0], weights[:, 1] = 1 - share, share
    primitive = make_primitive(positions, quads.reshape(-1), joints=joints, weights=weights)
    parents = (-1, -1, 1, 2)
    translations = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 1, 0]], np.float32)
    inverse_bind = np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))
    inverse_bind[:, 1, 3] = [0, -1, -2]
    bend = np.array([[0, 0, 0, 1], [0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]], np.float32)
    times = np.array([0, 1], np.float32)
    tracks = [Track(j, "rotation", "LINEAR", times, bend, None) for j in (1, 2, 3)]
    return make_model(
        [primitive],
        parents,
        translations=translations,
        instances=(MeshInstance(0, 0, 0, -1, True),),
        skins=(Skin("Skin 0", np.array([1, 2, 3], np.int32), inverse_bind),),
        clips=(Clip.of("Bend", tracks),),
    )


def morph_model(count=2):
    """A square with morph weights; a clip moves each one in turn from 0 to 1."""
    channel = Channel("/nodes/0/weights", 0, count, "linear", 0, np.zeros(count, np.float32))
    model = make_model([square()], channels=(channel,))
    still = model.skeleton.rest
    rest = Pose(still.translation, still.rotation, still.scale, np.zeros(count, np.float32))
    times = np.linspace(0, 1, count, dtype=np.float32)
    track = Track(0, "values", "LINEAR", times, np.eye(count, dtype=np.float32))
    return replace(
        model,
        skeleton=replace(model.skeleton, rest=rest),
        instances=(replace(model.instances[0], channel=0),),
        clips=(Clip.of("Morph", [track]),),
    )
