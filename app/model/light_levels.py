"""Light levels: the illuminance of a file's lights at its model, for exposure.

Exporters disagree by a factor of 683 about the unit of intensity (lumens or watts), so that a scene
that is well lit in one program is overexposed in another.
"""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F32, F64
from ..animation.vectors import extent
from .model import LightSource, Model

WHITE = np.pi  # lux at normal incidence that renders a white surface as white
LIMIT = 2.0  # greatest EV over white without a correction
_POINTER = "/extensions/KHR_lights_punctual/lights/"


@dataclass(frozen=True, slots=True)
class LightLevel:
    """Exposure of a white surface at the model that faces the brightest light of the file.

    Measured in the rest pose, with the greatest intensity of a light in any clip.
    """

    over: float  # EV over white; -inf: no light is ever on

    @property
    def shines(self) -> bool:
        """Whether any light is on at some time."""
        return self.over > -np.inf

    @property
    def gain(self) -> float:
        """Factor of all lights of the file: 1, or less if they are too bright."""
        return 2.0**-self.over if self.over > LIMIT else 1.0


def light_level(model: Model) -> LightLevel:
    """Return the light level of a model's lights."""
    lux = 0.0
    if model.lights:
        matrices = model.skeleton.to_model(model.skeleton.rest)
        points = _points(model, matrices)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        radius = float(np.linalg.norm(np.ptp(points, axis=0))) / 2
        for source in model.lights:
            place = matrices[source.joint, :3, 3].astype(np.float64)
            away = float(np.linalg.norm(place - middle))
            lux = max(lux, _strongest(model, source) * _arrives(source, away, radius))
    with np.errstate(divide="ignore"):
        return LightLevel(float(np.log2(min(lux, 1e30) / WHITE)))


@np.errstate(all="ignore")  # non-finite points are dropped
def _points(model: Model, matrices: F32) -> F64:
    """Return points [N, 3] that bound the meshes, metres; at least one."""
    found: list[F32 | F64] = [np.zeros((0, 3))]
    for instance in model.instances:
        placed = matrices[instance.joint]
        if instance.skin >= 0:  # its joints, and the mesh transformed by the first of them
            skin = model.skins[instance.skin]
            found.append(matrices[skin.joints, :3, 3])
            placed = matrices[skin.joints[0]] @ skin.inverse_bind[0]
        for part in model.drawn_mesh(instance).primitives:
            if len(part.positions):
                ends = extent(part.positions)
                corners = np.stack(np.meshgrid(*ends.T), axis=-1).reshape(-1, 3)
                found.append(corners @ placed[:3, :3].T + placed[:3, 3])
    points = np.concatenate(found).astype(np.float64)
    points = points[np.isfinite(points).all(axis=-1)]
    return points if len(points) else np.zeros((1, 3))


def _strongest(model: Model, source: LightSource) -> float:
    """Return a light's greatest intensity: lux if directional, else candela."""
    most = {"intensity": source.intensity, "color": max(source.color)}
    for number, channel in enumerate(model.channels):
        pointer, _, name = channel.pointer.rpartition("/")
        if pointer != f"{_POINTER}{source.number}" or name not in most:
            continue
        for clip in model.clips:
            for track in clip.tracks:
                if track.path == "values" and track.target == number:
                    most[name] = max(most[name], float(track.values.max(initial=0.0)))
    return float(most["intensity"] * most["color"])


def _arrives(source: LightSource, away: float, radius: float) -> float:
    """Return the attenuation of a light `away` metres from a model of radius `radius` metres."""
    if source.kind == "directional":
        return 1.0
    if 0 < source.range < away - radius:
        return 0.0
    return 1 / max(away, radius, 1e-6) ** 2
