"""Options without effect: each gets a warning, which is true, and copied commands lack them."""

import pytest

from rigview.options.parser import parse
from rigview.options.python_call import options_from_python
from rigview.options.table import options_by_name
from rigview.options.without_effect import RULES, without_effect
from rigview.options.write_options import as_arguments
from rigview.tasks.still_pictures import StillRenderer

# By command and arguments: the options in them that have no effect.
CASES = [
    ("render", "--motion a.toml --no-motion", "motion"),
    ("bake", "--speed 2 --time 0..1 --trim", "speed time trim"),
    ("info", "--force", "force"),
    ("render", "--ortho --camera-fov 30", "camera-fov"),
    ("sheet", "--ortho --camera-fov 30", "camera-fov"),
    ("render", "--fit rest --camera-position 1,2,3 --camera-target 0,1,0", "fit"),
    ("render", "--fit rest --camera Eye", "fit"),
    ("render", "--fit rest --crowd 5", "fit"),
    ("render", "--pose rest --time 1", "time"),
    ("render", "--pose bind --speed 2 --offset 0.3 --animation Walk", "speed offset animation"),
    ("render", "--pose rest --loop 3", "loop"),
    ("render", "--exact --frame-rate 12 --time 0.5", "exact frame-rate"),
    ("render", "--camera-follow selection", "camera-follow"),
    ("sheet", "--camera-follow selection --camera-target 0,1,0", "camera-follow"),
    ("render", "--phase 0.5 --speed 2 --loop once", "speed loop"),
    ("pose", "--key 2 --speed 2 --trim", "speed trim"),
    ("pose", "--hold --key-rotation nlerp", "key-rotation"),
    ("render", "--weights Tip --view-mode normals", "view-mode"),
    ("render", "--view-mode uv --occlusion --light-rim 0.2", "occlusion light-rim"),
    ("render", "--view-mode normals --exposure 1", "exposure"),
    ("render", "--weights Tip --tone-mapping none", "tone-mapping"),
    ("render", "--tone-mapping none --exposure 1", "exposure"),
    ("render", "--tone-mapping none --exposure 1 -o out.exr", "tone-mapping"),
    ("sheet", "--scale sheet --camera-target 0,1,0", "scale"),
    ("render", "--light none --light-azimuth 60 --shadow", "light-azimuth shadow"),
    ("render", "--bones lines", "bones"),
    ("render", "--onion-step 5", "onion-step"),
    ("render", "--overlay-depth --grid", "overlay-depth"),
    ("render", "a.glb b.glb --compare wipe --hide 1", "hide"),
    ("render", "a.glb b.glb --compare error --wipe 0.2", "wipe"),
    ("render", "--same-size", "same-size"),
    ("check", "--threshold-mm 2", "threshold-mm"),
    ("check", "--joins --fail-on never", "fail-on"),
    ("check", "--rules --baseline known.json", "baseline"),
    ("curves", "--joint Tip --space speed --rotation quaternion", "rotation"),
    ("sheet", "--dask tcp://farm:8786 --jobs 2", "jobs"),
    ("diff", "a.glb b.glb --view right --skeleton --bones lines", "view skeleton bones"),
]
WRITING = ("bake", "render", "sheet", "turntable", "report", "curves")


def parsed(command, text, defaults=None):
    output = ["-o", "out.png"] if command in WRITING and " -o " not in text else []
    return parse(command, [*text.split(), *output], defaults)


@pytest.mark.parametrize(("command", "text", "useless"), CASES)
def test_an_option_without_effect_gets_a_warning(capsys, command, text, useless):
    options = parsed(command, text)
    lines = capsys.readouterr().err.splitlines()
    warned = [line.partition("warning: --")[2].partition(" has no effect ")[0] for line in lines]
    assert sorted(warned) == sorted(useless.split())
    copied = " ".join(as_arguments(command, options))
    assert not any(f"--{name} " in f"{copied} " for name in useless.split())
    parsed(command, f"{text} --quiet")
    assert not capsys.readouterr().err


def test_every_rule_has_a_case():
    covered = {
        (rule.why, rule.names)
        for command, text, useless in CASES
        for rule in RULES
        if command in rule.commands and set(useless.split()) & set(rule.names.split())
    }
    assert {(rule.why, rule.names) for rule in RULES} == covered
    for rule in RULES:
        for command in rule.commands:
            known = options_by_name(command)
            assert any(name in known for name in rule.names.split()), (command, rule.names)


def test_defaults_of_a_configuration_file_and_switches_turned_off_get_no_warning(capsys):
    parsed("render", "--ortho", {"camera-fov": 30.0, "bones": "lines"})
    parsed("render", "--view-mode normals --no-occlusion")
    parsed("render", "--light none --no-shadow")
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "--exact --frame-rate 12 -o walk.mp4",
        "--exact --frame-rate 12 -o walk_{frame}.png",
        "--frames 0..4 --frame-rate 12",
        "--frame 3 --frame-rate 12",
        "--select Tip --joint-path --frame-rate 12",
        "--skeleton --onion-skins 2 --frame-rate 12",
        "--pose rest --loop once -o rest.gif",
        "--camera-follow selection --fit rest",
        "--crowd 2 --pose rest --animation Walk",
        "--camera-follow selection --select Tip",
        "--camera-follow root",
        "--view-mode normals --light-azimuth 30",
    ],
)
def test_an_option_with_effect_gets_no_warning(capsys, text):
    parsed("render", text)
    assert not capsys.readouterr().err


STILLS = [
    (values, useless)
    for values, useless in (
        ({"ortho": True}, {"camera_fov": 30}),
        ({"camera_position": (1, 2, 3), "camera_target": (0, 1, 0)}, {"fit": "rest"}),
        ({"crowd": 5}, {"fit": "rest"}),
        ({"pose": "rest"}, {"time": 0.7}),
        ({"pose": "rest"}, {"key_rotation": "nlerp"}),
        *(({"pose": "rest"}, {name: 3}) for name in ("speed", "offset", "loop")),
        ({"pose": "bind"}, {"animation": "Turn fast"}),
        ({"time": 0.5}, {"frame_rate": 12}),
        ({"time": 0.5}, {"exact": True}),
        ({"time": 0.5}, {"camera_follow": "selection"}),
        ({"time": 0.5, "camera_position": (1, 2, 3)}, {"camera_follow": "selection"}),
        ({"view_mode": "normals"}, {"light_rim": 2}),
        ({"phase": 0.5}, {"speed": 2}),
        ({"weights": "Tip"}, {"view_mode": "normals"}),
        ({"weights": "Tip"}, {"exposure": 2}),
        *(({"view_mode": mode}, {"tone_mapping": "aces"}) for mode in ("normals", "emissive")),
        *(({"view_mode": mode}, {"exposure": 2}) for mode in ("base-colour", "occlusion", "alpha")),
        ({"tone_mapping": "none"}, {"exposure": 2}),
        ({"light": "none"}, {"light_azimuth": 120}),
        ({"light": "none"}, {"light_elevation": 80}),
        ({"axes": True}, {"bones": "lines"}),
        ({"ghost": "bind", "onion_skins": 0}, {"onion_step": 9}),
        ({"bounds": True}, {"overlay_depth": True}),
        ({"wireframe": True}, {"overlay_depth": True}),
    )
]


def test_the_warnings_are_true(model_file, capsys):
    stills = StillRenderer()

    def picture(**values):
        base = {"resolution": (32, 32), "samples": 1, "animation": "Turn"} | values
        return stills.picture(options_from_python("render", model_file, base)).tobytes()

    try:
        for values, useless in STILLS:
            options = options_from_python("render", model_file, values | useless)
            (name,) = useless
            assert name.replace("_", "-") in without_effect("render", options), (values, useless)
            assert picture(**values) == picture(**values | useless), (values, useless)
    finally:
        stills.release()
