"""Records of pictures, drawn at random over all fields, survive every way in and out."""

import pickle
from dataclasses import fields, replace

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rigview.fields.option import parts, replaced, rows, value_at, walk
from rigview.motion.document import LayerSettings, MotionDoc, Parameter
from rigview.options.command_options import Options
from rigview.options.config_file import read_values
from rigview.options.parser import parse
from rigview.options.python_call import options_from_python
from rigview.options.table import ROWS
from rigview.options.without_effect import without_effect
from rigview.options.write_options import as_arguments, changed_options, left_out
from rigview.scenedoc.scene_doc import Crowd, SceneDoc
from rigview.scenedoc.shown import Motion, Shown
from rigview.tomlfile.format import line

COMMAND = "render"
NAMES = ("Walk", "Run*", "#3", "left arm", "-x", "a,b", 'say "x"', "größer")
TEXTS = {  # examples of values, by option
    "active": ("1",),
    "animation": NAMES,
    "anims": ("b.glb", "-c.bvh"),
    "at": ("1:set:x=2", "0.5:fade:base=Run,0.3", "2:speed:base=-1"),
    "background": ("white", "#12345678", "red,blue"),
    "camera": NAMES,
    "camera-azimuth": ("-30.5", "0"),
    "camera-elevation": ("12.25", "-3"),
    "camera-fov": ("30", "44.999"),
    "camera-position": ("1,2,-3.5", "0,0.1,1e-3"),
    "camera-target": ("-1,0,0", "0,1.25,0"),
    "crowd": ("2x3", "5"),
    "environment": ("sky.hdr", "-far/sky.exr"),
    "environment-blur": ("0.25", "0"),
    "environment-rotation": ("-30.5", "90"),
    "exposure": ("-0.5", "2"),
    "frame-rate": ("24", "29.97"),
    "hide-joints": ("Hips", "Hips,!Arm"),
    "hide-mesh": ("Body", "Body/1,#4"),
    "light-azimuth": ("60", "-10"),
    "light-elevation": ("5", "-1.5"),
    "light-rim": ("0", "1.75"),
    "loop": ("once", "loop", "pingpong:3", "4"),
    "motion": ("m.toml", "-m.toml"),
    "onion-skins": ("2", "0"),
    "onion-step": ("5", "1"),
    "resolution": ("64x48", "1920,1080"),
    "samples": ("1", "8"),
    "select": ("Hips", "mesh:Body/1", "vertex:Body/0/7"),
    "set": ("x=1", "look_at=[0,1,2]", "morph:Smile=0.5"),
    "speed": ("-2", "0.25"),
    "attach": ("sword.glb=RightHand",),
    "offset": ("-0.5", "1.25"),
    "time": ("0.25", "-1.5", "0,1", "0..1.5", "-1..0:0.25"),
    "variant": NAMES,
    "weights": ("Hips", "#2"),
    "wipe": ("0.3", "1"),
}
DOCUMENT = MotionDoc(
    layers=(LayerSettings("base", "Walk", weight=0.5),), parameters={"x": Parameter(1.0)}
)


def values_of(option):
    """A strategy of the values of a field; None and the default included."""
    if option.numbered or not option.metavar:
        return st.sampled_from([True, False] if option.numbered else [option.default, True, False])
    if option.choices:
        return st.sampled_from([option.default, *option.choices])
    known = [option.read(text) for text in TEXTS[option.name]]
    if option.repeat:
        return st.lists(st.sampled_from(known), max_size=2, unique_by=id).map(tuple)
    return st.sampled_from([option.default, *known])


def records(kind):
    """A strategy of records of a kind, with all fields that options of `render` can say."""
    values = {row.attribute: values_of(row) for row in rows(kind) if COMMAND in row.commands}
    values |= {name: records(inner) for name, inner in parts(kind).items()}
    return st.builds(lambda **found: kind(**found), **values)


@st.composite
def scenes(draw):
    shown = draw(st.lists(records(Shown), min_size=1, max_size=3))
    count = len(shown)
    characters = tuple(replace(each, file=f"{k}.glb") for k, each in enumerate(shown))
    scene = replace(draw(records(SceneDoc)), characters=characters)
    scene = replace(scene, active=draw(st.integers(1, count)))
    if count < 2:
        scene = replace(scene, comparison=replace(scene.comparison, mode=None))
    if scene.crowd.size is None or count > 1:
        return replace(scene, crowd=Crowd())
    clips = draw(st.sampled_from([(), ("Walk", "Run"), ("Walk", None, "Run")]))
    first = replace(scene.characters[0], clip=clips[0] if clips else scene.characters[0].clip)
    return replace(scene, crowd=replace(scene.crowd, clips=clips), characters=(first,))


def with_effect(options):
    """Options with the defaults of what has no effect beside the others."""
    useless = without_effect(COMMAND, options)
    for row in ROWS:
        option = row.option
        if option.name not in useless or COMMAND not in option.commands:
            continue
        default = False if option.numbered else option.default_for(COMMAND)
        if row.of_character:
            reset = (replaced(each, row.path, default) for each in options.scene.characters)
            scene = replace(options.scene, characters=tuple(reset))
            options = replace(options, scene=scene)
        else:
            options = replaced(options, row.path, default)
    return options


def shown_options(scene):
    return Options(files=tuple(each.file for each in scene.characters), scene=scene)


def visible(options):
    """The record with what is seen: of hidden characters only that they are hidden."""

    def seen(shown):
        return Shown(hidden=True) if shown.hidden else shown

    scene = with_effect(options).scene
    return replace(scene, characters=tuple(map(seen, scene.characters)))


def expressible(scene):
    return not left_out(COMMAND, shown_options(scene))


def test_every_option_of_a_record_has_examples():
    own = [*walk(SceneDoc), *walk(Shown)]
    texts = {row.name for *_, row in own if row.metavar and not row.choices and not row.numbered}
    assert texts == {*TEXTS}


@settings(max_examples=150, phases=[Phase.generate])
@given(scenes())
def test_arguments(scene):
    options = shown_options(scene)
    written = [*as_arguments(COMMAND, options)]
    back = parse(COMMAND, [*options.files, *written, "-o", "x.png", "--quiet"])
    same = visible(back) == visible(options)
    assert same == expressible(scene)


@settings(max_examples=150, phases=[Phase.generate])
@given(scenes())
def test_python(scene):
    options = shown_options(scene)
    values = {
        row.key: [row.plain(each) for each in value]
        if isinstance(value, list)
        else row.plain(value)
        for row, value in changed_options(COMMAND, options)
    }
    back = options_from_python(COMMAND, list(options.files), values)
    same = visible(back) == visible(options)
    assert same == expressible(scene)


@settings(max_examples=150, phases=[Phase.generate])
@given(scene=scenes())
def test_configuration_file(tmp_path_factory, scene):
    """A configuration file has one value for all files."""
    scene = replace(scene, characters=scene.characters[:1], active=1)
    scene = replace(scene, comparison=replace(scene.comparison, mode=None))
    scene = replace(scene, crowd=replace(scene.crowd, clips=()))
    options = shown_options(scene)
    path = tmp_path_factory.getbasetemp() / "config.toml"
    path.write_text("".join(toml_lines(options)), encoding="utf-8")
    values = read_values(COMMAND, str(path), [])
    back = parse(COMMAND, [*options.files, "-o", "x.png", "--quiet"], values)
    same = visible(back) == visible(options)
    assert same == expressible(scene), path.read_text(encoding="utf-8")


def toml_lines(options):
    for option, value in changed_options(COMMAND, options):
        plain = [*map(option.plain, value)] if isinstance(value, list) else option.plain(value)
        yield line(option.name, list(plain) if isinstance(plain, tuple) else plain)


@settings(max_examples=150, phases=[Phase.generate])
@given(scenes(), st.booleans())
def test_pickle(scene, edited):
    if edited:
        motion = replace(scene.character.motion, document=DOCUMENT)
        scene = scene.with_character(motion=motion)
    assert pickle.loads(pickle.dumps(scene)) == scene


def test_most_records_can_be_expressed():
    """The property of the arguments is not empty."""
    found = []

    @settings(max_examples=100, phases=[Phase.generate])
    @given(scenes())
    def count(scene):
        found.append(expressible(scene))

    count()
    assert sum(found) > len(found) / 3


def test_each_field_is_an_option_or_is_named_when_it_is_left_out():
    plain = {"characters", "clips", "file"}  # written with the files and --animation
    for kind in (SceneDoc, Shown, Motion, Crowd):
        named = {row.attribute for row in rows(kind)} | {*parts(kind)} | plain
        for own in fields(kind):
            assert own.name in named or own.metadata.get("label"), own.name


def test_what_cannot_be_written_is_said():
    scene = SceneDoc(characters=(Shown(file="a.glb"), Shown(file="b.glb", trim=True)))
    assert left_out(COMMAND, shown_options(scene)) == ["trim settings of several characters"]
    edited = Shown(file="a.glb", motion=Motion(document=DOCUMENT))
    alone = SceneDoc(characters=(edited,))
    assert left_out(COMMAND, shown_options(alone)) == ["unsaved changes of the motion"]
    hidden = SceneDoc(characters=(Shown(file="b.glb"), replace(edited, hidden=True)))
    assert left_out(COMMAND, shown_options(hidden)) == []


def test_values_by_path():
    scene = SceneDoc()
    assert value_at(scene, ("look", "shading", "exposure")) == 0.0
    brighter = replaced(scene, ("look", "shading", "exposure"), 1.0)
    assert brighter.look.shading.exposure == 1.0
    assert brighter.camera is scene.camera
