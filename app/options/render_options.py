"""The options of `rigview.render`, with the types of their values in Python."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal, TypedDict

from ..fields.readers import Number, Numbers
from ..scenedoc.view_modes import ViewMode

Path = str | PathLike[str]


class RenderOptions(TypedDict, total=False):
    """Options of the command `render`, with ``_`` for ``-``; None: not given.

    The manual explains them: docs/commands.md, docs/views.md. `tests.tools.render_options` writes
    the types from the table of options.
    """

    offset: Number | Sequence[Number | None] | None
    speed: Number | Sequence[Number | None] | None
    loop: str | int | Sequence[str | int | None] | None
    trim: bool | None
    motion: Path | Sequence[Path | None] | None
    no_motion: bool | None
    set: str | Sequence[str] | Mapping[str, object] | None
    at: str | Sequence[str] | None
    all_clips: bool | None
    attach: str | Sequence[str] | None
    phase: Numbers | None
    frame: Numbers | None
    anims: Path | Sequence[Path] | None
    force: bool | None
    key_rotation: Literal["slerp", "nlerp"] | None
    frame_rate: Number | None
    hide: Number | Sequence[Number] | None
    active: Number | None
    same_size: bool | None
    compare: Literal["side-by-side", "overlaid", "wipe", "error"] | None
    wipe: Number | None
    view: Literal["front", "right", "back", "left", "top", "bottom", "iso"] | None
    camera: str | None
    camera_position: Numbers | None
    camera_target: Numbers | None
    camera_fov: Number | None
    camera_azimuth: Number | None
    camera_elevation: Number | None
    ortho: bool | None
    camera_follow: Literal["root", "selection", "none"] | None
    fit: Literal["clip", "pose", "rest"] | None
    variant: str | Sequence[str | None] | None
    hide_mesh: str | Sequence[str | None] | None
    hide_joints: str | Sequence[str | None] | None
    resolution: Numbers | None
    select: str | None
    samples: Number | None
    crowd: str | int | None
    in_step: bool | None
    skeleton: bool | None
    bones: Literal["octahedra", "lines"] | None
    joint_names: bool | None
    axes: bool | None
    ghost: Literal["rest", "bind"] | None
    joint_path: bool | None
    onion_skins: Number | None
    onion_step: Number | None
    overlay_depth: bool | None
    wireframe: bool | None
    bounds: bool | None
    grid: bool | None
    shadow: bool | None
    occlusion: bool | None
    weights: str | None
    view_mode: ViewMode | None
    tone_mapping: Literal["neutral", "aces", "linear", "none"] | None
    exposure: Number | None
    light: Literal["key", "none"] | None
    light_azimuth: Number | None
    light_elevation: Number | None
    light_rim: Number | None
    environment: Path | None
    environment_rotation: Number | None
    background: str | Sequence[str] | None
    no_background: bool | None
    environment_background: bool | None
    environment_blur: Number | None
    root: Path | None
    blender: str | None
    convert_timeout: Number | None
    max_memory: Number | None
    verbose: bool | None
    quiet: bool | None
