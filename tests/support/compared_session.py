"""Sessions with versions of a small character that are compared."""

from rigview.differences.compare import compare
from rigview.session import character_files
from tests.support.sessions import new_session


def write(path, version):
    """Write a `Builder` as a GLB; return the path."""
    path.write_bytes(version.glb())
    return path


def session_of(folder, *versions):
    """A session with characters in `folder`, the first of which is active."""
    session = new_session(100.0)
    session.tick()
    paths = [write(folder / f"{k}.glb", version) for k, version in enumerate(versions)]
    character_files.open_files(session, paths)
    session.interface.viewport.aspect = 1.5
    session.update()
    return session


def compared(folder, mode, old, new):
    """A session that compares two versions."""
    session = session_of(folder, old, new)
    session.compare(mode)
    session.update()
    return session


def know_the_difference(session):
    """Compare the two versions of a session at once, not in the background."""
    comparison = session.comparison
    comparison.compared = tuple(each.model for each in comparison.pair)
    comparison.difference = compare(*comparison.compared)
    comparison.set_scale()
    session.update()
