"""KHR_animation_pointer values: animated materials, lights, cameras and visibility.

`rigview.gltf.pointers` lists the supported pointers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..animation.types import F32, Bool
from .light_levels import LightLevel, light_level
from .material import FACTORS, TEXTURES, Material, TextureRef
from .model import CameraView, Channel, LightSource, Model

_LIGHTS = "/extensions/KHR_lights_punctual/lights/"
_VISIBLE = "/extensions/KHR_node_visibility/visible"
_TRANSFORM = "/extensions/KHR_texture_transform/"
_FACTORS = {row.path: row for row in FACTORS.values()}
_TEXTURES = {row.path: row for row in TEXTURES.values()}
_CONES = {"spot/innerConeAngle": "inner", "spot/outerConeAngle": "outer"}
_MIN_RANGE = 1e-6  # lower bound of the range of a light

AnimatedProperties = tuple[tuple[str, Channel], ...]  # property and its channel


@dataclass(frozen=True)
class PointerValues:
    """What KHR_animation_pointer animates in a model; joints and morph weights are not included."""

    model: Model

    @cached_property
    def materials(self) -> Mapping[int, AnimatedProperties]:
        """Animated materials by index, each with its animated properties."""
        return self._by_number("/materials/")

    @cached_property
    def lights(self) -> Mapping[int, AnimatedProperties]:
        """Animated lights by index in the file."""
        return self._by_number(_LIGHTS)

    @cached_property
    def light_level(self) -> LightLevel:
        """The brightness of its lights."""
        return light_level(self.model)

    @cached_property
    def cameras(self) -> Mapping[int, AnimatedProperties]:
        """Animated cameras by index in the file."""
        return self._by_number("/cameras/")

    @cached_property
    def switches(self) -> tuple[Channel, ...]:
        """The channels of animated visibility."""
        return tuple(
            channel for channel in self.model.channels if channel.pointer.endswith(_VISIBLE)
        )

    def _by_number(self, prefix: str) -> dict[int, AnimatedProperties]:
        found: dict[int, list[tuple[str, Channel]]] = {}
        for channel in self.model.channels:
            if channel.pointer.startswith(prefix):
                number, _, name = channel.pointer.removeprefix(prefix).partition("/")
                found.setdefault(int(number), []).append((name, channel))
        return {number: tuple(moves) for number, moves in found.items()}

    @cached_property
    def never_visible(self) -> frozenset[int]:
        """Joints whose meshes are never visible."""
        switched = {channel.joint for channel in self.switches}
        found = set[int]()
        for joint, parent in enumerate(self.model.skeleton.parents.tolist()):
            if parent in found or joint in self.model.hidden_by_node - switched:
                found.add(joint)
        return frozenset(found)

    def hidden(self, values: F32) -> frozenset[int]:
        """Return the joints whose meshes are hidden at values [P]."""
        if not self.animates_visibility:
            return self.model.hidden
        return frozenset(np.flatnonzero(self.off(values)).tolist())

    @property
    def animates_visibility(self) -> bool:
        """Whether any visibility is animated."""
        return bool(self.switches)

    def off(self, values: F32) -> Bool:
        """Return which joints' meshes are hidden [..., J] at values [..., P]."""
        skeleton = self.model.skeleton
        off = np.zeros((*values.shape[:-1], skeleton.count), bool)
        off[..., list(self.model.hidden_by_node)] = True
        for channel in self.switches:
            off[..., channel.joint] = values[..., channel.start] < 0.5
        for level in skeleton.levels[1:]:
            off[..., level] |= off[..., skeleton.parents[level]]
        return off

    def material(self, number: int, values: F32) -> Material:
        """Return a material at values [P]."""
        material = self.model.materials[number]
        changes: dict[str, Any] = {}
        for name, channel in self.materials.get(number, ()):
            value = tuple(float(x) for x in values[channel.slice])
            if name in _FACTORS:
                factor = _FACTORS[name]
                changes[factor.name] = factor.value(factor.clamped(value))
                continue
            owner, _, part = name.partition(_TRANSFORM)
            field = _TEXTURES[owner].name
            ref = changes.get(field) or material.value(field)
            if isinstance(ref, TextureRef):
                moved: dict[str, Any] = {part: value if len(value) > 1 else value[0]}
                changes[field] = replace(ref, **moved)
        if material.ior == 0:  # special value of KHR_materials_ior, not animated
            changes.pop("ior", None)
        return material.changed(changes)

    def light(self, source: LightSource, values: F32) -> LightSource:
        """Return a light at values [P]."""
        changes: dict[str, Any] = {}
        for name, channel in self.lights.get(source.number, ()):
            value = tuple(max(float(x), 0.0) for x in values[channel.slice])
            changes[_CONES.get(name, name)] = value if len(value) > 1 else value[0]
        if "range" in changes:
            changes["range"] = max(changes["range"], _MIN_RANGE)  # 0 would be infinite
        return replace(source, **changes) if changes else source

    def camera(self, view: CameraView, values: F32) -> CameraView:
        """Return a camera of the file at values [P]."""
        changes: dict[str, Any] = {
            name.partition("/")[2]: float(values[channel.start])
            for name, channel in self.cameras.get(view.number, ())
            if name.startswith(view.kind)
        }
        return replace(view, **changes).usable() if changes else view
