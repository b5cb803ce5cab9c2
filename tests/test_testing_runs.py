"""Runs of pytest with the plug-in: imports, files and the summary."""

import subprocess
import sys

import numpy as np
import pytest

import rigview.cli.pose
import rigview.golden.golden
import rigview.rendering.offscreen
import rigview.tasks.still_pictures
import rigview.testing
from rigview.golden.files import as_png, read_png

TEST = """
import numpy as np
def image(value=200):
    pixels = np.zeros((24, 24, 4), np.uint8)
    pixels[6:18, 6:18] = value
    return pixels
def test_hero(rigview_image_golden):
    rigview_image_golden(image(), "hero")
"""

pytest_plugins = "pytester"


@pytest.fixture
def project(pytester, monkeypatch):
    """A folder with one test of one golden; inside of it `CI` is not set."""
    monkeypatch.delenv("CI", raising=False)
    pytester.makepyfile(test_hero=TEST)
    return pytester


def stored(project, name="goldens/hero.png"):
    return project.path / name


def test_plugin_imports_only_pytest():
    def imported(what):
        ran = subprocess.run(
            [sys.executable, "-X", "importtime", "-c", f"import {what}"],
            capture_output=True,
            text=True,
            check=True,
        )
        return {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}

    more = imported("rigview.testing") - imported("pytest")
    assert {name for name in more if name.partition(".")[0] not in sys.stdlib_module_names} == {
        "rigview",
        "rigview.testing",
    }


def test_a_run_that_uses_no_fixture_loads_nothing(pytester):
    pytester.makepyfile("""
        import sys
        def test_nothing(pytestconfig):
            assert pytestconfig.pluginmanager.has_plugin("rigview")
            ours = {name for name in sys.modules if name.partition(".")[0] == "rigview"}
            assert ours == {"rigview", "rigview.testing"}
            assert not {"numpy", "PIL", "moderngl"} & set(sys.modules)
    """)
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_missing_golden_is_written_and_reported(project):
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(passed=1)
    ran.stdout.fnmatch_lines(["*rigview goldens*", "written: 1; review them", "  goldens?hero.png"])
    assert stored(project).exists()


@pytest.mark.parametrize(
    ("value", "fails"), [("1", True), ("true", True), ("false", False), ("", False)]
)
def test_missing_golden_in_ci_fails(project, monkeypatch, value, fails):
    monkeypatch.setenv("CI", value)
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(passed=not fails, failed=fails)
    assert stored(project).exists() is not fails


def test_passing_run_prints_nothing(project):
    project.runpytest_inprocess()
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(passed=1)
    ran.stdout.no_fnmatch_line("*rigview goldens*")
    assert not (project.path / "golden-failures").exists()


def test_update_prints_unchanged(project):
    project.runpytest_inprocess()
    before = stored(project).stat().st_mtime_ns
    ran = project.runpytest_inprocess("--update-goldens")
    ran.stdout.fnmatch_lines(["unchanged: 1"])
    ran.stdout.no_fnmatch_line("written*")
    assert stored(project).stat().st_mtime_ns == before


def test_failure_names_its_files(project):
    project.runpytest_inprocess()
    project.makepyfile(test_hero=TEST.replace("image()", "image(150)"))
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(
        [
            "E *AssertionError: the picture differs from goldens?hero.png",
            "E *greatest difference 50 of 255 (at most 0), 25.00% of the pixels*",
            "E *expected   golden-failures?test_hero?hero-expected.png",
            "E *actual     golden-failures?test_hero?hero-actual.png",
            "E *difference golden-failures?test_hero?hero-difference.png",
        ]
    )
    ran.stdout.no_fnmatch_line("*testing.py*")  # the author's own lines, and none of ours
    kept = project.path / "golden-failures"
    assert (kept / ".gitignore").read_text() == "*\n"
    assert len(list((kept / "test_hero").iterdir())) == 3
    project.makepyfile(test_hero=TEST)
    project.runpytest_inprocess().assert_outcomes(passed=1)
    assert list((kept / "test_hero").iterdir()) == []


def test_output_elsewhere(project):
    project.runpytest_inprocess()
    project.makepyfile(test_hero=TEST.replace("image()", "image(150)"))
    project.runpytest_inprocess("--golden-output", "build/pictures").assert_outcomes(failed=1)
    assert (project.path / "build/pictures/test_hero/hero-actual.png").exists()


@pytest.mark.parametrize(
    ("given", "own", "passes"),
    [("9", "", 0), ("10", "", 1), ("0", ", tolerance=10", 1), ("99", ", tolerance=9", 0)],
)
def test_tolerance(project, given, own, passes):
    project.runpytest_inprocess()
    project.makepyfile(test_hero=TEST.replace('image(), "hero"', f'image(210), "hero"{own}'))
    ran = project.runpytest_inprocess("--golden-tolerance", given)
    ran.assert_outcomes(passed=passes, failed=1 - passes)


@pytest.mark.parametrize("text", ["-1", "256", "much"])
def test_invalid_tolerance(project, text):
    ran = project.runpytest_inprocess(f"--golden-tolerance={text}")
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines([f"*'{text}' is not a whole number from 0 to 255"])


def of_another_renderer(project):
    project.runpytest_inprocess()
    pixels, _ = read_png(stored(project).read_bytes())
    stored(project).write_bytes(as_png(pixels, "Another 9000"))


def test_loose_comparisons_are_counted(project):
    of_another_renderer(project)
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(passed=1)
    ran.stdout.fnmatch_lines(
        ["compared loosely: 1", "*hero.png (made by Another 9000, drawn by *)"]
    )


def test_strict(project):
    of_another_renderer(project)
    ran = project.runpytest_inprocess("--golden-strict")
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(["E *only a loose comparison (--golden-strict is set)"])
    ran.stdout.no_fnmatch_line("compared loosely: *")


def test_folder_from_the_settings(project):
    project.makeini("[pytest]\nrigview_golden_dir = data/pictures\n")
    project.runpytest_inprocess()
    assert stored(project, "data/pictures/hero.png").exists()


def test_folder_from_a_fixture(project):
    project.makeconftest("""
        import pytest
        @pytest.fixture
        def rigview_golden_dir(request):
            return request.path.parent / "own"
    """)
    project.runpytest_inprocess()
    assert stored(project, "own/hero.png").exists()


def test_golden_is_beside_its_test_file(pytester):
    (pytester.mkdir("deep") / "test_deep.py").write_text(TEST)
    pytester.runpytest_inprocess("--update-goldens")
    assert stored(pytester, "deep/goldens/hero.png").exists()


TWICE = """
def test_again(rigview_image_golden):
    rigview_image_golden(image(), "Hero")
def test_twice(rigview_image_golden, rigview_pose_golden):
    rigview_image_golden(image(), "other")
    rigview_pose_golden({"times": [0.0]}, "other")
    rigview_image_golden(image(), "other")
"""


def test_two_goldens_of_one_name(project):
    project.makepyfile(test_hero=TEST + TWICE)
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(passed=1, failed=2)
    ran.stdout.fnmatch_lines(
        [
            "E *two goldens have the name 'Hero', in *::test_hero and *::test_again",
            "E *two goldens have the name 'other', in *::test_twice",
        ]
    )


def test_name_must_not_be_a_path(project):
    project.makepyfile(test_hero=TEST.replace('"hero"', '"../hero"'))
    ran = project.runpytest_inprocess()
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(
        ["E *invalid name of a golden file: '../hero'; use a file name without folder"]
    )
    assert not (project.path.parent / "hero.png").exists()


def test_paths_are_relative_to_the_test(pytester):
    small = '{"asset": {"version": "2.0"}, "nodes": [{"name": "%s"}], "scenes": [{"nodes": [0]}]}'
    for folder, name in ((pytester.mkdir("deep"), "near"), (pytester.path, "far")):
        (folder / "one.gltf").write_text(small % name)
    (pytester.path / "two.gltf").write_text(small % "root")
    (pytester.path / "deep" / "test_deep.py").write_text("""
def test_names(rigview_pose):
    assert rigview_pose("one.gltf")["node_names"].tolist() == ["near"]
    assert rigview_pose("two.gltf")["node_names"].tolist() == ["root"]
    assert rigview_pose("../one.gltf")["node_names"].tolist() == ["far"]
""")
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_workers_count_together(project):
    pytest.importorskip("xdist")
    many = "import pytest\n" + TEST.replace(
        'def test_hero(rigview_image_golden):\n    rigview_image_golden(image(), "hero")',
        "@pytest.mark.parametrize('k', range(6))\n"
        "def test_hero(rigview_image_golden, k):\n    rigview_image_golden(image(k), f'hero{k}')",
    )
    project.makepyfile(test_hero=many)
    ran = project.runpytest_subprocess("-n", "2", "-p", "no:cacheprovider")
    ran.assert_outcomes(passed=6)
    ran.stdout.fnmatch_lines(["written: 6; review them"])
    assert len(list((project.path / "goldens").iterdir())) == 6


def test_two_goldens_of_one_name_in_two_workers(project):
    pytest.importorskip("xdist")
    project.makepyfile(test_hero=TEST, test_two=TEST)
    options = ("-n", "2", "--dist", "loadfile", "--update-goldens")
    ran = project.runpytest_subprocess(*options, "-p", "no:cacheprovider")
    ran.assert_outcomes(passed=1, failed=1)
    ran.stdout.fnmatch_lines(
        ["E *two goldens have the name 'hero', in *::test_hero and *::test_hero"]
    )


def test_fixtures_are_listed_with_what_they_do(pytester):
    ran = pytester.runpytest_inprocess("--fixtures")
    ran.stdout.no_fnmatch_line("_rigview*")
    for name in ("render", "pose", "image_golden", "pose_golden", "golden_dir"):
        ran.stdout.fnmatch_lines([f"rigview_{name}*"])


def test_preloaded():
    """Inside of this process a run may not load C libraries for the first time: it forgets them."""
    for module in (
        rigview.cli.pose,
        rigview.tasks.still_pictures,
        rigview.golden.golden,
        rigview.rendering.offscreen,
        rigview.testing,
        np,
    ):
        assert sys.modules[module.__name__] is module
