"""Differences of extras and of the data of unknown extensions."""

from rigview.differences.compare import compare
from tests.support.character_versions import character


def test_extras():
    a, b = character(), character()
    a.json["scenes"][0]["extras"] = {"author": "Ann", "tags": [1, 2]}
    b.json["scenes"][0]["extras"] = {"tags": [1, 2], "x" * 3: "y" * 200}
    b.json["asset"]["extras"] = "exported today"
    found = compare(a.load(), b.load()).changes
    assert [(c.name, c.field, c.before, c.after) for c in found if not c.stored] == [
        ("scene", "extras, author", '"Ann"', "none"),
        ("scene", "extras, xxx", "none", '"' + "y" * 59 + "…"),
    ]
    assert [(c.name, c.field) for c in found if c.stored and c.name == "asset"] == [
        ("asset", "extras")
    ]


def sprung(stiffness, **settings):
    """The character with data of an extension that Rigview does not know."""
    b = character(**settings)
    b.json["extensionsUsed"] = ["VRMC_springBone"]
    joints = [{"node": 2, "stiffness": stiffness}]
    b.json["extensions"] = {"VRMC_springBone": {"springs": [{"name": "Hair", "joints": joints}]}}
    return b


def test_unknown_extensions():
    found = compare(sprung(1.0).load(), sprung(0.5).load()).changes
    (change,) = (c for c in found if not c.stored)
    assert change.field == "VRMC_springBone, springs.0.joints.0.stiffness"
    assert (change.name, change.before, change.after) == ("file", "1.0", "0.5")


def test_indices_in_unknown_extensions_do_not_count():
    b = sprung(1.0, order=(0, 2, 1, 3))
    b.json["extensions"]["VRMC_springBone"]["springs"][0]["joints"][0]["node"] = 1
    found = compare(sprung(1.0).load(), b.load())
    assert found.same
    assert [c.field for c in found.changes] == ["VRMC_springBone, springs.0.joints.0.node"]


def test_a_new_unknown_extension_is_one_change():
    found = compare(character().load(), sprung(1.0).load()).changes
    assert [(c.what, c.name) for c in found if not c.stored] == [("added", "VRMC_springBone")]


def test_extras_nested_deeply():
    a, b = character(), character()
    for each, value in ((a, 1), (b, 2)):
        for _ in range(300):
            value = {"in": value}
        each.json["nodes"][0]["extras"] = value
    (change,) = compare(a.load(), b.load()).changes
    assert (change.name, change.field) == ("Root", "extras, " + ".".join(["in"] * 8))


def test_long_values_are_shown_where_they_differ():
    a, b = character(), character()
    for each, last in ((a, "x"), (b, "y")):
        each.json["nodes"][0]["extras"] = {"notes": "abc" * 100 + last}
    (change,) = compare(a.load(), b.load()).changes
    assert (change.before[0], change.before[-2:], change.after[-2:]) == ("…", 'x"', 'y"')


def test_very_many_extras_are_one_value(monkeypatch):
    monkeypatch.setattr("rigview.gltf.extras._MOST", 5)
    a, b = character(), character()
    for each, last in ((a, 0), (b, 1)):
        each.json["nodes"][0]["extras"] = {str(k): k for k in range(9)} | {"a": last}
    (change,) = (c for c in compare(a.load(), b.load()).changes if not c.stored)
    assert (change.name, change.field) == ("Root", "extras")
