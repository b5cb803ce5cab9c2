"""All rules, in the order they are told in: a family a module."""

from .rule import Rule
from .rules import budgets, extensions, names, pops, textures
from .rules import clip_content as clips
from .rules import engine_names as engines
from .rules import floor_penetration as ground
from .rules import foot_sliding as footing
from .rules import inverse_bind as bind
from .rules import joint_scale as scale
from .rules import key_validity as keys
from .rules import load_warnings as oddities
from .rules import loop_seams as seams
from .rules import mesh_geometry as meshes
from .rules import motion_file as motions
from .rules import root_drift as root
from .rules import skin_weights as weights
from .rules import track_timing as tracks
from .rules import unused_data as unused
from .rules import unused_joints as joints
from .rules import weight_reach as reach

RULES: tuple[Rule, ...] = (
    *weights.RULES,
    *reach.RULES,
    *joints.RULES,
    *bind.RULES,
    *scale.RULES,
    *seams.RULES,
    *root.RULES,
    *footing.RULES,
    *ground.RULES,
    *names.RULES,
    *engines.RULES,
    *meshes.RULES,
    *textures.RULES,
    *budgets.RULES,
    *extensions.RULES,
    *unused.RULES,
    *keys.RULES,
    *tracks.RULES,
    *clips.RULES,
    *pops.RULES,
    *motions.RULES,
    *oddities.RULES,  # the last: other rules may have read what it tells of
)


def rule(identity: str) -> Rule:
    """Return the rule of that id (KeyError: there is none)."""
    return {each.id: each for each in RULES}[identity]
