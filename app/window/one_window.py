"""Files for a window that is open already, by a socket in the user's runtime folder (Linux).

Only the user can reach it: the folder is theirs, its mode is 0600, and the process at the other end
must be of the same user. A window on another display has another socket. Without such a folder
there is none.
"""

import json
import os
import re
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_MOST = 1 << 20  # bytes of a message
_PATIENCE = 3.0  # seconds for which the window may be busy
_TAKEN = b"taken"


def socket_path() -> Path | None:
    """Return the path of the socket of this display; None on systems without."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    if not hasattr(socket, "SO_PEERCRED") or not os.path.isabs(folder):
        return None
    display = re.sub(r"\W", "_", os.environ.get("DISPLAY", ""))
    return Path(folder) / f"rigview{display}.socket"


def hand_over(files: Sequence[str]) -> bool:
    """Return whether an open window has taken the files."""
    path = socket_path()
    if path is None:
        return False
    with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(_PATIENCE)
        client.connect(str(path))
        client.sendall(json.dumps([os.path.abspath(file) for file in files]).encode())
        client.shutdown(socket.SHUT_WR)
        return _is_own(client) and client.recv(len(_TAKEN)) == _TAKEN
    return False


class Listener:
    """Takes files for this window, unless another one does."""

    def __init__(self) -> None:
        self._path = socket_path()
        self._socket: socket.socket | None = None
        if self._path is None or self._answered():
            return
        own = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        made = socket.socket(socket.AF_UNIX)
        try:
            made.bind(str(own))
            own.chmod(0o600)
            made.listen()
            made.setblocking(False)
            own.replace(self._path)  # in place of one whose window has crashed
        except OSError:
            made.close()
            own.unlink(missing_ok=True)
        else:
            self._socket = made

    def _answered(self) -> bool:
        """Return whether there is a window at the socket."""
        with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.settimeout(_PATIENCE)
            client.connect(str(self._path))
            return True
        return False

    def files(self) -> list[Path]:
        """Return the files that another start has handed over; none if there are no new ones."""
        if self._socket is None:
            return []
        with suppress(OSError, ValueError, TypeError):
            client, _ = self._socket.accept()
            with client:
                client.settimeout(_PATIENCE)
                data = _received(client) if _is_own(client) else b""
                paths = [Path(name) for name in json.loads(data) if os.path.isabs(name)]
                client.sendall(_TAKEN)
                return paths
        return []

    def close(self) -> None:
        """Take no more files."""
        if self._socket is not None and self._path is not None:
            self._socket.close()
            self._path.unlink(missing_ok=True)
            self._socket = None


def _received(client: socket.socket) -> bytes:
    """Return all that is sent, without what is beyond the limit."""
    data = b""
    while len(data) < _MOST and (more := client.recv(1 << 16)):
        data += more
    return data


def _is_own(other: socket.socket) -> bool:
    """Return whether the process at the other end is of the same user."""
    size = struct.calcsize("3i")  # its process, user and group
    _, user, _ = struct.unpack("3i", other.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return user == os.getuid()
