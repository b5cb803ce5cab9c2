"""Text output and exit codes of `check`; the rules are tested in tests/check."""

import json

import pytest

from rigview.checks.finding import Finding, Limit
from rigview.errors import AppError
from rigview.resources import asset_path
from tests.cli.fake_rules import fake_rule, seam_match
from tests.support.command_files import write_document
from tests.support.rule_figure import Figure


@pytest.fixture
def found(ruled):
    """An error, two warnings and a word, in every file."""
    limp = Finding("Tip limps", joint="Tip"), Finding("Root limps", joint="Root")
    ruled(
        fake_rule("loop-seam", seam_match(size=0.0244), group="Motion"),
        fake_rule("limp", *limp, severity="warning", group="Rig"),
        fake_rule("odd", Finding("it is odd"), severity="info"),
        fake_rule("quiet"),
    )


def test_text(rigview, model_file, found):
    ran = rigview("check", model_file)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        f"{model_file}: 1 error, 2 warnings, 1 info",
        "  Motion",
        "    ✗ Turn ends far from where it begins",
        "      24.4 mm, 1.08 % of the height · 12.3 mm · limit 2 mm · at 2.000 s · /animations/0 · "
        "loop-seam",
        "      → fix loop-seam",
        "  Rig",
        "    ! Tip limps",
        "      /nodes/2 · limp",
        "    ! Root limps",
        "      /nodes/1 · limp",
        "      → fix limp",
        "  1 about the file itself (--verbose lists them)",
    ]
    whole = rigview("check", model_file, "--verbose").out.splitlines()
    assert whole[-4:] == ["  File", "    · It is odd", "      odd", "      → fix odd"]


def test_what_is_seen_best_is_first_and_causes_are_rows(rigview, model_file, ruled):
    hips = [
        Finding(f"Hips pop in “{clip}”", clip=clip, joint="Hips", size=size, time=0.5)
        for clip, size in (("Walk", 0.1), ("Run", 0.3), ("Idle", 0.2), ("Jump", 0.05))
    ]
    ruled(
        fake_rule("bent", Finding("it is bent", size=0.25, joint="Arm"), group="Rig"),
        fake_rule("pop", *hips, Finding("it pops", joint="Head", size=0.04), group="Motion"),
        fake_rule("torn", Finding("it is torn", size=1.0), group="Mesh"),
    )
    lines = rigview("check", model_file).out.splitlines()
    assert [line for line in lines if not line.startswith("      ")][1:] == [
        "  Mesh",
        "    ✗ It is torn",
        "  Motion",
        "    ✗ Hips pop in “Run”",
        "    ✗ It pops",
        "  Rig",
        "    ✗ It is bent",
    ]
    repeated = "300 mm, 13.3 % of the height · in 4 clips: “Run”, “Idle”, “Walk” and 1 more · at"
    assert repeated in lines[7]
    assert sum("fix pop" in line for line in lines) == 1
    whole = rigview("check", model_file, "--verbose").out
    assert "      also: Hips pop in “Jump” · 50 mm, 2.22 % of the height · at 0.500 s\n" in whole


@pytest.mark.parametrize("fail_on", ["error", "warning", "never"])
@pytest.mark.parametrize("severity", ["error", "warning", "info"])
def test_exit_code(rigview, model_file, ruled, severity, fail_on):
    ruled(fake_rule("one", Finding("it"), severity=severity))
    grave = ["info", "warning", "error"].index(severity)
    least = {"error": 2, "warning": 1, "never": 3}[fail_on]
    assert rigview("check", model_file, "--fail-on", fail_on).code == (grave >= least)


def test_only_errors_fail_by_default(rigview, model_file, ruled):
    ruled(fake_rule("one", Finding("it"), severity="warning"))
    assert rigview("check", model_file).code == 0


def test_file_without_findings(rigview, model_file, ruled):
    ruled(fake_rule("one"))
    ran = rigview("check", model_file)
    assert ran == (0, f"{model_file}: no findings\n", "")
    assert rigview("check", model_file, "--quiet") == (0, "", "")


def test_bundled_character_is_named(rigview, ruled):
    ruled(fake_rule("one"))
    assert rigview("check", "--no-motion").out == "mannequin.glb: no findings\n"


def test_one_unreadable_file(rigview, tmp_path, found):
    one, other = (write_document(tmp_path / f"{name}.gltf") for name in "ac")
    broken = tmp_path / "b.gltf"
    broken.write_text("{}")
    ran = rigview("check", one, broken, other, "--jobs", "1", "--quiet")
    assert ran.code == 3
    assert ran.err.count("\n") == 1
    assert str(broken) in ran.err
    assert [line for line in ran.out.splitlines() if line[:1] not in ("", " ")] == [
        f"{one}: 1 error, 2 warnings, 1 info",
        f"{other}: 1 error, 2 warnings, 1 info",
    ]
    last = rigview("check", one, broken, other, "--jobs", "1").out.splitlines()[-1]
    assert last == "3 files: 2 errors, 4 warnings, 2 info, 1 could not be read"


def test_folder_in_several_processes(rigview, tmp_path):
    for name in ("b", "a", "c"):
        write_document(tmp_path / f"{name}.gltf")
    ran = rigview("check", tmp_path, "--jobs", "2", "--fail-on", "never")
    assert (ran.code, ran.err) == (0, "")
    alone = [rigview("check", tmp_path / f"{name}.gltf", "--fail-on", "never") for name in "abc"]
    assert [part for part in ran.out.split("\n") if part][-1].startswith("3 files: ")
    for each in alone:
        assert each.out.strip() in ran.out
    heads = [line.partition(".gltf")[0][-1] for line in ran.out.splitlines() if ".gltf: " in line]
    assert heads == ["a", "b", "c"]


def test_standard_input(rigview, ruled, monkeypatch):
    ruled(fake_rule("one", Finding("it")))
    with asset_path("mannequin.glb").open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": stream}))
        ran = rigview("check", "-", "--format", "json")
    assert ran.code == 1
    assert json.loads(ran.out)["files"][0]["file"] == "standard input"


def test_many_findings_of_a_rule_are_truncated(rigview, model_file, ruled):
    hits = [seam_match(amount=float(k), joint=f"J{k}", time=None) for k in range(3, 20)]
    hits.append(seam_match("Other", amount=2.5))
    ruled(fake_rule("loop-seam", *hits))
    lines = rigview("check", model_file).out.splitlines()
    assert amounts(lines) == ["15", "16", "17", "18", "19", "2.5"]
    assert lines[-1] == "    and 12 more of loop-seam (--verbose lists all)"
    assert len(amounts(rigview("check", model_file, "--verbose").out.splitlines())) == 18


def amounts(lines):
    """The amounts of rows that begin with them."""
    return [line.split()[0] for line in lines if " mm · limit" in line]


def test_many_clips_are_truncated(rigview, model_file, ruled):
    hits = [seam_match(f"Clip {k}", amount=float(k), joint=f"J{k}") for k in range(3, 33)]
    ruled(fake_rule("loop-seam", *hits))
    lines = rigview("check", model_file).out.splitlines()
    assert amounts(lines) == [str(k) for k in range(13, 33)]
    assert lines[-1] == "    and 10 more of loop-seam (--verbose lists all)"


def test_different_limits_are_shown_per_finding(rigview, model_file, ruled):
    ruled(fake_rule("one", seam_match(), seam_match(limit=None, amount=float("nan"), unit="°")))
    (line,) = [each for each in rigview("check", model_file).out.splitlines() if " mm · " in each]
    assert line == "      12.3 mm · limit 2 mm · 2 times · at 2.000 s · /animations/0 · one"
    other = seam_match(limit=None, amount=float("nan"), unit="°", joint="Other")
    ruled(fake_rule("one", seam_match(), other))
    lines = rigview("check", model_file).out.splitlines()
    assert lines[3].startswith("      12.3 mm · limit 2 mm · at")
    assert lines[5].startswith("      nan° · at")


def test_control_characters_are_escaped(rigview, model_file, ruled):
    ruled(fake_rule("one", Finding("\x1b[31mred\nline", place="/\x07", fix="\x1b[0m")))
    ran = rigview("check", model_file)
    assert "\x1b" not in ran.out
    assert "\\x1b[31mred\\nline\n      /\\x07" in ran.out


def test_colours_are_for_terminals(rigview, model_file, found, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[31;1m✗\x1b[0m Turn ends far" in rigview("check", model_file).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in rigview("check", model_file).out


def test_lines_are_wrapped_for_terminals(rigview, model_file, ruled, monkeypatch):
    ruled(fake_rule("one", seam_match(place="/animations/0/channels/12"), fix="turn " * 30 + "it"))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "70")
    lines = rigview("check", model_file).out.splitlines()[2:]
    assert [line[:16] for line in lines] == [
        "    ✗ Turn ends ",
        "      12.3 mm · ",
        "      one",
        "      → turn tur",
        "        turn tur",
        "        turn tur",
    ]
    assert max(map(len, lines)) <= 70


def test_counts_in_messages_are_not_repeated(rigview, model_file, ruled):
    hits = [Finding(f"{k} joints are idle", float(k), "joints") for k in (3, 4)]
    others = [Finding("it is bare", 1.0, "meshes"), Finding("it is loose", 2.0, "vertices")]
    ruled(fake_rule("idle", *hits), fake_rule("bare", *others))
    lines = rigview("check", model_file).out.splitlines()
    assert lines[2:6] == [
        "    ✗ 3 joints are idle",
        "      idle",
        "    ✗ 4 joints are idle",
        "      idle",
    ]
    assert lines[7:9] == ["    ✗ It is bare", "      1 mesh · bare"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--json", "--format", "text"], "exclude each other"),
        (["--update-baseline"], "--baseline"),
        (["--rules", "--format", "junit"], "junit"),
        (["--animation", "Trun"], "'Turn'"),
        (["--fail-on", "info"], "info"),
        (["--root", "nowhere"], "nowhere"),
    ],
)
def test_wrong_use(rigview, model_file, arguments, word):
    ran = rigview("check", model_file, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert word in ran.err
    assert ran.err.count("\n") == 1


def test_json_option_twice(rigview, model_file, found):
    assert rigview("check", model_file, "--json", "--format", "json").code == 1


def test_clip_need_only_be_in_one_of_the_files(rigview, tmp_path, monkeypatch):
    one = write_document(tmp_path / "a.gltf")
    other = write_document(tmp_path / "b.gltf", animations=None)
    seen = []
    monkeypatch.setattr(
        "rigview.tasks.examine_file.examine", lambda s, *_: seen.append(s.clips) or []
    )
    chosen = ["--jobs", "1", "--animation", "Turn*", "--animation", "#3"]
    assert rigview("check", one, other, *chosen).code == 0
    assert seen == [(0, 1, 3), ()]


def test_clip_may_be_in_the_file_that_cannot_be_read(rigview, model_file, tmp_path, ruled):
    ruled(fake_rule("one"))
    broken = tmp_path / "b.gltf"
    broken.write_text("{")
    ran = rigview("check", model_file, broken, "--animation", "Trun", "--jobs", "1")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert f"{model_file}: no findings" in ran.out


def test_every_error_names_its_file(rigview, model_file, monkeypatch):
    def fail(task):
        raise AppError("oh")

    monkeypatch.setattr("rigview.cli.check.examine_file", fail)
    ran = rigview("check", model_file)
    assert (ran.code, ran.err) == (70, f"rigview: {model_file}: oh\n")


def test_exception_in_a_rule_is_not_hidden(rigview, model_file, ruled):
    def find(subject, limits):
        raise ZeroDivisionError("oh")

    broken = fake_rule("one")
    object.__setattr__(broken, "find", find)
    ruled(broken)
    ran = rigview("check", model_file)
    assert ran.code == 70
    assert "internal error: ZeroDivisionError" in ran.err


def test_clips_of_other_files(rigview, model_file, tmp_path, ruled):
    ruled(fake_rule("one"))
    other = write_document(tmp_path / "other.gltf")
    ran = rigview("check", model_file, "--anims", other)
    assert ran.code == 0
    assert ran.err.count("\n") == 1
    assert "4 animations" in ran.err
    assert rigview("check", model_file, "--anims", other, "--quiet").err == ""


def test_motion_file_that_does_not_fit(rigview, model_file):
    motion = model_file.with_name("small.motion.toml")
    motion.write_text('version = 1\n[clips.Trun]\nloop = "once"\n')
    ran = rigview("check", model_file)
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert f"{motion}:2: " in ran.err
    assert '"Turn"' in ran.err
    assert rigview("check", model_file, "--no-motion", "--fail-on", "never").code == 0


def test_rules_file(rigview, model_file, tmp_path, found):
    config = tmp_path / "rules.toml"
    text = '[rules]\nloop-seam = "info"\n[[ignore]]\nrule = "limp"\njoint = "Tip"\n'
    config.write_text(f'{text}reason = "an old wound"\n[clips."Die*"]\nloop = false\n')
    ran = rigview("check", model_file, "--config", config)
    assert ran.code == 0
    assert ran.out.splitlines()[0] == f"{model_file}: 1 warning, 2 info (1 accepted)"
    assert ran.err == f"rigview: {config}:7: warning: no file has a clip 'Die*'\n"
    assert rigview("check", model_file, "--config", config, "--quiet").err == ""
    config.write_text("[rules.lop-seam]\nmm = 3\n")
    ran = rigview("check", model_file, "--config", config)
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    unknown = 'unknown rule "lop-seam"; did you mean "loop-seam"?'
    assert f"{config}:1: rules.lop-seam: {unknown}" in ran.err


def test_rules_file_sets_looping_clips(rigview, model_file, tmp_path, monkeypatch):
    config = tmp_path / "rules.toml"
    config.write_text('[clips."Turn*"]\nloop = true\n')
    seen = []
    monkeypatch.setattr("rigview.tasks.examine_file.examine", lambda s, *_: seen.append(s) or [])
    rigview("check", model_file, "--config", config)
    assert [seen[0].configured_loop(name) for name in ("Turn fast", "0")] == [True, None]


def test_rules_are_listed(rigview, tmp_path, ruled):
    ruled(fake_rule("loop-seam"), fake_rule("limp", severity="info", limits=()))
    ran = rigview("check", "--rules")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "loop-seam (error): loop-seam is looked for\n    mm = 2 mm: how far\n"
        "    → fix loop-seam\n\nlimp (info): limp is looked for\n    → fix limp\n"
    )
    config = tmp_path / "rules.toml"
    config.write_text('[rules]\nlimp = "off"\nloop-seam = { mm = 5, severity = "warning" }\n')
    listed = json.loads(rigview("check", "--rules", "--json", "--config", config).out)
    assert [each["severity"] for each in listed] == ["warning", "off"]
    assert listed[0]["limits"][0]["value"] == 5
    assert [each["source"] for each in listed] == [str(config)] * 2
    assert listed[0]["limits"][0]["source"] == str(config)


def test_rules_are_listed_with_the_files_that_set_them(rigview, model_file, tmp_path, ruled):
    ruled(fake_rule("loop-seam"), fake_rule("limp", severity="info", limits=()))
    project, user = model_file.with_name("rigview.toml"), tmp_path / "user.toml"
    project.write_text('rules.limp = "error"\nrules.loop-seam.mm = 3\n')
    user.write_text("rules.loop-seam.mm = 4\n")
    assert rigview("check", model_file, "--rules", "--config", user).out == (
        f"loop-seam (error): loop-seam is looked for\n    mm = 4 mm from {user}: how far\n"
        f"    → fix loop-seam\n\nlimp (error from {project}): limp is looked for\n"
        "    → fix limp\n"
    )


def test_each_file_has_the_settings_of_its_folder(
    rigview, model_file, tmp_path, found, monkeypatch
):
    """Their folder is found whatever the working folder is; the user's settings come after."""
    folder = tmp_path / "other"
    folder.mkdir()
    other = write_document(folder / "small.gltf")
    project = other.with_name("rigview.toml")
    project.write_text(
        '[rules]\nloop-seam = "off"\n[clips.Nowhere]\nloop = true\n'
        '[[ignore]]\nrule = "limp"\njoint = "Tip"\nfile = "other/small.gltf"\nreason = "old"\n'
    )

    def counts(*line):
        ran = rigview("check", *line, "--json", "--jobs", "1")
        assert ran.err == "", "a project may have clips that a file lacks"
        files = json.loads(ran.out)["files"]
        return [(len(file["findings"]), file["accepted"]) for file in files]

    assert counts(model_file, other) == [(4, 0), (2, 1)]
    assert counts(other, model_file) == [(2, 1), (4, 0)]
    assert counts(other, "--no-config") == [(4, 0)]
    monkeypatch.chdir(folder)
    assert counts("small.gltf") == [(2, 1)]
    user = tmp_path / "user.toml"
    user.write_text('rules.loop-seam = "info"\n')
    assert counts(other, "--config", user) == [(3, 1)]


def test_clips_that_few_joints_match(rigview, tmp_path):
    """Four of seven joints have other names and places in the file of the clips."""
    own, other = Figure(), Figure()
    other.names = [*other.names[:3], "A", "B", "C", "D"]
    for joint in other.nodes[3:]:
        joint["translation"] = [0.3, 0.1, 0.2]
    paths = [tmp_path / "own.glb", tmp_path / "other.glb"]
    for path, figure in zip(paths, (own, other), strict=True):
        path.write_bytes(figure.builder().glb())
    ran = rigview("check", paths[0], "--anims", paths[1], "--json")
    findings = json.loads(ran.out)["files"][0]["findings"]
    (few,) = [each for each in findings if each["rule"] == "clip-matches"]
    assert few["message"].startswith("only 3 of 7 joints match")


def test_five_worst_of_several_units(rigview, model_file, ruled):
    """Six findings of millimetres and degrees: the least is that closest to its limit."""
    limits = (Limit("mm", 100.0, "mm", "how far"), Limit("degrees", 2.0, "°", "how much"))
    amounts = [(130.0, "mm"), (10.0, "°"), (9.0, "°"), (8.0, "°"), (7.0, "°"), (6.0, "°")]
    matches = [
        Finding(f"joint {k} is off", amount, unit, 100.0 if unit == "mm" else 2.0, joint=f"j{k}")
        for k, (amount, unit) in enumerate(amounts)
    ]
    ruled(fake_rule("odd", *matches, limits=limits))
    out = rigview("check", model_file).out
    assert "oint 0" not in out
    assert all(f"oint {k} is off" in out for k in range(1, 6))
    assert "and 1 more of odd" in out


def test_repeated_warnings_have_a_count(rigview, tmp_path):
    """Three channels of a clip have no node."""
    figure = Figure()
    path = tmp_path / "figure.glb"

    def change(b):
        channels = b.json["animations"][0]["channels"]
        channels += [{"sampler": 0, "target": {"node": 0, "path": "other"}} for _ in range(3)]

    figure.after.append(change)
    path.write_bytes(figure.builder().glb())
    findings = json.loads(rigview("check", path, "--json").out)["files"][0]["findings"]
    (warning,) = [each for each in findings if each["rule"] == "file"]
    assert warning["message"].endswith("the channel is ignored (3 times)")
