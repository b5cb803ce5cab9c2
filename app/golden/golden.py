"""A golden file: comparison, update, and the files stored after a failure.

A picture is stored with the name of its renderer, and of the processor if that draws. The same
renderer must reproduce it within a tolerance, by default bit for bit on the same processor; another
renderer must draw a similar picture. It is also stored with its camera, which takes the picture
that is compared with it. Poses are compared as numbers, on every machine.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..animation.types import U8
from ..file_io import read_file, write_file
from ..images.picture_difference import difference_picture, similarity
from .files import (
    BROKEN,
    MAX_BYTES,
    as_arrays,
    as_npz,
    as_pixels,
    as_png,
    check_head,
    read_npz,
    read_png,
    read_shot,
    shown,
)
from .pose_comparison import Limits, differences
from .shot import Picture, Shot, differences_of_shots, shot_of

MOST_DIFFERENCE = 0.02  # mean OKLab distance from what another renderer drew
ON = " on "  # between a renderer and its processor
OTHER_PROCESSOR = 8  # of 255: of pictures that software renderers draw; 4 were seen
LEAST_OVERLAP = 0.985  # intersection over union of the silhouettes
_REPORTED = 8  # reported differences of a pose
_KEPT = ("expected.png", "actual.png", "difference.png", "expected.npz", "actual.npz")

Kind = Literal["same", "loose", "written", "kept", "failed"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Options of the comparison.

    Attributes
    ----------
    update
        Write golden files instead of comparing with them.
    must_exist
        A missing golden file is a failure; otherwise it is written.
    strict
        Pictures of another renderer are a failure, even if similar.
    tolerance
        Greatest difference of a channel, 0 to 255, on the same renderer.
    """

    update: bool = False
    must_exist: bool = False
    strict: bool = False
    tolerance: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for a golden file, with details."""

    kind: Kind
    words: str = ""


@dataclass(frozen=True, slots=True)
class Golden:
    """One stored picture or pose.

    Attributes
    ----------
    stem
        Path of the file, without the ending.
    aside
        Path of the files stored after a failure, without ``-actual.png`` and so on.
    """

    stem: Path
    aside: Path
    rules: Rules

    def picture(self, image: object, made_by: str, tolerance: int | None = None) -> Outcome:
        """Return the result of comparing or writing a picture.

        Parameters
        ----------
        image
            [H, W, 4] or [H, W, 3] uint8, sRGB, straight alpha. A `Picture` is drawn again with the
            camera of the golden if the same options placed another one.
        made_by
            The renderer, "" if it is unknown.
        tolerance
            Overrides the tolerance of the rules.

        Raises
        ------
        UsageError
            The image is not a picture.
        OutputError
            A file cannot be written.
        """
        actual, shot = as_pixels(image), shot_of(image)
        path, data = self._begin(".png"), as_png(actual, made_by, shot)
        if not path.exists():
            return self._absent(path, data)
        try:
            stored = read_file(path, MAX_BYTES, check=check_head)
            (expected, maker), taken = read_png(stored), read_shot(stored)
        except BROKEN as error:
            return self._unreadable(path, data, error)
        again = _drawn_again(image, expected, taken)
        if again is not None:
            actual, shot = as_pixels(again), again.shot
        exactly = _driver(maker) == _driver(made_by) != ""
        limit = self.rules.tolerance if tolerance is None else tolerance
        if maker != made_by:
            limit = max(limit, OTHER_PROCESSOR)
        wrong = _judge(expected, actual, limit if exactly else None)
        if self.rules.update:
            complete = taken is not None or shot is None
            return Outcome("kept") if exactly and complete and not wrong else _write(path, data)
        loosely = f"made by {maker or 'an unknown renderer'}, drawn by {made_by or 'another'}"
        if not wrong and exactly:
            return Outcome("same")
        if not wrong and not self.rules.strict:
            return Outcome("loose", f"{shown(path)} ({loosely})")
        said = [wrong or "another renderer allows only a loose comparison (--golden-strict is set)"]
        said += [] if exactly else [loosely]
        said += [] if taken is None or shot is None else differences_of_shots(taken, shot)
        kept = {
            "expected.png": stored,
            "actual.png": as_png(actual, made_by, shot),
            "difference.png": as_png(difference_picture(expected, actual), ""),
        }
        return self._failure(path, said, kept, "the picture differs from")

    def pose(self, pose: Mapping[str, Any], limits: Limits) -> Outcome:
        """Return the result of comparing or writing the arrays of a pose.

        Raises
        ------
        UsageError
            The arrays do not contain finite numbers or text.
        OutputError
            A file cannot be written.
        """
        actual = as_arrays(pose)
        path, data = self._begin(".npz"), as_npz(actual)
        if not path.exists():
            return self._absent(path, data)
        try:
            stored = read_file(path, MAX_BYTES, check=check_head)
            expected = read_npz(stored)
            wrong = differences(expected, actual, limits, getattr(pose, "joint_names", ()))
        except BROKEN as error:
            return self._unreadable(path, data, error)
        if self.rules.update:
            complete = expected.keys() == actual.keys()
            return Outcome("kept") if complete and not wrong else _write(path, data)
        if not wrong:
            return Outcome("same")
        said = wrong[:_REPORTED] + [f"and {len(wrong) - _REPORTED} more"] * (len(wrong) > _REPORTED)
        kept = {"expected.npz": stored, "actual.npz": data}
        return self._failure(path, said, kept, "the pose differs from")

    def _begin(self, ending: str) -> Path:
        """Delete the files of an earlier failure and return the path of the golden file."""
        for kept in _KEPT:
            if kept.endswith(ending):
                with suppress(OSError):
                    self._beside(kept).unlink()
        return self.stem.with_name(self.stem.name + ending)

    def _absent(self, path: Path, data: bytes) -> Outcome:
        if self.rules.update or not self.rules.must_exist:
            return _write(path, data)
        said = ["not written because CI is set: run with --update-goldens, review and commit it"]
        return self._failure(path, said, {f"actual{path.suffix}": data}, "missing golden file")

    def _unreadable(self, path: Path, data: bytes, error: Exception) -> Outcome:
        if self.rules.update:
            return _write(path, data)
        said = [f"{error}", "--update-goldens writes it again"]
        return self._failure(
            path, said, {f"actual{path.suffix}": data}, "cannot read the golden file"
        )

    def _failure(
        self, path: Path, said: list[str], kept: Mapping[str, bytes], what: str
    ) -> Outcome:
        """Store the files of a failure and return the result with their paths."""
        for kind, data in kept.items():
            write_file(self._beside(kind), data, make_folder=True)
            said = [*said, f"{kind.partition('.')[0]:10} {shown(self._beside(kind))}"]
        return Outcome("failed", "\n  ".join([f"{what} {shown(path)}", *said]))

    def _beside(self, kind: str) -> Path:
        return self.aside.with_name(f"{self.aside.name}-{kind}")


def _driver(made_by: str) -> str:
    """Return the name of a renderer without its processor."""
    return made_by.partition(ON)[0]


def _write(path: Path, data: bytes) -> Outcome:
    write_file(path, data, make_folder=True)
    return Outcome("written", shown(path))


def _drawn_again(image: object, expected: U8, taken: Shot | None) -> Picture | None:
    """Return a picture with the camera of its golden, None if it has that or needs its own."""
    shot = shot_of(image)
    if taken is None or shot is None or not isinstance(image, Picture):
        return None
    own = image.shape != expected.shape or not shot.has_options_of(taken)
    return None if own or shot.has_camera_of(taken) else image.redraw(taken.camera)


def _judge(expected: U8, actual: U8, limit: int | None) -> str:
    """Return the difference of a picture as text, "" for none; without limit, compare loosely."""
    if expected.shape != actual.shape:
        old, new = (f"{shape[1]} x {shape[0]}" for shape in (expected.shape, actual.shape))
        return f"{new} pixels, not {old}"
    found = similarity(expected, actual)
    if limit is None:
        if found.mean <= MOST_DIFFERENCE and found.overlap >= LEAST_OVERLAP:
            return ""
        return (
            f"mean difference {found.mean:.4f} (at most {MOST_DIFFERENCE}), silhouettes overlap "
            f"by {found.overlap:.4f} (at least {LEAST_OVERLAP})"
        )
    if found.greatest <= limit:
        return ""
    share = float((expected != actual).any(axis=-1).mean())
    return (
        f"greatest difference {found.greatest} of 255 (at most {limit}), {share:.2%} of the "
        f"pixels\n  mean difference {found.mean:.4f}, silhouettes overlap by {found.overlap:.4f}"
    )
