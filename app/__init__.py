"""Rigview: a viewer and headless tool for animated glTF characters.

Each public name is imported from its module when it is first used, so that ``import rigview`` costs
nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .animation.bezier import Bezier, Hermite
    from .animation.clip import Clip
    from .animation.keys import Key, make_track
    from .animation.model_space import set_joint_matrix
    from .animation.playback import Playback
    from .animation.pose import Pose
    from .animation.resample import resample
    from .animation.skeleton import Skeleton
    from .animation.skin import Skin
    from .animation.track import Track
    from .api import attach, bake, bind, blend, check, diff, load, retarget, save
    from .blending.blend_space import BlendSpace1D, BlendSpace2D
    from .blending.layers import Layer
    from .blending.mask import Mask
    from .blending.mixer import Mixer
    from .checks.finding import Finding
    from .checks.own_rules import RuleContext, rule
    from .differences.difference import Difference
    from .errors import AppError
    from .model.model import Model
    from .motion.document import MotionDoc
    from .motion.read import read_motion
    from .scene.character import Character
    from .scenedoc.scene_doc import SceneDoc
    from .tasks.character_page import page
    from .tasks.still_pictures import render
    from .version import __version__

__all__ = [
    "AppError",
    "Bezier",
    "BlendSpace1D",
    "BlendSpace2D",
    "Character",
    "Clip",
    "Difference",
    "Finding",
    "Hermite",
    "Key",
    "Layer",
    "Mask",
    "Mixer",
    "Model",
    "MotionDoc",
    "Playback",
    "Pose",
    "RuleContext",
    "SceneDoc",
    "Skeleton",
    "Skin",
    "Track",
    "__version__",
    "attach",
    "bake",
    "bind",
    "blend",
    "check",
    "diff",
    "load",
    "make_track",
    "page",
    "read_motion",
    "render",
    "resample",
    "retarget",
    "rule",
    "save",
    "set_joint_matrix",
]

_MODULES = {
    "AppError": "errors",
    "Bezier": "animation.bezier",
    "BlendSpace1D": "blending.blend_space",
    "BlendSpace2D": "blending.blend_space",
    "Character": "scene.character",
    "Clip": "animation.clip",
    "Difference": "differences.difference",
    "Finding": "checks.finding",
    "Hermite": "animation.bezier",
    "Key": "animation.keys",
    "Layer": "blending.layers",
    "Mask": "blending.mask",
    "Mixer": "blending.mixer",
    "Model": "model.model",
    "MotionDoc": "motion.document",
    "Playback": "animation.playback",
    "Pose": "animation.pose",
    "RuleContext": "checks.own_rules",
    "SceneDoc": "scenedoc.scene_doc",
    "Skeleton": "animation.skeleton",
    "Skin": "animation.skin",
    "Track": "animation.track",
    "__version__": "version",
    "attach": "api",
    "bake": "api",
    "bind": "api",
    "blend": "api",
    "check": "api",
    "diff": "api",
    "load": "api",
    "make_track": "animation.keys",
    "page": "tasks.character_page",
    "read_motion": "motion.read",
    "render": "tasks.still_pictures",
    "resample": "animation.resample",
    "retarget": "api",
    "rule": "checks.own_rules",
    "save": "api",
    "set_joint_matrix": "animation.model_space",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type is that of the name asked for
    """Import a public name from its module on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(_MODULES)
