"""The list of differences, and what a click on a row shows."""

from rigview.differences.compare import compare
from rigview.differences.difference import Change, Difference
from rigview.session.difference_rows import NEW, OLD, rows_of
from rigview.session.go_to_difference import go_to_difference
from tests.support.character_versions import character, z_rotation
from tests.support.compared_session import compared, know_the_difference

RED = {"name": "Skin", "pbrMetallicRoughness": {"roughnessFactor": 0.25}}
ROUGH = {"name": "Skin", "pbrMetallicRoughness": {"roughnessFactor": 0.75}}


def rows_between(old, new):
    models = old.load(), new.load()
    return rows_of(compare(*models), models)


def named(rows, text):
    (found,) = [row for row in rows if row.text == text]
    return found


def test_equal_versions_have_no_rows():
    assert rows_between(character(), character()) == ()


def test_motion_names_the_worst_moment():
    rows = rows_between(character(), character(wave=(0, 120, 0)))
    assert [(row.text, row.indent) for row in rows] == [
        ("Motion", 0),
        ("Wave", 1),
        ("Arm rotation", 2),
    ]
    heading, wave, arm = rows
    assert heading.amount == "1 of 2"
    assert (wave.amount, wave.clips, wave.time) == ("1035 mm", (0, 0), 1.0)
    assert "Greatest error 1035 mm at Hand, 1.000 s" in wave.words
    assert (arm.amount, arm.clips, arm.time) == ("30°", (0, 0), 1.0)
    model = character().load()
    assert wave.selected.joint == model.skeleton.find("Hand")
    assert arm.selected.joint == model.skeleton.find("Arm")


def test_clips_are_sorted_by_their_greatest_error():
    def two_waves(first, second):
        version = character(clips=("Wave",), wave=(0, first, 0))
        keys = version.accessor([z_rotation(degrees) for degrees in (0, second, 0)])
        own = version.json["animations"][0]
        samplers = [{**own["samplers"][0], "output": keys}]
        version.json["animations"].append({**own, "name": "Wave more", "samplers": samplers})
        return version

    rows = rows_between(two_waves(90, 90), two_waves(92, 150))
    assert [row.text for row in rows if row.indent == 1] == ["Wave more", "Wave"]


def test_a_material_selects_a_part_that_uses_it():
    rows = rows_between(character(material=ROUGH), character(material=RED))
    row = named(rows, "Skin: roughness")
    assert (row.amount, row.version) == ("0.75 → 0.25", NEW)
    model = character(material=RED).load()
    assert (row.selected.joint, row.selected.primitive) == (model.instances[0].joint, 0)


def test_removed_and_added_clips_play_in_the_version_that_has_them():
    rows = rows_between(character(clips=("Wave", "Rest")), character(clips=("Wave",)))
    row = named(rows, "Rest")
    assert (row.amount, row.version, row.clips) == ("removed", OLD, (1, -1))
    rows = rows_between(character(clips=("Wave",)), character(clips=("Wave", "Rest")))
    row = named(rows, "Rest")
    assert (row.amount, row.version, row.clips) == ("added", NEW, (-1, 1))


def test_changes_are_sorted_by_kind_and_size():
    changes = (
        Change("joint", "changed", "Small", "", "rest position", 0.0, 2.0, "mm"),
        Change("joint", "renamed", "Before", "After"),
        Change("joint", "changed", "Great", "", "rest position", 0.0, 20.0, "mm"),
        Change("joint", "added", "New"),
        Change("joint", "changed", "Stored", "", "rest scale", 1.0, 2.0, stored=True),
    )
    model = character().load()
    rows = rows_of(Difference(1e-4, 0.05, changes=changes), (model, model))
    assert [(row.text, row.amount) for row in rows] == [
        ("Joints", "4"),
        ("New", "added"),
        ("Great: rest position", "20 mm"),
        ("Small: rest position", "2 mm"),
        ("Before → After", "renamed"),
    ]


def test_a_click_shows_the_worst_moment(tmp_path):
    new = character(wave=(0, 120, 0))
    session = compared(tmp_path, "wipe", character(), new)
    know_the_difference(session)
    row = named(session.comparison.rows, "Arm rotation")
    session.activate(session.open_characters[0])
    go_to_difference(session, row)
    second = session.open_characters[1]
    assert session.active is second
    assert session.selections.current.name == "Arm"
    assert [each.transport.time for each in session.open_characters] == [1.0, 1.0]
    assert not session.transport.running


def test_a_click_on_a_removed_clip_plays_it(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(clips=("Wave",)))
    know_the_difference(session)
    go_to_difference(session, named(session.comparison.rows, "Rest"))
    first, second = session.open_characters
    assert session.active is first
    assert (first.character.clip, second.character.clip) == (1, -1)
    assert session.comparison.missing == (second, "Rest")


def test_a_click_on_the_rest_pose_shows_it(tmp_path):
    new = character(rest=(0.0, 1.2, 1.0), bind=(0.0, -1.0, -2.0))
    session = compared(tmp_path, "wipe", character(), new)
    know_the_difference(session)
    row = named(session.comparison.rows, "Rest pose")
    assert row.amount == "200 mm"
    go_to_difference(session, row)
    assert [each.character.show for each in session.open_characters] == ["rest", "rest"]
