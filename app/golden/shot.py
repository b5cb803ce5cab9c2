"""How a picture was taken: its camera, and where the joints were. A golden stores it as JSON."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from zlib import crc32

import numpy as np

from ..animation.types import U8
from ..scene.camera import OrbitCamera
from ..scene.origin import place_points
from ..scene.scene import Scene

MOST_JOINTS = 4096  # of a character, stored with a picture
_NAMED = 6  # joints in one sentence
_DECIMALS = 5  # of positions in metres
_NUMBERS = ("distance", "azimuth", "elevation", "fov")  # of a camera


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """The camera of a picture, and the joints of its characters.

    Attributes
    ----------
    options
        The options that placed the camera, and what it framed (`fit`), by name.
    camera
        The camera as these options placed it, before it followed root motion.
    joints
        For each character the positions [3] of its joints by name, world space, metres.
    """

    options: Mapping[str, Any]
    camera: OrbitCamera
    joints: Sequence[Mapping[str, Sequence[float]]] = ()

    @classmethod
    def of(cls, scene: Scene, camera: OrbitCamera, options: Mapping[str, Any]) -> Self:
        """Return the shot of a scene as of its last update."""
        joints = []
        for character in scene.characters:
            rows = character.drawn_joints.joints[:MOST_JOINTS]
            points = place_points(character.world, character.matrices[rows, :3, 3])
            names = [character.model.skeleton.names[row] for row in rows.tolist()]
            joints.append(dict(zip(names, points.round(_DECIMALS).tolist(), strict=True)))
        return cls(options, camera, joints)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the shot of a JSON text (ValueError: it is not one)."""
        try:
            stored = json.loads(text)
            options, camera, joints = stored["options"], stored["camera"], stored["joints"]
            numbers = {name: float(camera[name]) for name in _NUMBERS}
            target = np.array(_point(camera["target"]))
            placed = OrbitCamera(target, ortho=camera["ortho"] is True, **numbers)
            places = [{name: _point(each[name]) for name in each} for each in joints]
            shot = cls(dict(options), placed, places)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"its camera cannot be read: {error!r}") from None
        sizes = (placed.distance, placed.fov, math.pi - placed.fov)
        if not (np.isfinite([*target, *numbers.values()]).all() and min(sizes) > 0.0):
            raise ValueError("its camera has numbers out of range")
        return shot

    def as_text(self) -> str:
        """Return the shot as JSON."""
        numbers = {name: getattr(self.camera, name) for name in _NUMBERS}
        camera = numbers | {"target": self.camera.target.tolist(), "ortho": self.camera.ortho}
        stored = {"options": self.options, "camera": camera, "joints": self.joints}
        return json.dumps(stored, separators=(",", ":"))

    @property
    def described(self) -> str:
        """The options as text."""
        return ", ".join(f"{name}={value!r}" for name, value in self.options.items())

    def has_options_of(self, other: "Shot") -> bool:
        """Return whether the same options placed both cameras."""
        one, two = (json.dumps(shot.options, sort_keys=True) for shot in (self, other))
        return one == two

    def has_camera_of(self, other: "Shot") -> bool:
        """Return whether the cameras are equal but for rounding."""
        one, two = (
            [*shot.camera.target, *(getattr(shot.camera, name) for name in _NUMBERS)]
            for shot in (self, other)
        )
        return np.allclose(one, two, rtol=1e-9, atol=1e-9)


class Picture(np.ndarray[Any, np.dtype[np.uint8]]):
    """A picture [H, W, 4] with its shot, which arrays computed from it do not have.

    Attributes
    ----------
    shot
        None: not taken by an orbit camera.
    redraw
        Returns the picture that another camera takes.
    """

    shot: Shot | None = None
    redraw: "Callable[[OrbitCamera], Picture]"
    _checksum = 0

    @classmethod
    def of(
        cls, pixels: U8, shot: Shot | None, redraw: "Callable[[OrbitCamera], Picture]"
    ) -> "Picture":
        """Return the picture of pixels [H, W, 4]."""
        picture = pixels.view(cls)
        picture.shot, picture.redraw, picture._checksum = shot, redraw, crc32(pixels.data)
        return picture

    @property
    def is_unchanged(self) -> bool:
        """Whether the pixels are those that were drawn."""
        return crc32(np.ascontiguousarray(self).data) == self._checksum


def shot_of(image: object) -> Shot | None:
    """Return the shot of a picture as it was drawn, None of other arrays."""
    return image.shot if isinstance(image, Picture) and image.is_unchanged else None


def differences_of_shots(before: Shot, after: Shot) -> list[str]:
    """Return sentences about other options of the camera and the joints that moved most."""
    said = []
    if not after.has_options_of(before):
        said.append(f"the camera has other options: {after.described}, not {before.described}")
    moved = sorted(_moved(before, after), key=lambda each: -each[1])  # parents before children
    if moved:
        named = [f"{name} {amount:g} mm" for name, amount in moved[:_NAMED]]
        more = f" and {len(moved) - _NAMED} more" if moved[_NAMED:] else ""
        said.append(f"joints moved: {', '.join(named)}{more}")
    return said


def _moved(before: Shot, after: Shot) -> Iterator[tuple[str, float]]:
    """Yield the joints of both shots that moved, with the distance to 0.1 millimetres."""
    several = len(after.joints) > 1
    for number, (old, new) in enumerate(zip(before.joints, after.joints, strict=False), 1):
        for name in [name for name in new if name in old]:
            amount = round(1e3 * math.dist(old[name], new[name]), 1)
            if amount > 0.0:
                yield f"{name!r} of character {number}" if several else repr(name), amount


def _point(values: Sequence[float]) -> list[float]:
    x, y, z = values
    return [float(x), float(y), float(z)]
