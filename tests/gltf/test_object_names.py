import pytest

from rigview.checks.check_context import CheckContext
from rigview.errors import GltfError
from rigview.gltf.object_names import described_place, unique_names
from rigview.loading.load import load
from rigview.wording import printable
from tests.support.rule_case import findings_of
from tests.support.rule_figure import Figure
from tests.support.validator_faults import FAULTS, file


def rows(*names):
    return [{"name": name} if name is not None else {} for name in names]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), ()),
        (("Hips", "Head"), ("Hips", "Head")),
        ((None, "Head", ""), ("Joint 0", "Head", "Joint 2")),
        (("Walk", "Walk", "Walk"), ("Walk", "Walk #2", "Walk #3")),
        (("Walk", "Walk #2", "Walk"), ("Walk", "Walk #2", "Walk #3")),
        (("Walk", "Walk", "Walk #2"), ("Walk", "Walk #3", "Walk #2")),
        (("Joint 1", None), ("Joint 1", "Joint 1 #2")),
        (("頭\u3000", "a\nb\ud800"), ("頭\u3000", "a\ufffdb\ufffd")),
    ],
)
def test_names_are_unique_and_stable(given, named):
    assert unique_names(rows(*given), "Joint") == named


def test_preferred_indices_keep_their_name():
    assert unique_names(rows("Head", "Head", "Foot"), "Joint", preferred=[1]) == (
        "Head #2",
        "Head",
        "Foot",
    )


def test_many_equal_names_take_no_quadratic_time():
    assert len(set(unique_names(rows(*["x"] * 50_000), "Joint"))) == 50_000


def test_printable_is_one_line_of_utf8():
    text = printable("a\r\nb\x1b[31m\udcff")
    assert text.encode()
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("skin-few-matrices", "skin “Figure”: 3 matrices for 7 joints"),
        ("joint-out-of-range", "mesh “Body”: joint 9 is out of range: the skin has 7 joints"),
        ("sparse-range", "mesh “Body”: index 300 is out of range: the accessor has 72 elements"),
        ("clip-few-values", "“Head” translation in “Nod”: 2 values, but the key times need 3"),
        ("clip-times-nan", "“Head” translation in “Nod”: the time of key 2 is not a number"),
        ("clip-values-nan", "10: key 1 of “Head” translation in “Nod” is not a number"),
    ],
)
def test_errors_name_the_object(fault, message):
    with pytest.raises(GltfError) as caught:
        load(file(FAULTS[fault]).glb())
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("", ""),
        ("/asset/version", ""),
        ("/materials/0/alphaCutoff", "material “Cloth”"),
        ("/nodes/2/rotation", "node “Head”"),
        ("/animations/0", "animation “Nod”"),
        ("/animations/0/channels/0/target", "“Hips” rotation in “Nod”"),
        ("/animations/0/channels/9/target", ""),
        ("/accessors/0", "skin “Figure”"),
        ("/accessors/8/count", "“Hips” rotation in “Nod”"),
        ("/accessors/99", ""),
        ("/bufferViews/0", ""),
        ("/nodes/99", ""),
    ],
)
def test_places_have_names(place, expected):
    assert described_place(Figure().builder().json, place) == expected


def test_missing_image_is_named_once():
    b = Figure().builder()
    b.add("images", name="Skin", uri="skin.png")
    b.add("textures", source=0)
    b.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
    (finding,) = findings_of(CheckContext(load(b.glb())), "texture-missing")
    assert finding.message.count("“Skin”") == 1


def test_objects_without_names_have_none():
    b = Figure().builder()
    del b.json["animations"][0]["name"]
    assert described_place(b.json, "/animations/0/samplers/0") == "“Hips” rotation in animation 0"
    del b.json["nodes"][0]["name"]
    assert described_place(b.json, "/animations/0/samplers/0") == ""


@pytest.mark.parametrize("key", ["meshes", "nodes", "animations", "skins"])
@pytest.mark.parametrize("wrong", [None, 3, "x", [], [3], {}, [{}], [{"name": 3}]])
def test_invalid_documents_have_no_names(key, wrong):
    json = Figure().builder().json | {key: wrong}
    for place in (f"/{key}/0", "/accessors/8", "/animations/0/samplers/0/input"):
        assert isinstance(described_place(json, place), str)
        assert len(described_place(json, place)) < 200
