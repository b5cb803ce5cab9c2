"""Reading of files: regular files only, limits, and no other way to read."""

import ast
import io
import os
import re
import tracemalloc
from pathlib import Path

import pytest

from rigview.errors import AppError
from rigview.file_io import HEAD, NotAFileError, read_file, read_stream
from rigview.loading.bvh import load_bvh
from rigview.loading.load import check_head, load
from rigview.scene import hdri

APP = Path(__file__).resolve().parents[1] / "app"
ELSEWHERE = {  # other modules that open files, and why
    "pages/templates.py": "a file of the program",
    "resources.py": "a file of the program",
    "file_io.py": "this way",
    "images/video.py": "PyAV writes a file, read again from a temporary folder",
    "images/gif.py": "writes",
    "images/webp.py": "writes",
    "console.py": "the null device",
    "cli/crash_report.py": "writes",
    "version.py": "a file of the program",
    "gltf/basisu.py": "bytes in memory",
    "conversion/blender_script.py": "runs in Blender, in a folder of its own",
    "conversion/run_blender.py": "the log that Blender is writing",
}
READERS = {"open", "read_bytes", "read_text", "fromfile", "memmap", "loadtxt", "genfromtxt"}
CALL = re.compile(rf"\b({'|'.join(READERS)})\b")  # other files need not be parsed


def test_bytes_of_a_file(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_file(file) == b"12345"
    assert read_file(str(file), 5) == b"12345"
    assert read_file(file, 3, truncate=True) == b"123"
    with pytest.raises(OSError, match="too large: 5 bytes, at most 4"):
        read_file(file, 4)


@pytest.mark.parametrize("size", [0, 5, 200_000])
def test_reading_allocates_the_size_of_the_file(tmp_path, size):
    """Not the limit, which is 4 GiB."""
    file = tmp_path / "file"
    file.write_bytes(bytes(size))
    tracemalloc.start()
    try:
        assert read_file(file) == bytes(size)
        assert tracemalloc.get_traced_memory()[1] < 2 * size + 300_000
    finally:
        tracemalloc.stop()


def test_file_that_grows_while_it_is_read(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    early = os.stat(file)
    file.write_bytes(bytes(300_000))
    monkeypatch.setattr(os, "stat", lambda *_, **__: early)
    assert read_file(file) == bytes(300_000)
    with pytest.raises(OSError, match="too large: at most 299999 bytes"):
        read_file(file, 299_999)


def test_head_is_checked_before_the_rest_is_read(tmp_path):
    file, seen = tmp_path / "file", []
    file.write_bytes(b"ab" * HEAD)
    assert read_file(file, check=lambda *given: seen.append(given)) == b"ab" * HEAD
    assert seen == [(b"ab" * (HEAD // 2), 2 * HEAD)]


def test_pipe_is_read_no_further_than_its_head():
    def check(_head, _size):
        raise AppError("of another kind")

    pipe = io.BytesIO(bytes(3 * HEAD))
    with pytest.raises(AppError):
        read_stream(pipe, 4 * HEAD, check)
    assert pipe.tell() == HEAD
    pipe.seek(0)
    assert read_stream(pipe, 3 * HEAD, lambda *_: None) == bytes(3 * HEAD)
    pipe.seek(0)
    with pytest.raises(OSError, match="too large"):
        read_stream(pipe, 3 * HEAD - 1, lambda *_: None)


READ_BY = {  # the function that reads a file with an extension
    ".glb": load,
    ".gltf": load,
    ".vrm": load,
    ".bvh": load_bvh,
    ".hdr": hdri.read,
    ".exr": hdri.read,
    ".blend": load,
    ".fbx": load,
    ".dae": load,
    ".usdc": load,
}
BEGINNINGS = {
    "zeros": b"",
    "blanks": b" " * HEAD,
    "a list": b"[1, 2, ",
    "PNG": b"\x89PNG\r\n\x1a\n",
    "text": b"not what it is called\n" * 9,
    "a longer GLB": b"glTF\2\0\0\0\xff\xff\xff\xff\x09\0\0\0JSON{",
    "a GLB of zeros": b"glTF\2\0\0\0\0\0\0\x10\0\0\0\x08JSON",
    "a GLB with much JSON": b"glTF\2\0\0\0\0\0\0\x40\0\0\0\x30JSON{",
    "a GLB without JSON": b"glTF\2\0\0\0\0\0\0\x10\0\0\0\x08BIN\0{",
}


@pytest.mark.parametrize("content", BEGINNINGS)
@pytest.mark.parametrize("ending", READ_BY)
def test_file_that_is_not_what_it_is_called_is_not_read_whole(tmp_path, ending, content):
    file = tmp_path / f"a{ending}"
    file.write_bytes(BEGINNINGS[content])
    os.truncate(file, 1 << 30)  # a sparse file
    tracemalloc.start()
    try:
        with pytest.raises(AppError):
            READ_BY[ending](file)
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()
    head = read_file(file, HEAD, truncate=True)
    if "longer" not in content:  # the size of a pipe is unknown
        with pytest.raises(AppError):
            check_head(head, 1 << 32, "standard input")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_other_than_files_are_not_opened(tmp_path, kind):
    path = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(NotAFileError):
        read_file(path)


@pytest.mark.parametrize("name", ["none", "a\0b", "x" * 5000])
def test_errors_have_a_reason(tmp_path, name):
    with pytest.raises(OSError, match=r"\w") as raised:
        read_file(f"{tmp_path}/{name}")
    assert raised.value.strerror


def test_files_are_read_in_one_way():
    found = {
        path.relative_to(APP).as_posix()
        for path in APP.rglob("*.py")
        if CALL.search(source := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and _opens_a_file(node)
    }
    assert found == set(ELSEWHERE)


def _opens_a_file(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id == "open"
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in READERS:
        return False
    in_memory = call.args and "BytesIO" in ast.unparse(call.args[0])
    return not in_memory


NAMES = ["x" * 5000, "x/" * 3000 + "x"]  # longer than a name, and than a path, may be


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "line",
    [
        "check NAME.glb",
        "check --baseline NAME",
        "check --baseline NAME --update-baseline",
        "check --config NAME",
        "check --root NAME",
        "check --motion NAME",
        "check --anims NAME.glb",
        "diff NAME.glb NAME.glb",
        "pose -o NAME.npz",
        "pose -o NAME/a.npz",
        "bake -o NAME.glb",
    ],
)
def test_names_that_are_too_long_are_refused_in_one_line(rigview, line, name):
    ran = rigview(*line.replace("NAME", name).split())
    assert ran.code in (2, 3, 5)
    assert ran.err.count("\n") == 1
