"""BVH motion capture: a .bvh file as a model with a skeleton and one clip, without meshes.

Positions and offsets have no defined unit and are not scaled; angles are in degrees. A joint's
rotation channels multiply in the order of the file, and its position channels replace its OFFSET,
as in Blender. An End Site is a joint without tracks, named after its parent: "Hand_End".

Notes
-----
Biovision's format, as described by M. Meredith and S. Maddock, "Motion Capture File Formats
Explained", 2001.
"""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.track import Track
from ..animation.types import F32, F64
from ..errors import BvhError
from ..file_io import HEAD, NotAFileError, read_file
from ..gltf.limits import JOINTS
from ..gltf.object_names import unique_names
from ..model.model import Facts, Model
from ..model.named_clips import Clips
from ..wording import shortened

LARGEST = 1e12  # maximum offset or position: sums of them fit float32
MAX_BYTES = 1 << 28  # of a file: 256 MiB
_SLICE = 1 << 24  # characters of the lines that are parsed at once; limits memory
_LONGEST = 1 << 22  # characters of a line
_AXES = {"X": 0, "Y": 1, "Z": 2}


@dataclass(slots=True)
class _Joint:
    name: str
    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: list[str] = field(default_factory=list)  # "Xposition", "Zrotation", …
    first: int = 0  # column of its first channel


def load_bvh(source: str | Path | bytes) -> Model:
    """Return the model of a .bvh file, given its path or bytes.

    Raises
    ------
    BvhError
        The file cannot be read, or a line is invalid.
    """
    if isinstance(source, bytes):
        return _Reader(source, "<bytes>").model(None)
    name, path = str(source), Path(source)
    try:
        data = read_file(path, MAX_BYTES, check=partial(_check_head, name=name))
    except FileNotFoundError:
        raise BvhError("there is no such file", file=name) from None
    except NotAFileError:
        raise BvhError("it is not a file", file=name) from None
    except OSError as error:
        raise BvhError(f"it cannot be read: {error.strerror}", file=name) from None
    return _Reader(data, name).model(path)


def is_bvh(data: bytes) -> bool:
    """Return whether bytes begin like a .bvh file."""
    return data[:200].removeprefix(b"\xef\xbb\xbf").upper().split()[:1] == [b"HIERARCHY"]


def _check_head(head: bytes, _size: int | None, name: str) -> None:
    """Raise BvhError for a file that begins like none, before the rest is read."""
    if not is_bvh(head):
        hint = "is it a .bvh file?"
        raise BvhError("it does not begin with HIERARCHY", file=name, place="line 1", hint=hint)


class _Reader:
    """Parses the lines of a file in order."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.size = len(data)
        self.line_number = 0  # number of the last line read, from 1
        self.joints: list[_Joint] = []
        self.columns = 0
        self.warnings: list[str] = []
        _check_head(data[:HEAD], self.size, name)
        self.lines = data.decode("utf-8-sig", "replace").splitlines()
        for number, line in enumerate(self.lines, 1):
            if len(line) > _LONGEST:
                self.line_number = number
                raise self._error(f"a line of {len(line)} characters; at most {_LONGEST} are read")

    def model(self, path: Path | None) -> Model:
        """Return the file as a model."""
        self._hierarchy()
        frames, seconds = self._header()
        values = self._numbers(frames)
        name = path.stem if path is not None else "motion"
        order = _by_depth(self.joints)
        skeleton = self._skeleton(order)
        return Model(
            name=name,
            path=path,
            skeleton=skeleton,
            channels=(),
            meshes=(),
            instances=(),
            materials=(),
            images=(),
            skins=(),
            clips=Clips([self._clip(name, skeleton, values, seconds)] if len(values) else []),
            cameras=(),
            facts=Facts(version="", file_bytes=self.size, format="BVH"),
            scene_joints=np.arange(skeleton.count, dtype=np.int32),
            warnings=self.warnings,
        )

    def _error(self, message: str, hint: str = "") -> BvhError:
        place = f"line {max(min(self.line_number, len(self.lines)), 1)}"
        return BvhError(message, file=self.name, place=place, hint=hint)

    def _words(self) -> list[str]:
        """Return the words of the next non-empty line; raises BvhError at the end of the file."""
        while self.line_number < len(self.lines):
            words = self.lines[self.line_number].split()
            self.line_number += 1
            if words:
                return words
        raise self._error("unexpected end of the file", "is the file truncated?")

    def _hierarchy(self) -> None:
        self._words()  # HIERARCHY, checked before
        open_joints: list[int] = []
        while True:
            words = self._words()
            key = words[0].upper()
            if key == "MOTION" and not open_joints:
                break
            if key == "}" and open_joints:
                open_joints.pop()
            elif key in ("ROOT", "JOINT", "END") and (key == "ROOT") == (not open_joints):
                open_joints.append(self._add_joint(words, open_joints[-1] if open_joints else -1))
            elif key == "OFFSET" and open_joints:
                self.joints[open_joints[-1]].offset = self._offset(words)
            elif key == "CHANNELS" and open_joints:
                self._channels(self.joints[open_joints[-1]], words)
            else:
                raise self._error(f"“{shortened(words[0], 40)}” is not expected here")
        if not self.joints:
            raise self._error("the file has no joints")

    def _add_joint(self, words: list[str], parent: int) -> int:
        """Add a joint and return its index; its brace follows on the same line or the next."""
        if words[-1] == "{":
            words = words[:-1]
        elif self._words() != ["{"]:
            raise self._error("an opening brace is missing")
        name = " ".join(words[1:])
        if words[0].upper() == "END":
            name = f"{self.joints[parent].name}_End"
        if len(self.joints) == JOINTS:
            raise self._error(f"more than {JOINTS} joints")
        printable = "".join(c if c.isprintable() else "\ufffd" for c in name)
        self.joints.append(_Joint(printable or f"Joint {len(self.joints)}", parent))
        return len(self.joints) - 1

    def _offset(self, words: list[str]) -> tuple[float, float, float]:
        try:
            x, y, z = map(float, words[1:])
        except ValueError:
            raise self._error("OFFSET must be three numbers") from None
        if not all(abs(value) <= LARGEST for value in (x, y, z)):
            raise self._error("the OFFSET is too large")
        return x, y, z

    def _channels(self, joint: _Joint, words: list[str]) -> None:
        names = [word.capitalize() for word in words[2:]]
        valid_names = [n for n in names if n[:1] in _AXES and n[1:] in ("position", "rotation")]
        if words[1:2] != [str(len(names))] or valid_names != names or len(set(names)) != len(names):
            raise self._error(
                "CHANNELS must be a count and that many different names of Xposition … Zrotation"
            )
        if joint.channels:
            raise self._error("a second CHANNELS line for the same joint")
        joint.channels, joint.first = names, self.columns
        self.columns += len(names)

    def _header(self) -> tuple[int, float]:
        """Return the number of frames and the frame time in seconds."""
        words = self._words()
        if len(words) != 2 or words[0].upper() != "FRAMES:" or not words[1].isdecimal():
            raise self._error("expected “Frames:” and a number")
        frames = int(words[1][:18])
        words = self._words()
        try:
            seconds = float(words[-1]) if words[0].upper() == "FRAME" else np.nan
        except ValueError:
            seconds = np.nan
        if not 0 < seconds < 1e6 and not (frames < 2 and 0 <= seconds < 1e6):
            raise self._error("expected “Frame Time:” and seconds above 0")
        return frames, seconds

    def _numbers(self, frames: int) -> F64:
        """Return the channel values of the complete frames [F, columns]."""
        begin = self.line_number
        if not self.columns:
            return np.zeros((0, 0))
        blocks = []
        count = _SLICE // max(map(len, self.lines))
        for k in range(begin, len(self.lines), count):
            blocks.append(self._block(k, count))
        values = np.concatenate([np.zeros(0), *blocks])
        complete = len(values) // self.columns
        if complete < frames or len(values) % self.columns:
            self.warnings.append(
                f"line {begin}: {frames} frames of {self.columns} numbers expected, "
                f"but found {len(values)} numbers; {min(complete, frames)} frames are read"
            )
        elif complete > frames:
            self.warnings.append(f"line {begin}: {complete - frames} extra frames are ignored")
        return values[: min(complete, frames) * self.columns].reshape(-1, self.columns)

    def _block(self, k: int, count: int) -> F64:
        """Return the numbers of some lines, from line `k`."""
        rows = self.lines[k : k + count]
        try:
            found = np.array(" ".join(rows).split(), np.float64)
            if bool((np.abs(found) <= LARGEST).all()):
                return found
        except ValueError:
            pass
        self.line_number = k + 1 + next(n for n, row in enumerate(rows) if not _is_valid(row))
        raise self._error("a value is not a number, or too large")

    def _skeleton(self, order: list[int]) -> Skeleton:
        joint_of = {index: joint for joint, index in enumerate(order)}
        joints = [self.joints[index] for index in order]
        count = len(joints)
        rest = Pose(
            np.array([joint.offset for joint in joints], np.float32),
            np.tile(np.array([0, 0, 0, 1], np.float32), (count, 1)),
            np.ones((count, 3), np.float32),
            np.zeros(0, np.float32),
        )
        names = unique_names([{"name": joint.name} for joint in self.joints], "Joint")
        return Skeleton(
            tuple(names[index] for index in order),
            np.array([joint_of.get(joint.parent, -1) for joint in joints], np.int32),
            np.array(order, np.int32),
            rest,
        )

    def _clip(self, name: str, skeleton: Skeleton, values: F64, seconds: float) -> Clip:
        times = (np.arange(len(values)) * seconds).astype(np.float32)
        tracks = []
        for target, index in enumerate(skeleton.nodes.tolist()):
            joint = self.joints[index]
            columns = values[:, joint.first : joint.first + len(joint.channels)]
            kinds = [channel[1:] for channel in joint.channels]
            if "position" in kinds:
                translations = _translations(joint, columns)
                tracks.append(Track(target, "translation", "LINEAR", times, translations))
            if "rotation" in kinds:
                rotations = _rotations(joint, columns)
                tracks.append(Track(target, "rotation", "LINEAR", times, rotations))
        return Clip.of(name, tracks, skeleton.rest)


def _translations(joint: _Joint, columns: F64) -> F32:
    """Return the translations [F, 3], local space; axes without a channel have the offset."""
    translations = np.tile(np.array(joint.offset), (len(columns), 1))
    for k, channel in enumerate(joint.channels):
        if channel.endswith("position"):
            translations[:, _AXES[channel[0]]] = columns[:, k]
    return translations.astype(np.float32)


def _rotations(joint: _Joint, columns: F64) -> F32:
    """Return the rotations [F, 4]: products of the channels in file order, sign-continuous."""
    rotations = np.tile(np.array([0.0, 0.0, 0.0, 1.0]), (len(columns), 1))
    for k, channel in enumerate(joint.channels):
        if channel.endswith("rotation"):
            half = np.radians(np.fmod(columns[:, k], 720.0)) / 2
            rotation = np.zeros_like(rotations)
            rotation[:, _AXES[channel[0]]], rotation[:, 3] = np.sin(half), np.cos(half)
            rotations = quat.multiply(rotations, rotation)
    return quat.normalize(quat.align_signs(rotations)).astype(np.float32)


def _by_depth(joints: list[_Joint]) -> list[int]:
    """Return the joint indices sorted by depth, then by file order."""
    depths: list[int] = []
    for joint in joints:
        depths.append(depths[joint.parent] + 1 if joint.parent >= 0 else 0)
    return sorted(range(len(joints)), key=depths.__getitem__)


def _is_valid(row: str) -> bool:
    try:
        return all(abs(float(word)) <= LARGEST for word in row.split())
    except ValueError:
        return False
