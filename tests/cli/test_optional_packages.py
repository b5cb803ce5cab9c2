"""Missing optional packages: one line that names the extra, exit code 3."""

import sys

import pytest

from rigview.gltf import optional_packages
from tests.support.gltf_documents import Builder

MODULES = {  # what reads an extension: the extension, and what is to be installed
    "DracoPy": ("KHR_draco_mesh_compression", "rigview[draco]"),
    "opengl_basisu": ("KHR_texture_basisu", "rigview[basisu]"),
    "PIL._avif": ("EXT_texture_avif", "Pillow>=11.3"),
}


@pytest.fixture(params=MODULES)
def hidden(request, monkeypatch):
    """A module that cannot be found, and what it is for."""
    monkeypatch.setitem(sys.modules, request.param, None)
    optional_packages._found.cache_clear()
    yield MODULES[request.param]
    optional_packages._found.cache_clear()


def file_of(folder, name):
    b = Builder()
    b.add("nodes", mesh=b.mesh())
    b.json |= {"extensionsUsed": [name], "extensionsRequired": [name]}
    path = folder / "packed.glb"
    path.write_bytes(b.glb())
    return path


@pytest.mark.parametrize("command", [["info"], ["check"], ["render", "-o", "out.png"]])
def test_one_line_names_what_to_install(rigview, tmp_path, hidden, command):
    name, wanted = hidden
    ran = rigview(command[0], file_of(tmp_path, name), *command[1:])
    assert ran.code == 3
    (line,) = ran.err.splitlines()
    assert f"/extensionsRequired/0: the required extension {name}" in line
    assert f"pip install '{wanted}'" in line
    assert "Traceback" not in line


def test_meshopt_needs_nothing(rigview, tmp_path):
    for name in ("EXT_meshopt_compression", "KHR_meshopt_compression"):
        ran = rigview("info", file_of(tmp_path, name))
        assert (ran.code, ran.err) == (0, "")
        assert "Warnings: none" in ran.out
