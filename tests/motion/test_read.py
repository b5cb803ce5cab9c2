"""Reading motion files: documents and error messages."""

import pytest

from rigview.errors import MotionError
from rigview.motion.document import (
    At,
    ClipEvent,
    Drive,
    Fade,
    LayerSettings,
    Nested,
    Parameter,
    Reference,
    Seek,
    Set,
    Speed,
    StillClip,
    StillPose,
    StrafeSpace,
)
from rigview.motion.read import parse_motion, read_motion
from rigview.tomlfile.parse import MAX_BYTES
from rigview.tomlfile.toml_errors import motion_error
from tests.support.motion_texts import EXAMPLE, document_from

HEAD = "version = 1\n"


def read(text):
    return document_from(HEAD + text)


def wrong(text, line):
    """Return what is said about a text, without "M:LINE: ", having checked the line."""
    with pytest.raises(MotionError) as error:
        parse_motion(text, "M")
    file, number, said = str(error.value).split(":", 2)
    assert (file, int(number)) == ("M", line), said
    assert error.value.exit_code == 3
    return said.strip()


def test_the_example_of_the_manual():
    doc = document_from(EXAMPLE)
    assert doc.anims.files == ("run.glb",)
    assert doc.anims.names == {"mixamorig:*": "*"}
    assert doc.parameters["speed"] == Parameter(1.2, (0.0, 4.0), 0.2)
    assert doc.parameters["look_at"].default == (0.0, 1.0, 2.0)
    walk = doc.clips["Walk"]
    assert (walk.loop, walk.range, walk.cycles) == ("loop", (0.0, 1.2), 1)
    assert walk.sync == {"left": (0.1,), "right": (0.6,)}
    assert walk.events == (ClipEvent("foot_l", phase=0.1), ClipEvent("shout", time=0.7))
    assert walk.root.turn
    assert doc.additives["Lean"].reference == Reference(clip="Walk")
    assert list(doc.masks["upper"].joints) == ["Spine", "Spine1", "RightShoulder"]
    assert [clip.at for clip in doc.spaces["locomotion"].clips] == [(0.0,), (1.4,), (4.0,)]
    assert doc.aims["head"].limit == 70
    assert [layer.name for layer in doc.layers] == ["base", "wave"]
    assert doc.at == (At(1.0, Fade("base", "Run")),)


def test_all_kinds_of_layer_content():
    doc = read(
        """
        [[layers]]
        name = "a"
        play = { clip = "Walk", time = 0.3 }
        [[layers]]
        name = "b"
        play = { pose = "bind" }
        [[layers]]
        name = "c"
        play = { layers = [{ name = "d", play = "Run" }] }
        solo = true
        """
    )
    assert [layer.play for layer in doc.layers] == [
        StillClip("Walk", 0.3),
        StillPose("bind"),
        Nested((LayerSettings("d", "Run"),)),
    ]
    assert [layer.solo for layer in doc.layers] == [False, False, True]


def test_all_kinds_of_actions():
    doc = read(
        """
        at = [
          { time = 0, set = { name = "speed", value = 3, seconds = 0.5 } },
          { time = 0, seek = { layer = "base", time = 0.5 } },
          { time = 1, speed = { layer = "base", value = -2 } },
          { time = 2, set = { name = "base.weight", value = 0.5 } },
        ]
        parameters.speed.default = 1
        layers = [{ name = "base", play = "Walk" }]
        """
    )
    assert [at.do for at in doc.at] == [
        Set("speed", 3.0, 0.5),
        Seek("base", 0.5),
        Speed("base", -2.0),
        Set("base.weight", 0.5),
    ]


def test_a_strafe_space():
    doc = read(
        """
        [parameters]
        direction = { angle = true }
        [spaces.strafe]
        kind = "strafe"
        x = "direction"
        clips = { forward = "F", left_back = "LB" }
        transitions = { left_to_back = "T" }
        hysteresis = 5
        """
    )
    assert doc.spaces["strafe"] == StrafeSpace(
        "direction", {"forward": "F", "left_back": "LB"}, {"left_to_back": "T"}, 5.0
    )


def test_a_driven_clip_and_cycles():
    doc = read(
        """
        parameters.yaw = { range = [-60, 60] }
        [clips.Aim]
        loop = 3
        cycles = 2
        sync = { left = [0.1, 0.6] }
        drive = { by = "yaw", from = [-60, 60], to = [1, 3], unit = "key" }
        """
    )
    aim = doc.clips["Aim"]
    assert aim.drive == Drive("yaw", (-60.0, 60.0), (1.0, 3.0), "key")
    assert (aim.loop, aim.sync) == ("3", {"left": (0.1, 0.6)})


LAYER = '[[layers]]\nname = "base"\nplay = "Walk"\n'
LINE = '[spaces.s]\nkind = "line"\nx = 0\n'
SQUARE = '[spaces.s]\nkind = "corners"\nx = 0\ny = 0\n'

WRONG = [
    # of the whole file
    ("version = 2", 1, "version: must be from 1 to 1, not 2"),
    ('version = "1"', 1, 'version: must be a whole number, not "1"'),
    ("version = 1\nlayer = []", 2, 'layer: unknown key; did you mean "layers"?'),
    ("version = 1\nspeed = = 3", 2, "not TOML"),
    ("version = 1\n\n[clips", 3, "not TOML"),
    ("version = 1\n[clips.A]\n[clips.A]", 3, "not TOML"),
    # of kinds
    (HEAD + LAYER + 'weight = "x"', 5, 'layers[0].weight: no parameter "x"'),
    (
        HEAD + LAYER + "weight = true",
        5,
        "must be the name of a parameter or a number from 0, not true",
    ),
    (HEAD + LAYER + "weight = nan", 5, "not nan"),
    (HEAD + LAYER + "weight = -1", 5, "layers[0].weight"),
    (HEAD + LAYER + "weight = 1.5", 5, "from 0 to 1, not 1.5; only additives"),
    (HEAD + LAYER + "phase = 1.5", 5, "layers[0].phase: must be a number from 0 to 1, not 1.5"),
    (HEAD + LAYER + 'mute = "no"', 5, "layers[0].mute: must be true or false"),
    (
        HEAD + LAYER + 'rotation = "slurp"',
        5,
        'unknown rotation "slurp"; did you mean "slerp"?',
    ),
    (HEAD + '[[layers]]\nname = ""\nplay = "A"', 3, "layers[0].name"),
    (HEAD + '[[layers]]\nname = "base"', 2, 'layers[0]: "play" is missing'),
    (HEAD + "[[layers]]\nname = 'a'\nplay = { pose = 'rest', clip = 'A' }", 4, "both"),
    (HEAD + "layers = 3", 2, "layers: must be a list, not 3"),
    (HEAD + "[clips.A]\nloop = 0", 3, "clips.A.loop: must be"),
    (HEAD + "[clips.A]\nloop = true", 3, "clips.A.loop: must be"),
    (HEAD + "[clips.A]\ncycles = 0", 3, "clips.A.cycles: must be from 1"),
    (HEAD + "[clips.A]\nrange = [1, 1]", 3, "clips.A.range: the end 1 must be above"),
    (HEAD + "[clips.A]\nrange = [\n0,\n'x']", 5, "clips.A.range[1]: must be a number"),
    (HEAD + "[clips.A]\nsync = { l = [0.5, 0.1] }", 3, "clips.A.sync.l: must be increasing phases"),
    (HEAD + "[clips.A]\nsync = { l = [0.1, 0.5] }", 3, "2 phases for 1 cycles"),
    (HEAD + "[clips.A]\nroot = { joint = 'H', axes = 'xx' }", 3, "clips.A.root.axes"),
    (HEAD + "[clips.A]\nevents = [{ name = 'e' }]", 3, "clips.A.events[0]: has neither"),
    (HEAD + "[clips.A]\nevents = [{ name = 'e', phase = 0, time = 0 }]", 3, "has both"),
    (HEAD + '[clips."A b"]\nlop = 1', 3, 'clips."A b".lop: unknown key; did you mean "loop"?'),
    (HEAD + "[aims.a]\ntarget = 'H'\nchain = {}", 4, "aims.a.chain: names no joint"),
    (
        HEAD + "[aims.a]\ntarget = 'H'\nchain = { H = 1 }\nforward = [0, 0, 0]",
        5,
        "a direction must not be zero",
    ),
    (HEAD + "[iks.a]\ntarget = 'H'\nchain = ['A', 'B']", 4, "must be a list of 3 names"),
    (HEAD + "[iks.a]\ntarget = 'H'\nchain = ['A', 'B', 'A']", 4, "contains a joint twice"),
    (HEAD + "[masks.m]\njoints = { A = 2 }", 3, "masks.m.joints.A: must be a number from 0 to 1"),
    (HEAD + "[additives.a]\nsource = 'A'\nreference = 3", 4, "additives.a.reference: must be"),
    (HEAD + '[retarget]\nreference = "Walk"', 3, 'retarget.reference: must be "bind", "rest"'),
    # of names
    (HEAD + LAYER + 'mask = "up"\n[masks.upper]\njoints = { S = 1 }', 5, 'mask "up"; did you mean'),
    (HEAD + LAYER + LAYER, 6, 'layers[1].name: two layers have the name "base"'),
    (
        HEAD + "[clips.A]\n[spaces.A]\nkind = 'points'\nx = 0\nclips = []",
        3,
        "already used by clips.A",
    ),
    (HEAD + "[masks.touched]\njoints = { A = 1 }", 2, "a built-in mask"),
    (HEAD + LINE.replace("0", '"sped"') + "clips = []\n[parameters]\nspeed = {}", 4, "sped"),
    (HEAD + "[pivot]\nrate = 'p'\n[parameters]\np = { default = [1, 2, 3] }", 3, "three numbers"),
    (
        HEAD + "[aims.a]\nchain = { H = 1 }\ntarget = 'p'\n[parameters]\np = {}",
        4,
        "instead of three",
    ),
    (HEAD + LAYER + "[[at]]\ntime = 1\nspeed = { layer = 'bas', value = 1 }", 7, 'mean "base"?'),
    (
        HEAD + LAYER + "[[at]]\ntime = 1\nset = { name = 'b', value = 1 }",
        7,
        "at[0].set.name: no par",
    ),
    (
        HEAD + LAYER + "[[at]]\ntime = 1\nset = { name = 'base.weight', value = [1, 2, 3] }",
        7,
        "one",
    ),
    (HEAD + LAYER + "[[at]]\ntime = 1\nset = {}\nseek = {}", 5, 'has both "set" and "seek"'),
    (
        HEAD + LAYER + "[[at]]\ntime = 1\nfad = {}",
        7,
        'at[0].fad: unknown key; did you mean "fade"?',
    ),
    (HEAD + LAYER + "[[at]]\ntime = -1\nseek = {}", 6, "at[0].time"),
    (
        HEAD + LAYER + "mode = 'add'",
        5,
        'layers[0].mode: "add" needs an additive; "Walk" is not one',
    ),
    # of blend spaces
    (HEAD + LINE + "clips = [{ clip = 'A', at = 0 }]", 5, "1 clips"),
    (
        HEAD + LINE + "clips = [{ clip = 'A', at = [0, 1] }]",
        5,
        "clips[0].at: a position in this kind",
    ),
    (HEAD + LINE + "y = 1\nclips = []", 5, "has no second axis"),
    (
        HEAD + LINE + "clips = [\n{ clip = 'A', at = 1 },\n{ clip = 'B', at = 1 }]",
        7,
        'spaces.s.clips[1].at: "A" and "B" have the same position 1',
    ),
    (
        HEAD
        + LINE.replace("0", "'d'")
        + "clips = [{ clip = 'A', at = 180 }, { clip = 'B', at = -180 }]\n"
        + "[parameters]\nd = { angle = true }",
        5,
        "the same position 180",
    ),
    (HEAD + SQUARE + "clips = []", 6, '0 clips; "corners" needs 4'),
    (
        HEAD
        + SQUARE
        + "clips = [{ clip = 'A', at = [0, 0] }, { clip = 'B', at = [1, 0] }, "
        + "{ clip = 'C', at = [0, 1] }, { clip = 'D', at = [1, 2] }]",
        6,
        "not the four corners",
    ),
    (HEAD + "[spaces.s]\nkind = 'lin'\nx = 0\nclips = []", 3, 'did you mean "line"'),
    (HEAD + "[spaces.s]\nkind = 'strafe'\nx = 0\nclips = { fwd = 'A' }", 5, 'available: "forward"'),
    (
        HEAD + "[spaces.s]\nkind = 'strafe'\nx = 0\nclips = { forward = 'A' }\nsync = false",
        6,
        "spaces.s.sync: the clips of a strafe space share one phase",
    ),
    (
        HEAD + "[clips.A]\ndrive = { by = 'p', from = [1, 1] }\n[parameters]\np = {}",
        3,
        "must be different values",
    ),
    (
        HEAD + "[clips.A]\ndrive = { by = 'p', to = [0, 2], unit = 'key' }\n[parameters]\np = {}",
        3,
        "start at 1",
    ),
]


@pytest.mark.parametrize(("text", "line", "message"), WRONG, ids=range(len(WRONG)))
def test_errors_have_a_line(text, line, message):
    assert message in wrong(text, line)


def test_a_file_without_a_version():
    with pytest.raises(MotionError, match=r'^M: "version" is missing; version: 1$'):
        parse_motion("", "M")


def test_format_of_an_error():
    text = HEAD + "[masks.upper]\njoints = { S = 1 }\n" + LAYER + '[[layers]]\nname = "b"\n'
    text += 'play = "Wave"\nmask = "uper"\n'
    said = 'M.toml:10: layers[1].mask: no mask "uper"; did you mean "upper"?'
    with pytest.raises(MotionError) as error:
        parse_motion(text, "M.toml")
    assert str(error.value) == said


def test_later_errors_get_a_line():
    motion = parse_motion(EXAMPLE, "M.toml")
    known = ["Idle", "Wave"]
    error = motion_error(("layers", 1, "play"), 'no clip "Wav"', wrong="Wav", known=known)
    said = 'M.toml:34: layers[1].play: no clip "Wav"; did you mean "Wave"?'
    assert str(motion.locate(error)) == said
    lines = {
        ("spaces", "locomotion", "clips", 2, "clip"): 22,
        ("masks", "upper", "joints", "Spine1"): 18,
        ("layers", 1, "phase"): 32,  # not there: the layer's
    }
    for path, line in lines.items():
        located = motion.locate(motion_error(path, "is wrong"))
        assert (located.file, located.line) == ("M.toml", line)


def test_files_that_cannot_be_read(tmp_path):
    def said(path):
        with pytest.raises(MotionError) as error:
            read_motion(path)
        return str(error.value)

    assert said(tmp_path / "none.toml") == f"{tmp_path / 'none.toml'}: No such file or directory"
    assert "directory" in said(tmp_path).lower()
    assert said("\0")
    file = tmp_path / "m.toml"
    file.write_bytes(b"version = 1\n# \xff\n")
    assert said(file) == f"{file}:2: not UTF-8; save the file as UTF-8"
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    assert "too large" in said(file)
    file.write_text("version = 1\na = " + "[" * 5000 + "]" * 5000)
    assert "deep" in said(file)
    file.write_text("version = " + "1" * 5000)
    assert said(file)
    file.write_text("version = 0x" + "f" * 5000)
    assert "must be a whole number" in said(file)


def test_byte_order_mark_and_crlf(tmp_path):
    file = tmp_path / "m.toml"
    file.write_bytes(b"\xef\xbb\xbfversion = 1\r\n# a\r\n[clips.A]\r\nloop = 'x'\r\n")
    with pytest.raises(MotionError, match=r"toml:4: clips\.A\.loop"):
        read_motion(file)
