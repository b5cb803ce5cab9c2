import base64
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.resample import reduce_keys
from rigview.animation.track import Track
from rigview.gltf.accessor import Accessors
from rigview.gltf.document import open_document
from rigview.gltf.read_model import read_model
from rigview.gltf.save import NewAnimation, channel_tracks, new_animation, save
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support.gltf_documents import Builder
from tests.support.gltf_validator import validated
from tests.support.shared import MODELS, needs_shared

TIMES = [0, 0.5, 1]
WAY = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
PNG = b"\x89PNG\r\n\x1a\n" + b"pixels"
LINE = Track(
    0,
    "translation",
    "LINEAR",
    np.array([0, 1], np.float32),
    np.array([[0, 0, 0], [2, 0, 0]], np.float32),
)
TRANSLATION = {"node": 0, "path": "translation"}  # target of a channel
REAL = ["robot.glb", "Fox.glb", "CesiumMan.glb", "Woman.gltf", "SimpleMorph/SimpleMorph.gltf"]


def character():
    """Return a file with a mesh, two nodes and two animations."""
    b = Builder()
    b.add("nodes", name="A", mesh=b.mesh(), extras={"kept": 1})
    b.add("nodes", name="B")
    b.animation((0, "translation", TIMES, WAY), (1, "scale", TIMES, WAY), name="One")
    b.animation((1, "translation", TIMES, WAY), name="Two")
    return b


def opened(data):
    document = open_document(data)
    return document, read_model(document)


def saved(data, changed, more=()):
    """Save with new tracks by channel; return the document and model of the result."""
    document, _ = opened(data)
    return opened(save(document, changed, more).data)


def contents(document):
    """Return the bytes that everything except animations refers to, by reference."""
    accessors, found = Accessors(document), {}
    for m, mesh in enumerate(document.rows("meshes")):
        for p, primitive in enumerate(mesh["primitives"]):
            for group in (primitive["attributes"], *primitive.get("targets", ())):
                for name, a in group.items():
                    found[m, p, id(group), name] = accessors.raw(a).tobytes()
            if "indices" in primitive:
                found[m, p, "indices"] = accessors.raw(primitive["indices"]).tobytes()
    for s, skin in enumerate(document.rows("skins")):
        if "inverseBindMatrices" in skin:
            found["skin", s] = accessors.raw(skin["inverseBindMatrices"]).tobytes()
    for i, image in enumerate(document.rows("images")):
        if "bufferView" in image:
            found["image", i] = bytes(accessors.view(image["bufferView"]))
    return list(found.values())


# --- what changes --------------------------------------------------------------------------------


def test_channel_has_its_new_keys():
    document, model = saved(character().glb(), {(0, 0): LINE})
    track = model.clips[0].tracks[0]
    assert track.times.tolist() == [0, 1]
    assert track.values.tolist() == LINE.values.tolist()
    assert not document.warnings


@pytest.mark.parametrize("width", [3, 4, 0])
@pytest.mark.parametrize("how", ["STEP", "LINEAR", "CUBICSPLINE"])
def test_every_kind_of_track_is_preserved_exactly(width, how, rng):
    b = Builder()
    lift = [{"POSITION": b.accessor(WAY)} for _ in range(2)]
    b.add("nodes", mesh=b.mesh(targets=lift))
    path = {3: "translation", 4: "rotation", 0: "weights"}[width]
    b.animation((0, path, [0, 1], np.ones((2, width or 2)) / 2))
    values = rng.normal(size=(5, width or 2)).astype(np.float32)
    if width == 4 and how != "CUBICSPLINE":
        values = np.eye(4, dtype=np.float32)[[0, 1, 2, 3, 0]]
    tangents = rng.normal(size=(5, 2, width or 2)).astype(np.float32)
    track = Track(
        0,
        "values" if path == "weights" else path,
        how,
        np.arange(5, dtype=np.float32) / 3,
        values,
        tangents if how == "CUBICSPLINE" else None,
    )
    _, model = saved(b.glb(), {(0, 0): track})
    out = model.clips[0].tracks[0]
    assert out.interpolation == how
    assert np.array_equal(out.times, track.times)
    assert np.array_equal(out.values, track.values)
    if how == "CUBICSPLINE":
        assert np.array_equal(out.tangents, track.tangents)


def test_times_have_min_and_max():
    document, _ = saved(character().glb(), {(0, 0): LINE})
    animation = document.rows("animations")[0]
    index = animation["samplers"][animation["channels"][0]["sampler"]]["input"]
    row = document.rows("accessors")[index]
    assert (row["min"], row["max"]) == ([0.0], [1.0])


def test_equal_samplers_are_shared():
    document, _ = saved(character().glb(), {(0, 0): LINE, (0, 1): replace(LINE, path="scale")})
    assert len(document.rows("animations")[0]["samplers"]) == 1


def test_other_sampler_properties_are_kept():
    b = character()
    b.json["animations"][0]["samplers"][0]["extras"] = {"by": "hand"}
    b.json["animations"][0]["samplers"][0]["interpolation"] = "STEP"
    document, _ = saved(b.glb(), {(0, 0): LINE})
    sampler = document.rows("animations")[0]["samplers"][-1]
    assert sampler["extras"] == {"by": "hand"}
    assert "interpolation" not in sampler


def test_added_animation():
    _, before = opened(character().glb())
    more = new_animation(before, "Three", [replace(LINE, target=1)])
    assert more == NewAnimation("Three", [(TRANSLATION | {"node": 1}, more.channels[0][1])])
    _, model = saved(character().glb(), {}, [more])
    assert [clip.name for clip in model.clips] == ["One", "Two", "Three"]
    assert model.clips[2].tracks[0].target == 1


def test_animation_added_to_a_file_without_one():
    b = Builder()
    b.add("nodes", name="A")
    _, model = saved(b.glb(), {}, [NewAnimation("New", [(TRANSLATION, LINE)])])
    assert model.clips[0].tracks[0].values.tolist() == LINE.values.tolist()


# --- what stays ----------------------------------------------------------------------------------


def test_everything_else_is_preserved():
    data = character().glb()
    before, _ = opened(data)
    after, model = saved(data, {(0, 0): LINE})
    for key in ("asset", "nodes"):
        assert after.json[key] == before.json[key]
    assert contents(after) == contents(before)
    assert model.clips[0].tracks[1].values.tolist() == WAY
    assert model.clips[1].tracks[0].values.tolist() == WAY


def test_old_keys_are_removed():
    b = character()
    everything = {(0, 0): LINE, (0, 1): replace(LINE, path="scale"), (1, 0): LINE}
    document, _ = saved(b.glb(), everything)
    assert len(document.rows("accessors")) == 3  # positions, times and values
    assert len(document.rows("bufferViews")) == 2
    assert document.rows("buffers")[0]["byteLength"] == 3 * 12 + 2 * 4 + 2 * 12


def test_keys_in_a_shared_view_are_removed():
    b = Builder()
    b.add("nodes", mesh=b.mesh(), name="A")
    packed = np.concatenate([np.array(TIMES), np.ravel(WAY), np.ravel(WAY) + 1])
    view = b.view(packed.astype(np.float32).tobytes())
    rows = [(0, "SCALAR"), (12, "VEC3"), (48, "VEC3")]
    at = [
        b.add("accessors", bufferView=view, byteOffset=o, componentType=5126, count=3, type=kind)
        for o, kind in rows
    ]
    samplers = [{"input": at[0], "output": at[k]} for k in (1, 2)]
    channels = [
        {"sampler": k, "target": {"node": 0, "path": path}}
        for k, path in enumerate(("translation", "scale"))
    ]
    b.add("animations", samplers=samplers, channels=channels)
    document, model = saved(b.glb(), {(0, 0): LINE})
    kept, changed = (
        next(t for t in model.clips[0].tracks if t.path == path)
        for path in ("scale", "translation")
    )
    assert kept.values.tolist() == (np.array(WAY) + 1).tolist()
    assert changed.values.tolist() == LINE.values.tolist()
    assert document.rows("bufferViews")[1]["byteLength"] == 12 + 36


def test_keys_that_a_mesh_also_uses_are_kept():
    b = character()
    b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 2
    before, _ = opened(b.glb())
    assert b.json["animations"][0]["samplers"][0]["output"] == 2
    after, _ = saved(b.glb(), {(0, 0): LINE})
    assert contents(after) == contents(before)


def test_sparse_and_quantized_keys_are_kept():
    b = character()
    indices = b.view(np.array([1], np.uint16).tobytes())
    b.json["accessors"][2]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": indices, "componentType": 5123},
        "values": {"bufferView": b.view(np.full(3, 9, np.float32).tobytes())},
    }
    small = b.accessor(np.array([[0, 0, 0, 127]] * 3), "int8", normalized=True)
    b.json["animations"][1]["samplers"][0]["output"] = small
    b.json["animations"][1]["channels"][0]["target"]["path"] = "rotation"
    before, old = opened(b.glb())
    after, new = saved(b.glb(), {(0, 1): replace(LINE, path="scale")})
    assert np.array_equal(new.clips[0].tracks[0].values, old.clips[0].tracks[0].values)
    assert new.clips[0].tracks[0].values[1].tolist() == [9, 9, 9]
    assert np.array_equal(new.clips[1].tracks[0].values, old.clips[1].tracks[0].values)
    assert contents(after) == contents(before)


def test_unknown_extension_keeps_all_indices():
    b = character()
    b.json |= {"extensionsUsed": ["XYZ_by_number"], "extensions": {"XYZ_by_number": {"of": 2}}}
    before, _ = opened(b.glb())
    document, model = saved(b.glb(), {(0, 0): LINE})
    count = len(before.rows("accessors"))
    assert document.rows("accessors")[:count] == before.rows("accessors")
    views = len(before.rows("bufferViews"))
    assert document.rows("bufferViews")[:views] == before.rows("bufferViews")
    assert model.clips[0].tracks[0].times.tolist() == [0, 1]
    old, _ = opened(b.glb())
    save(old, {(0, 0): LINE})
    assert "XYZ_by_number" in old.warnings[-1]


@pytest.mark.parametrize("extensions", [1.5, "x", ["EXT_x"], True])
def test_extensions_that_are_no_object_are_kept(extensions):
    """In objects whose extensions the loader does not read."""
    b = character()
    b.json["animations"][0]["channels"][0]["target"]["extensions"] = extensions
    document, _ = saved(b.glb(), {(0, 1): LINE})
    target = document.rows("animations")[0]["channels"][0]["target"]
    assert target["extensions"] == extensions


def test_pointer_channels_are_kept():
    b = character()
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/x"}}}
    animation = b.json["animations"][0]
    animation["channels"].append({"sampler": 1, "target": target})
    b.json["extensionsUsed"] = ["KHR_animation_pointer"]
    before, model = opened(b.glb())
    places = channel_tracks(before, model)
    assert sorted(places) == [(0, 0), (0, 1), (1, 0)]
    document, _ = saved(b.glb(), {(0, 0): LINE, (0, 1): replace(LINE, path="scale")})
    channel = document.rows("animations")[0]["channels"][2]
    sampler = document.rows("animations")[0]["samplers"][channel["sampler"]]
    assert channel["target"] == target
    assert Accessors(document).raw(sampler["output"]).tolist() == WAY


def test_last_of_two_channels_with_one_target_is_the_track():
    b = character()
    animation = b.json["animations"][0]
    animation["channels"].append(animation["channels"][0] | {"sampler": 1})
    document, model = opened(b.glb())
    assert (0, 0) not in channel_tracks(document, model)
    assert (0, 2) in channel_tracks(document, model)


# --- buffers and images --------------------------------------------------------------------------


def test_buffers_and_images_are_embedded(tmp_path):
    b = character()
    b.json["images"] = [
        {"uri": "picture.png", "name": "file"},
        {"uri": "data:image/png;base64," + base64.b64encode(PNG).decode()},
        {"uri": "missing.png"},
    ]
    second = np.arange(6, dtype=np.float32)
    view = b.add("bufferViews", buffer=1, byteLength=24)
    b.add("accessors", bufferView=view, componentType=5126, count=2, type="VEC3")
    document = b.document
    document["buffers"] = [
        {"byteLength": len(b.blob), "uri": "one.bin"},
        {"byteLength": 24, "uri": "two.bin"},
    ]
    (tmp_path / "one.bin").write_bytes(b.blob)
    (tmp_path / "two.bin").write_bytes(second.tobytes())
    (tmp_path / "picture.png").write_bytes(PNG)
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(document))
    source = open_document(path)
    read_model(source)
    out = save(source, {(0, 0): LINE})
    assert out.before == path.stat().st_size + len(b.blob) + 24 + len(PNG)
    after, _ = opened(out.data)
    images = after.rows("images")
    accessors = Accessors(after)
    for image in images[:2]:
        assert image["mimeType"] == "image/png"
        assert bytes(accessors.view(image["bufferView"])) == PNG
    assert images[2] == {"uri": "missing.png"}
    assert "missing.png" in source.warnings[-1]
    assert len(after.rows("buffers")) == 1
    # found by its index, because nothing refers to it
    assert accessors.raw(len(after.rows("accessors")) - 3).ravel().tolist() == second.tolist()


def test_empty_file():
    out = save(open_document(Builder().glb()), {})
    assert json.loads(bytes(out.data[20:])) == {"asset": {"version": "2.0"}}


# --- real files ----------------------------------------------------------------------------------


def every(path):
    """Return a file saved with reduced keys in all tracks."""
    document = open_document(path)
    model = read_model(document)
    new = {}
    for clip in model.clips:
        scales = [np.ones(track.values.shape[1]) for track in clip.tracks]
        thinned = reduce_keys(clip, [1e-3] * len(clip.tracks), scales)
        new |= {id(old): track for old, track in zip(clip.tracks, thinned.tracks, strict=True)}
    places = channel_tracks(document, model)
    assert len(places) == sum(len(clip.tracks) for clip in model.clips)
    return document, save(document, {place: new[id(old)] for place, old in places.items()})


@needs_shared
@pytest.mark.parametrize("name", REAL)
def test_real_file_preserves_its_content(name):
    document, out = every(MODELS / name)
    after, model = opened(out.data)
    before = load(MODELS / name)
    assert contents(after) == contents(open_document(MODELS / name))
    assert after.json["nodes"] == document.json["nodes"]
    assert [clip.name for clip in model.clips] == [clip.name for clip in before.clips]
    assert len(out.data) < out.before


def files():
    found = sorted(MODELS.rglob("*.gl*")) if MODELS.is_dir() else []
    return [asset_path("mannequin.glb"), *found]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_validator_finds_no_new_errors(path, tmp_path):
    out = tmp_path / "out.glb"
    out.write_bytes(every(path)[1].data)
    before, after = validated(path, out)
    assert codes(after) == codes(before)


def codes(issues):
    """Return the numbers of errors and warnings by code."""
    return Counter(issue.code for issue in issues if issue.severity in ("error", "warning"))


@pytest.mark.parametrize("depth", [500, 700])
def test_deeply_nested_extras_are_kept(depth):
    text = character().gltf().decode()
    text = text[:-1] + ', "extras": ' + '{"a": ' * depth + "1" + "}" * depth + "}"
    saved = save(open_document(text.encode()), {})
    extras = open_document(saved.data).json["extras"]
    for _ in range(depth):
        extras = extras["a"]
    assert extras == 1


def test_half_a_surrogate_pair_in_a_name_is_kept():
    text = character().gltf().decode().replace('"A"', '"A\\ud800é"')
    saved = save(open_document(text.encode()), {})
    assert open_document(saved.data).json["nodes"][0]["name"] == "A\ud800é"
