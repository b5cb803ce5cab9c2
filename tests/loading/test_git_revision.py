import shutil

import pytest

from rigview.errors import GltfError, UsageError
from rigview.loading.git_revision import Revision, extracted, parse_revision
from rigview.loading.load import load
from tests.support.character_versions import character
from tests.support.git_repository import LOCAL, git, write_gltf

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not here")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the repository that `repository` copies."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        for name in LOCAL:
            patch.delenv(name, raising=False)
        patch.chdir(folder)
        git("init", "-q", "-b", "main")
        write_gltf(folder / "art", buffer="the hero.bin")
        git("add", ".")
        git("commit", "-q", "-m", "fix: one")
        git("tag", "v1")
        write_gltf(folder / "art", buffer="the hero.bin", wave=(0, 45, 0))
        git("commit", "-q", "-a", "-m", "two")
    return folder


@pytest.fixture
def repository(made, tmp_path, monkeypatch):
    """Return a repository with a .gltf and .bin in art/ and two commits; the first has tag v1."""
    for name in LOCAL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    folder = shutil.copytree(made, tmp_path / "checkout")
    monkeypatch.chdir(folder)
    return folder


def angle(path, root=None):
    """Return the largest sin(angle / 2) of the clip, which identifies the revision."""
    return float(load(path, root=root).clips[0].tracks[0].values[:, 2].max())


FIRST, SECOND = pytest.approx(0.7071, abs=1e-3), pytest.approx(0.3827, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HEAD~1:art/hero.gltf", ("HEAD~1", "art/hero.gltf")),
        ("v1.2:./hero.gltf", ("v1.2", "./hero.gltf")),
        (":hero.glb", ("", "hero.glb")),
        ("HEAD^{/fix: one}:a:b.glb", ("HEAD^{/fix: one}", "a:b.glb")),
        ("main@{1 day ago}:x.glb", ("main@{1 day ago}", "x.glb")),
        ("C:\\models\\x.glb", None),
        ("c:/models/x.glb", None),
        ("hero.glb", None),
        ("HEAD:", None),
        ("-", None),
    ],
)
def test_parse_revision(text, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert parse_revision(text) == expected


def test_existing_file_name_has_priority(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a:b.glb").write_bytes(b"")
    assert parse_revision("a:b.glb") is None


@pytest.mark.parametrize(
    ("rev", "expected"),
    [("HEAD~1", FIRST), ("v1", FIRST), ("HEAD", SECOND), ("main", SECOND), ("HEAD^{/fix:}", FIRST)],
)
def test_file_and_its_buffer(repository, rev, expected):
    with extracted(Revision(rev, "art/hero.gltf")) as found:
        assert angle(found.path) == expected
        assert sorted(p.name for p in found.path.parent.iterdir()) == ["hero.gltf", "the hero.bin"]
        assert not found.path.is_relative_to(repository)
    assert not found.folder.exists()


def test_paths_in_a_subfolder(repository, monkeypatch):
    monkeypatch.chdir(repository / "art")
    for path in ("./hero.gltf", "art/hero.gltf", "../art/hero.gltf"):
        with extracted(Revision("v1", path)) as found:
            assert angle(found.path) == FIRST


def test_staged_file(repository):
    write_gltf(repository / "art", buffer="the hero.bin", wave=(0, 10, 0))
    git("add", ".")
    write_gltf(repository / "art", buffer="the hero.bin", wave=(0, 20, 0))
    with extracted(Revision("", "art/hero.gltf")) as found:
        assert angle(found.path) == pytest.approx(0.0872, abs=1e-3)


def test_bare_repository(repository, monkeypatch):
    git("clone", "-q", "--bare", ".", "../bare.git")
    monkeypatch.chdir(repository.parent / "bare.git")
    with extracted(Revision("v1", "art/hero.gltf")) as found:
        assert angle(found.path) == FIRST


def test_repository_is_not_changed(repository):
    def state():
        return {
            path.relative_to(repository): path.stat().st_mtime_ns
            for path in repository.rglob("*")
            if path.is_file()
        }

    before = state()
    with extracted(Revision("v1", "art/hero.gltf")):
        assert state() == before
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt])
def test_folder_is_deleted_after_an_error(repository, fault):
    with pytest.raises(fault), extracted(Revision("v1", "art/hero.gltf")) as found:
        raise fault
    assert not found.folder.exists()


@pytest.mark.parametrize(
    ("rev", "path", "words"),
    [
        ("v2", "art/hero.gltf", "unknown revision 'v2'"),
        ("--output=x", "art/hero.gltf", "invalid revision"),
        ("v1", "art/her.gltf", "did you mean 'art/hero.gltf'"),
        ("v1", "hero.gltf", "did you mean 'art/hero.gltf'"),
        ("v1", "../../etc/passwd", "no file"),
        ("v1", "/etc/passwd", "no file"),
        ("v1", "art", "no file"),
        ("v1", ":(glob)**", "no file"),
        ("v1", "*", "no file"),
        ("v1:art", "hero.gltf", "unknown revision"),
        ("v1", "a\0b", "NUL"),
        ("$(touch x)", "`touch x`", "unknown revision"),
    ],
)
def test_missing_revisions_and_files(repository, rev, path, words):
    with pytest.raises(UsageError, match=r".") as caught, extracted(Revision(rev, path)):
        pass
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (repository / "x").exists()


def test_outside_of_a_checkout(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with (
        pytest.raises(UsageError, match="not a git checkout"),
        extracted(Revision("HEAD", "a.glb")),
    ):
        pass


def test_git_is_not_installed(repository, monkeypatch):
    monkeypatch.setenv("PATH", str(repository))
    with (
        pytest.raises(UsageError, match="git is not installed"),
        extracted(Revision("v1", "a.glb")),
    ):
        pass


def test_symbolic_link(repository):
    (repository / "link.gltf").symlink_to("art/hero.gltf")
    git("add", ".")
    git("commit", "-q", "-m", "link")
    with pytest.raises(UsageError, match="symbolic link"), extracted(Revision("HEAD", "link.gltf")):
        pass


def test_lfs_pointer_without_object(repository):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    (repository / "big.glb").write_text(pointer)
    git("add", ".")
    git("commit", "-q", "-m", "big")
    with (
        pytest.raises(GltfError, match="Git LFS pointer") as caught,
        extracted(Revision("HEAD", "big.glb")),
    ):
        pass
    assert "git lfs fetch" in caught.value.hint


def test_filters_are_applied(repository):
    """A filter that reverses the stored file replaces Git LFS."""
    (repository / ".gitattributes").write_text("*.txt.glb filter=round\n")
    git("config", "filter.round.smudge", "rev")
    git("config", "filter.round.clean", "rev")
    (repository / "a.txt.glb").write_text("abc\n")
    git("add", ".")
    git("commit", "-q", "-m", "filtered")
    assert git("cat-file", "blob", "HEAD:a.txt.glb") == "cba\n"
    with extracted(Revision("HEAD", "a.txt.glb")) as found:
        assert found.path.read_text() == "abc\n"


def test_failing_filter(repository):
    (repository / ".gitattributes").write_text("*.glb filter=bad\n")
    (repository / "a.glb").write_text("abc\n")
    git("add", ".")
    git("commit", "-q", "-m", "filtered")
    git("config", "filter.bad.smudge", "false")
    git("config", "filter.bad.required", "true")
    with (
        pytest.raises(GltfError, match=r"git cannot read 'a.glb'"),
        extracted(Revision("HEAD", "a.glb")),
    ):
        pass


@pytest.mark.parametrize(
    "uri",
    ["../../../etc/passwd", "/etc/passwd", "https://example.org/x.bin", "a%00b", "\n", "..", ""],
)
def test_hostile_references_read_nothing(repository, uri):
    b = character()
    (repository / "bad.gltf").write_bytes(b.gltf(uri or " "))
    git("add", ".")
    git("commit", "-q", "-m", "bad")
    with extracted(Revision("HEAD", "bad.gltf")) as found:
        assert [p.name for p in found.folder.rglob("*") if p.is_file()] == ["bad.gltf"]
        with pytest.raises(GltfError):
            load(found.path)


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b'{"buffers": 3, "images": [1, {"uri": 2}]}'])
def test_invalid_file_is_extracted(repository, text):
    (repository / "bad.gltf").write_bytes(text)
    git("add", ".")
    git("commit", "-q", "-m", "bad")
    with extracted(Revision("HEAD", "bad.gltf")) as found:
        assert found.path.read_bytes() == text


def test_unicode_names(repository):
    write_gltf(repository / "角色", "héros -x.gltf", "ü&b.bin")
    git("add", ".")
    git("commit", "-q", "-m", "names")
    with extracted(Revision("HEAD", "角色/héros -x.gltf")) as found:
        assert angle(found.path) == FIRST
