"""Conversion by a stand-in for Blender: results, cache, limits, faults, and what is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from rigview.conversion import cache, run_blender
from rigview.conversion.conversion_settings import Settings, present, using
from rigview.conversion.convert import convert
from rigview.errors import ConversionError
from rigview.loading.load import load
from tests.support.blender_stand_in import ONE, TWO, write
from tests.support.processes import until

linux = pytest.mark.skipif(sys.platform != "linux", reason="by Linux's /proc")


@pytest.fixture
def hero(tmp_path):
    return write(tmp_path / "files" / "hero.blend")


def alive(process: int) -> bool:
    """Return whether a process runs; one that has ended may wait for its parent to see that."""
    ran = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, check=False
    )
    return bool(ran.stdout.strip()) and not ran.stdout.strip().startswith(b"Z")


def in_cache(*, logs: bool = False) -> list[str]:
    """Return what lies in the folder of converted files, but for entries, versions and logs."""
    entries = [each for each in cache.folder().iterdir() if not (each / "links.json").is_file()]
    return sorted({each.name for each in entries} - {"programs.json", *(() if logs else ("logs",))})


def failure(path, **settings) -> ConversionError:
    with pytest.raises(ConversionError) as found:
        convert(path, Settings(**settings))
    return found.value


def test_a_file_is_converted_once(blender, hero):
    said = []
    assert convert(hero, Settings(report=said.append)).data == ONE
    assert said == [
        "Blender 9.8.7 LTS is starting: hero.blend",
        "Blender 9.8.7 LTS is reading: hero.blend",
        "",
    ]
    assert convert(hero).data == ONE
    assert len(blender.calls) == 1
    assert in_cache() == []


def test_options_and_environment(blender, hero, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("BLENDER_SYSTEM_SCRIPTS", "/elsewhere")
    convert(hero)
    (call,) = blender.calls
    *options, folder = call["arguments"]
    assert options == [
        "--background",
        "--factory-startup",
        "--disable-autoexec",
        "--offline-mode",
        "--python",
        str(run_blender.SCRIPT),
        "--",
    ]
    assert call["request"] == {"source": str(hero), "ending": ".blend"}
    assert not {"PYTHONPATH", "BLENDER_SYSTEM_SCRIPTS"} & set(call["environment"])
    assert "BLENDER_USER_SCRIPTS" in call["environment"]
    assert folder.startswith(str(cache.folder()))


@pytest.mark.parametrize(
    "name", ["--python x.blend", "-x.blend", "a'b\"c;$(x)`y`.blend", "走る.blend"]
)
def test_names_are_neither_options_nor_code(blender, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / name)
    assert convert(type(tmp_path)(name)).data == ONE
    (call,) = blender.calls
    assert call["request"]["source"] == str(tmp_path / name)
    assert name not in " ".join(call["arguments"])


def test_what_a_file_refers_to(blender, tmp_path):
    hero = write(tmp_path / "files" / "hero.blend", "links:skin.png links:none.png loses")
    skin = tmp_path / "files" / "skin.png"
    skin.write_bytes(b"red")
    found = convert(hero)
    assert found.warnings == ("the action Old is left out: no visible object plays it",)
    assert found.links == (skin, tmp_path / "files" / "none.png")
    assert convert(hero) == found
    assert len(blender.calls) == 1
    skin.write_bytes(b"blue")
    convert(hero)
    assert len(blender.calls) == 2
    skin.write_bytes(b"red")
    convert(hero)
    assert len(blender.calls) == 2, "both versions are kept"
    hero.parent.rename(tmp_path / "moved")
    assert convert(tmp_path / "moved" / "hero.blend").links[0] == tmp_path / "moved" / "skin.png"
    assert len(blender.calls) == 2


def test_another_content_name_or_blender_is_another_entry(blender, hero, tmp_path):
    convert(hero)
    write(hero, "two")
    assert convert(hero).data == TWO
    other = hero.rename(hero.with_name("other.blend"))
    convert(other)
    assert len(blender.calls) == 3
    newer = type(blender)(tmp_path / "newer", "10.0")
    assert convert(other, Settings(str(newer.program))).data == TWO
    assert len(newer.calls) == 1


def test_the_model_is_that_of_the_original(blender, tmp_path):
    hero = write(tmp_path / "hero.blend", "loses links:skin.png")
    model = load(hero)
    assert (model.name, model.path) == ("hero", hero)
    assert [clip.name for clip in model.clips] == ["Idle", "Walk"]
    assert model.facts.files == (tmp_path / "skin.png",)
    assert any("action Old" in warning for warning in model.warnings)


FAULTS = {
    "crash": "crashed (SIGSEGV), reading: Error: EXCEPTION_ACCESS_VIOLATION in mesh 'Body'; "
    "it may be of a newer version than this Blender's; its log is",
    "broken": "cannot convert it: the file is damaged: no mesh",
    "newer": "cannot convert it: Blender 9.9 saved it, which is newer than this one",
    "junk": "wrote no .glb",
    "nothing": "exited with code 0, reading; it may be of a newer version than this Blender's",
    "chatty": "printed more than 1 MiB",
    "slow": "took longer than 0.6 s, sampling 1 of 2: Walk; allow more with --convert-timeout S",
    "hungry": "needed more than 0.125 GiB of memory, writing",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(blender, hero, monkeypatch, fault):
    if fault == "hungry" and sys.platform != "linux":
        pytest.skip("memory is limited on Linux")
    monkeypatch.setattr(run_blender, "_MAX_LOG", 1 << 20)
    write(hero, fault)
    seconds = 0.6 if fault == "slow" else 20.0
    error = failure(hero, seconds=seconds, memory=1 << 27)
    text = str(error)
    assert text.startswith(f"{hero}: Blender 9.8.7 LTS {FAULTS[fault]}")
    assert "\n" not in text
    log = type(hero)(text.rpartition("its log is ")[2])
    assert b"rigview: reading" in log.read_bytes()
    assert in_cache() == [], "nothing is left behind"
    assert not alive(blender.calls[0]["process"])


def test_cancelled(blender, hero):
    write(hero, "slow")
    said = []
    error = failure(hero, report=said.append, cancelled=lambda: "sampling" in " ".join(said))
    assert str(error) == f"{hero}: Blender 9.8.7 LTS was cancelled"
    assert in_cache(logs=True) == []
    assert not alive(blender.calls[0]["process"])


def test_failures_are_remembered_on_request(blender, hero):
    write(hero, "broken")
    failures = {}
    assert str(failure(hero, failures=failures)) == str(failure(hero, failures=failures))
    assert len(blender.calls) == 1
    failure(hero)
    assert len(blender.calls) == 2


def test_settings_belong_to_a_context():
    assert present() == Settings()
    seen = []
    with using(Settings(seconds=5.0)):
        assert present().seconds == 5.0
        thread = threading.Thread(target=lambda: seen.append(present()))
        thread.start()
        thread.join()
    assert seen == [Settings()]


@linux
def test_blender_ends_with_a_killed_program(blender, hero):
    write(hero, "slow")
    code = "import sys; from rigview.conversion.convert import convert; from pathlib import Path\n"
    command = [sys.executable, "-c", f"{code}convert(Path(sys.argv[1]))", str(hero)]
    process = subprocess.Popen(command)
    until(lambda: blender.calls and in_cache())
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: not alive(blender.calls[0]["process"]))
    assert in_cache(), "its folder is still there"
    write(hero)
    subprocess.run(command, check=True)
    assert in_cache() == [], "the next conversion removes it"


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_leaves_nothing(blender, hero, number):
    write(hero, "slow")
    command = [sys.executable, "-m", "rigview", "info", str(hero)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until(lambda: blender.calls)
    begun = time.monotonic()
    process.send_signal(number)
    assert process.wait() == 128 + number
    assert time.monotonic() - begun < 1.5
    until(lambda: not alive(blender.calls[0]["process"]))
    assert in_cache() == []


def test_ten_processes_convert_once(blender, hero):
    write(hero, "pause")
    code = "import sys; from rigview.conversion.convert import convert; from pathlib import Path\n"
    code += f"assert len(convert(Path(sys.argv[1])).data) == {len(ONE)}"
    processes = [subprocess.Popen([sys.executable, "-c", code, str(hero)]) for _ in range(10)]
    assert [each.wait() for each in processes] == [0] * 10
    assert len(blender.calls) == 1
    assert in_cache() == []


def test_a_damaged_entry_is_converted_again(blender, hero):
    convert(hero)
    (entry,) = (each.parent for each in cache.folder().glob("*/links.json"))
    (glb,) = entry.glob("*.glb")
    for damage in (glb.unlink, lambda: glb.write_bytes(b"junk")):
        damage()
        assert convert(hero).data == ONE
    (entry / "links.json").write_text("[")
    assert convert(hero).data == ONE
    assert len(blender.calls) == 4


def test_the_cache_is_bounded(blender, hero, monkeypatch):
    monkeypatch.setattr(cache, "MAX_BYTES", int(2.5 * len(ONE)))
    for number in range(4):
        write(hero, f"number{number}")
        convert(hero)
        os.utime(next(iter(cache.folder().glob("*/links.json"))).parent)
        time.sleep(0.01)
    assert len(list(cache.folder().glob("*/links.json"))) == 2
    convert(hero)
    assert len(blender.calls) == 4


def test_logs_are_bounded(blender, hero, monkeypatch):
    monkeypatch.setattr(cache, "MAX_LOGS", 3)
    for number in range(5):
        write(hero, f"broken {number}")
        failure(hero)
    assert len(list((cache.folder() / "logs").iterdir())) == 3


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_without_a_writable_cache(blender, hero, tmp_path):
    (tmp_path / "cache").mkdir(mode=0o500)
    assert convert(hero).data == ONE


def test_a_cache_that_is_a_file(blender, hero, tmp_path):
    (tmp_path / "cache").write_bytes(b"")
    assert convert(hero).data == ONE
    assert convert(hero).data == ONE
    assert len(blender.calls) == 2


def test_a_file_that_is_written_meanwhile_is_converted_again(blender, hero, monkeypatch):
    write(hero, "pause")
    thread = threading.Timer(0.25, lambda: write(hero, "two"))
    thread.start()
    assert convert(hero).data == TWO
    thread.join()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("hero.ma", b"", "this is a Maya file; export it as FBX or glTF"),
        ("hero.MAX", b"", "this is a 3ds Max file; export it as FBX or glTF"),
        ("hero.c4d", b"", "this is a Cinema 4D file; export it as FBX or glTF"),
        ("hero.abc", b"", "this is an Alembic file, a vertex cache: it has neither joints"),
        ("hero.blend", b"", "it is empty, or no .blend file"),
        ("hero.fbx", b"\x89PNG", "it is empty, or no .fbx file"),
        ("hero.usdz", b"#usda", "it is empty, or no .usdz file"),
        ("none/hero.blend", None, "there is no such file"),
    ],
)
def test_files_that_are_not_converted(blender, rigview, tmp_path, name, content, says):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    ran = rigview("info", tmp_path / name)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(f"rigview: {tmp_path / name}: {says}")
    assert not blender.calls
