import re

import pytest

from rigview.cli.report import short_names
from rigview.errors import ContextError
from rigview.options.parser import parse
from rigview.tasks import report_entry as exhibits
from rigview.tasks import report_pictures
from rigview.tasks.examine_file import rule_settings
from tests.support.command_files import write_document
from tests.support.page_entries import manifest_of

SMALL = ("--resolution", "32,32", "--samples", "1", "--frame-rate", "6", "--jobs", "1")


@pytest.fixture
def report(rigview, tmp_path):
    """Run `report` on files and return what it said, and the page."""

    def run(*arguments, code=0):
        target = tmp_path / "report.html"
        ran = rigview("report", *arguments, "-o", target, *SMALL)
        assert ran.code == code, ran.err
        assert not ran.out
        return ran, target.read_text(encoding="utf-8") if target.exists() else ""

    return run


def loops(page):
    return re.findall(r'class="tile"[^>]* data-label="([^"]*)"', page)


def test_page_of_one_file(report, model_file):
    ran, page = report(model_file)
    assert not ran.err
    assert loops(page) == ["Turn", "Turn fast", "0", "Animation 3"]
    assert page.count('id="small-gltf/data"') == 1
    assert "<video " not in page
    assert page.count('<div class="film">') == 4
    assert 'id="index"' not in page
    assert "small.gltf" in page


def test_page_without_a_player(report, model_file):
    _, page = report(model_file, "--no-player")
    assert loops(page) == ["Turn", "Turn fast", "0", "Animation 3"]
    assert page.count("<video ") == 4
    assert "WebGL" not in page
    assert "octet-stream" not in page
    assert "data-row" not in page


def test_rows_are_the_clips_of_the_player(report, model_file):
    """Layers first, clips in order, and a still pose where nothing moves."""

    def played(*options):
        manifest = manifest_of(report(model_file, *options)[1], "small-gltf/data")
        return [clip["name"] for clip in manifest["characters"][0]["clips"]["list"]]

    assert played() == ["Turn", "Turn fast", "0", "Animation 3"]
    assert played("--animation", "Turn fast") == ["Turn fast"]
    assert len(played("--pose", "rest")) == 1
    layers = 'version = 1\n[[layers]]\nname = "base"\nplay = "Turn"\n'
    model_file.with_name("small.motion.toml").write_text(layers, encoding="utf-8")
    assert played()[:2] == ["Motion", "Turn"]


def test_too_large_pages_play_the_first_characters(report, model_file, tmp_path, monkeypatch):
    other = write_document(tmp_path / "other.gltf")
    _, page = report(model_file, other)
    assert re.findall(r'id="([^"]*)/data"', page) == ["small-gltf", "other-gltf"]
    sizes = [len(each) for each in re.findall(r'<script type[^>]*/data"[^>]*>([^<]*)<', page)]
    monkeypatch.setattr("rigview.pages.page.MOST_PLAYED", sizes[0])
    _, page = report(model_file, other)
    assert 'id="small-gltf/data"' in page
    assert 'id="other-gltf/data"' not in page
    assert loops(page) == 2 * ["Turn", "Turn fast", "0", "Animation 3"]


def test_same_bytes_from_any_folder_by_any_number_of_processes(rigview, model_file, tmp_path):
    """No date, no folder of this machine, and no trace of how the work was shared."""
    elsewhere = tmp_path / "else" / "where"
    elsewhere.mkdir(parents=True)
    copy = write_document(elsewhere / "small.gltf")
    pages = []
    for number, file in enumerate((model_file, copy)):
        target = tmp_path / f"{number}.html"
        few = ("--animation", "Turn*", *SMALL[:-2])
        jobs = ("--jobs", "1")
        assert rigview("report", file, "-o", target, *few, *jobs).code == 0
        pages.append(target.read_bytes())
    assert pages[0] == pages[1]
    assert str(tmp_path).encode() not in pages[0]


def test_result_is_independent_of_parts(report, rigview, model_file, tmp_path, monkeypatch):
    _, alone = report(model_file)
    monkeypatch.setattr("rigview.cli.report.FEW", 2)
    monkeypatch.setattr("rigview.batch.parallel.cores", lambda: 3)
    seen = []

    def run(work, tasks, **options):
        seen.extend(tasks)
        return ((k, work(task)) for k, task in reversed(list(enumerate(tasks))))

    monkeypatch.setattr("rigview.batch.parallel.run", run)
    target = tmp_path / "shared.html"
    assert rigview("report", model_file, "-o", target, *SMALL[:-2]).code == 0
    assert [(task.part, task.parts) for task in seen] == [(0, 3), (1, 3), (2, 3)]
    assert target.read_text(encoding="utf-8") == alone


def test_several_files_in_processes(rigview, model_file, tmp_path):
    """Any number of processes and of threads gives equal bytes."""
    other = write_document(tmp_path / "other.gltf", animations=None)
    pages = []
    for jobs in ("1", "2"):
        target = tmp_path / f"{jobs}.html"
        ran = rigview("report", other, model_file, "-o", target, *SMALL[:-2], "--jobs", jobs)
        assert ran.code == 0, ran.err
        pages.append(target.read_text(encoding="utf-8"))
    assert re.findall(r'<article [^>]*id="([^"]*)"', pages[0]) == ["other-gltf", "small-gltf"]
    assert pages[0] == pages[1]


def test_broken_file_is_a_card_with_its_error(report, model_file, tmp_path):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"glTF\x02\x00\x00\x00")
    ran, page = report(broken, model_file, tmp_path / "absent.glb", code=3)
    assert ran.err.count("\n") == 2
    assert "broken.glb" in ran.err
    assert page.count("<article ") == 3
    assert page.count('<p class="why">') == 2
    assert str(tmp_path) not in page
    assert loops(page)


def test_broken_file_alone_is_an_error(report, tmp_path):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"glTF\x02\x00\x00\x00")
    ran, page = report(broken, code=3)
    assert ran.err.count("\n") == 1
    assert not page


def test_folder(report, model_file, tmp_path):
    folder = tmp_path / "all"
    (folder / "a").mkdir(parents=True)
    (folder / "b").mkdir()
    for name in ("a/x.gltf", "b/x.gltf"):
        write_document(folder / name)
    _, page = report(folder)
    assert re.findall(r'<article [^>]*id="([^"]*)"', page) == ["a-x-gltf", "b-x-gltf"]


def test_clips_may_be_named(report, model_file, tmp_path):
    _, page = report(model_file, "--animation", "Turn fast", "--animation", "0")
    assert loops(page) == ["Turn fast", "0"]
    ran, page = report(model_file, "--animation", "Swim", code=2)
    assert "no animation 'Swim'" in ran.err


def test_missing_clips_of_several_files_are_skipped(report, model_file, tmp_path):
    still = write_document(tmp_path / "still.gltf", animations=None)
    both = ("--animation", "Turn", "--animation", "Swim")
    ran, page = report(model_file, model_file, *both)
    assert loops(page) == ["Turn", "Turn"]
    ran, page = report(model_file, still, *both, code=2)
    assert loops(page) == ["Turn"]
    assert "still.gltf" in ran.err
    ran, _ = report(still, still, "--animation", "Swim", code=2)
    assert ran.err.count("\n") == 1


def test_still_pose(report, model_file, tmp_path):
    _, page = report(model_file, "--pose", "rest")
    assert not loops(page)
    assert "Still pose" in page


def test_file_without_anything(report, tmp_path):
    path = tmp_path / "nothing.gltf"
    path.write_text('{"asset": {"version": "2.0"}}', encoding="utf-8")
    _, page = report(path)
    assert "nothing.gltf" in page


def test_motion_file_heads_the_clips(report, model_file):
    layers = 'version = 1\n[[layers]]\nname = "base"\nplay = "Turn"\n'
    motion = model_file.with_name("small.motion.toml")
    motion.write_text(layers, encoding="utf-8")
    _, page = report(model_file)
    assert loops(page)[:2] == ["Motion", "Turn"]
    assert "small.motion.toml" in page
    _, page = report(model_file, "--no-motion")
    assert loops(page)[0] == "Turn"


def test_requested_columns(report, model_file):
    _, page = report(model_file, "--animation", "Turn", "--phase", "0,0.25")
    assert re.findall(r"<li>(\d+%)</li>", page) == ["0%", "25%"]
    assert ">0.50 s<" in page
    _, page = report(model_file, "--animation", "Turn", "--time", "0,1,1.5")
    assert re.findall(r"<li>(\d\.\d\d s)</li>", page) == ["0.00 s", "1.00 s", "1.50 s"]


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ((), "video/mp4"),
        (("--no-background",), "image/webp"),
        (("--background", "#fff8"), "image/webp"),
    ],
)
def test_transparent_loop_is_webp(report, model_file, options, kind):
    _, page = report(model_file, "--animation", "Turn", "--no-player", *options)
    found = re.findall(r'(?:<video src|data-loop)="data:([^;]*);', page)
    assert found == [kind]


def test_without_the_encoder_loops_are_webp(report, model_file, monkeypatch):
    monkeypatch.setattr(report_pictures.video, "available", lambda ending: ending == ".webp")
    _, page = report(model_file, "--animation", "Turn", "--no-player")
    assert "<video " not in page
    assert re.findall(r'data-loop="data:([^;]*);', page) == ["image/webp"]


def test_long_clip_is_shown_faster(rigview, model_file, monkeypatch, tmp_path, report):
    monkeypatch.setattr(report_pictures, "MOST_FRAMES", 5)
    _, page = report(model_file, "--animation", "Turn", "--no-player")
    assert "shown 2.4 times as fast" in page


def test_missing_opengl_is_an_error(rigview, model_file, tmp_path, monkeypatch):
    def none(*_):
        raise ContextError("no OpenGL here")

    monkeypatch.setattr(report_pictures, "OffscreenRenderer", none)
    target = tmp_path / "report.html"
    ran = rigview("report", model_file, model_file, "-o", target, *SMALL)
    assert ran.code == 4
    assert not target.exists()


def test_verbose_prints_the_size(report, model_file):
    ran, _ = report(model_file, "--animation", "Turn", "--verbose")
    assert re.search(r"report\.html: [\d.]+ kB\n", ran.err)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["-o", "report.pdf"], 2, ".html"),
        (["-o", "no/folder/report.html"], 5, "does not exist"),
        (["-o", "report.html", "--phase", "0", "--time", "1"], 2, "--time and --phase"),
        (["-o", "report.html", "--weights", "Nobody"], 2, "Nobody"),
        (["-o", "report.html", "--background", "red", "--no-background"], 2, "exclude"),
    ],
)
def test_wrong_use(rigview, model_file, tmp_path, monkeypatch, options, code, words):
    monkeypatch.chdir(tmp_path)
    ran = rigview("report", model_file, *options)
    assert ran.code == code
    assert words in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["/home/me/x.glb"], ["x.glb"]),
        (["a/x.glb", "b/x.glb", "b/y.glb"], ["a/x.glb", "b/x.glb", "y.glb"]),
        (["p/a/x.glb", "q/a/x.glb"], ["p/a/x.glb", "q/a/x.glb"]),
        (["x.glb", "a/x.glb"], ["x.glb", "a/x.glb"]),
        ([r"C:\\models\\x.glb"], ["x.glb"]),
        (["x.glb", "x.glb"], ["x.glb", "x.glb"]),
    ],
)
def test_short_names(files, names):
    assert short_names(files) == names


def test_findings_are_those_of_check(rigview, model_file, tmp_path):
    """Without those that `rigview.toml` accepts, and without rules that it turns off."""
    line = [str(model_file), "-o", "x.html", *SMALL, "--animation", "Turn", "--quiet"]
    options = parse("report", line)

    def rules():
        task = exhibits.EntryTask(options, "small.gltf", settings=rule_settings(options))
        entry = exhibits.merge_parts([exhibits.render_part(task)])
        return [finding.rule for finding in entry.findings]

    usual = rules()
    assert {"late-start", "mesh-normals"} <= set(usual)
    model_file.with_name("rigview.toml").write_text(
        'rules.late-start = "off"\n[[ignore]]\nrule = "mesh-*"\nitem = "Mask"\nreason = "x"\n'
    )
    left = [rule for rule in usual if rule != "late-start"]
    left.remove("mesh-normals")
    assert rules() == left
    out = tmp_path / "x.html"
    assert rigview("report", model_file, "-o", out, *SMALL, "--animation", "Turn").code == 0
    page = out.read_text(encoding="utf-8")
    assert "late-start" not in page
    assert "mesh-normals" in page


def test_task_can_be_pickled(model_file):
    import pickle

    line = [str(model_file), "-o", "x.html", *SMALL, "--animation", "Turn", "--quiet"]
    task = pickle.loads(pickle.dumps(exhibits.EntryTask(parse("report", line), "small.gltf")))
    made = pickle.loads(pickle.dumps(exhibits.render_part(task)))
    assert exhibits.merge_parts([made]).rows[0].title == "Turn"
