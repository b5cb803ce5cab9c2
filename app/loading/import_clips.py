"""Import clips of other files into a model: copied for equal skeletons, else retargeted.

::

    model, imports = import_clips(model, ["run.glb", "capture.bvh"])
    model, imports = import_clips(model, doc.anims.files, doc.anims.names, doc.retarget,
                                  folder=motion_file.parent, root=root)

Imported clips follow the model's own. Names are made unique (`Walk #2`); `run:Walk` (file stem and
original name) always finds a clip. `imports` has an `ImportedFile` for each file.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Track
from ..animation.types import I32
from ..errors import AppError, MotionError
from ..model.model import Channel, Model
from ..model.skin_joints import mapped_skeleton_of
from ..motion.document import MotionDoc, RetargetSettings
from ..retargeting.joint_matching import MappedSkeleton, match
from ..retargeting.retarget import Retarget
from ..retargeting.same_skeleton import copy_to, same_skeleton
from ..tomlfile.toml_errors import motion_error
from ..wording import counted
from .load import load
from .retarget_setup import (
    hips_of,
    joint_mapping_of,
    parse_reference,
    retarget_skeleton_of,
)

NO_LEGS = "leg_ik: no legs (upper leg, lower leg and foot) were found in both skeletons"

if TYPE_CHECKING:
    from ..motion.read import MotionFile


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The result of importing the clips of one file."""

    file: str
    clips: tuple[str, ...]  # names in the model
    verbatim: bool  # tracks were copied: the skeletons are equal
    matched: tuple[tuple[str, str], ...]  # names of source joint and target joint
    unmatched: tuple[str, ...]  # target joints that stay in the rest pose
    extra: tuple[str, ...]  # source joints without a target joint
    scale: float  # of the translation of hips and root
    warnings: tuple[str, ...] = ()  # from loading and retargeting

    @property
    def summary(self) -> str:
        """One line for the user."""
        clips = counted(len(self.clips), "animation")
        if self.verbatim:
            return f"{clips}, verbatim: equal skeletons"
        total = len(self.matched) + len(self.unmatched)
        return (
            f"{clips}, retargeted: {len(self.matched)} of {total} joints matched, "
            f"{len(self.unmatched)} at rest, {len(self.extra)} extra"
        )

    @property
    def details(self) -> tuple[str, ...]:
        """The names of clips and joints, one line for each kind."""
        pairs = (one if one == two else f"{one} = {two}" for one, two in self.matched)
        lines = {
            "animations": ", ".join(self.clips),
            "matched": ", ".join(pairs),
            "at rest": ", ".join(self.unmatched),
            "extra": ", ".join(self.extra),
        }
        return tuple(f"{kind}: {text}" for kind, text in lines.items() if text)


def import_clips(
    model: Model,
    files: Sequence[str | Path],
    names: Mapping[str, str] | None = None,
    settings: RetargetSettings | None = None,
    *,
    folder: Path | None = None,
    root: Path | None = None,
) -> tuple[Model, tuple[ImportedFile, ...]]:
    """Return the model with the clips of other files added, and the result for each file.

    Parameters
    ----------
    files
        glTF or .bvh files, as given by the user.
    names
        Target joint patterns by source joint pattern, as in a motion file; other joints are
        matched by name and alias.
    folder
        Folder of relative names; files must lie in it or in `root`. None: no restriction, for
        files given on the command line.
    root
        Folder that files must lie in.

    Raises
    ------
    AppError
        A file cannot be read, or a named joint does not exist.
    """
    if not files:
        return model, ()
    names, settings = names or {}, settings or RetargetSettings()
    paths = [_resolve_path(k, file, folder, root) for k, file in enumerate(files)]
    sources = [_load(k, path, folder, root) for k, path in enumerate(paths)]
    _check_names(model, sources, names, settings)
    clips, aliases, report = list(model.clips), dict(model.aliases), []
    for path, file, source in zip(paths, files, sources, strict=True):
        imported, result = _import_file(source, model, names, settings)
        taken = {clip.name for clip in clips}
        clip_names = []
        for clip in imported:
            aliases.setdefault(f"{path.stem}:{clip.name}", len(clips))
            named = replace(
                clip, name=_unique_name(clip.name, taken), rest=model.skeleton.rest.rotation
            )
            clips.append(named)
            taken.add(clips[-1].name)
            clip_names.append(clips[-1].name)
        report.append(replace(result, file=str(file), clips=tuple(clip_names)))
    extended = replace(model, clips=tuple(clips), aliases=MappingProxyType(aliases))
    return extended, tuple(report)


def _resolve_path(k: int, file: str | Path, folder: Path | None, root: Path | None) -> Path:
    """Return the path of a file; files of a motion file must lie in the permitted folder."""
    if folder is None:
        return Path(file)
    try:
        path = (folder / file).resolve()
        allowed = (root or folder).resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL, a name too long
        raise motion_error(("anims", "files", k), "invalid file name") from None
    if not path.is_relative_to(allowed):
        raise motion_error(
            ("anims", "files", k),
            f"{str(file)!r} lies outside {allowed}",
            hint="give a folder that contains both with --root",
        )
    return folder / file


def _load(k: int, path: Path, folder: Path | None, root: Path | None) -> Model:
    """Return the model of a file; for a file of a motion file, errors name its key there."""
    try:
        return load(path, root=root)
    except AppError as error:
        if folder is None:
            raise
        raise motion_error(("anims", "files", k), str(error)) from None


def _check_names(
    model: Model, sources: Sequence[Model], names: Mapping[str, str], settings: RetargetSettings
) -> None:
    """Check that all joints named without wildcards exist."""
    known = [name for source in sources for name in source.skeleton.names]
    target_body = model.skeleton.names
    for name, meant in names.items():
        if "*" not in name and name not in known:
            message = f"no joint {name!r} in the files"
            raise motion_error(("anims", "names", name), message, wrong=name, known=known)
        if meant and "*" not in meant and meant not in target_body:
            message = f"no joint {meant!r}"
            raise motion_error(("anims", "names", name), message, wrong=meant, known=target_body)
    for key, joint, known_names in (
        ("hips", settings.hips, target_body),
        ("root", settings.root, target_body),
        ("source_hips", settings.source_hips, known),
    ):
        if joint is not None and joint not in known_names:
            raise motion_error(
                ("retarget", key), f"no joint {joint!r}", wrong=joint, known=known_names
            )


def _unique_name(name: str, taken: set[str]) -> str:
    """Return a clip name with a number if `name` is in use."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} #{number}"
    return free


def _import_file(
    source: Model, model: Model, names: Mapping[str, str], settings: RetargetSettings
) -> tuple[list[Clip], ImportedFile]:
    """Return the clips of a source model as clips of the target model, and the result."""
    source_body, target_body = mapped_skeleton_of(source), mapped_skeleton_of(model)
    if not len(source_body.joints) or not len(target_body.joints):
        return [], _result(
            source, source_body, target_body, np.full(target_body.skeleton.count, -1, np.int32)
        )
    hips = (
        hips_of(source, source_body, settings.source_hips),
        hips_of(model, target_body, settings.hips),
    )
    values = [_morph_tracks(source, model, clip) for clip in source.clips]
    mapping = match(source_body, target_body, names, [hips])
    same = same_skeleton(source_body, target_body, hips, source.clips)
    if (
        same is not None
        and (mapping[same[mapping[target_body.joints]]] == mapping[target_body.joints]).all()
    ):
        mapping = np.full(target_body.skeleton.count, -1, np.int32)
        mapping[same[same >= 0]] = np.flatnonzero(same >= 0)
        result = replace(_result(source, source_body, target_body, mapping), verbatim=True)
        both = zip(source.clips, values, strict=True)
        return [copy_to(clip, same, tracks) for clip, tracks in both], result
    references = (
        parse_reference(source, settings.source_reference, True),
        parse_reference(model, settings.reference, False),
    )
    retarget = Retarget(
        retarget_skeleton_of(source, source_body, hips[0], references[0], skin=settings.leg_ik),
        retarget_skeleton_of(model, target_body, hips[1], references[1], skin=settings.leg_ik),
        joint_mapping_of(source_body, target_body, mapping, hips, settings.root),
        align_poses=settings.stance,
        leg_ik=settings.leg_ik,
    )
    clips = []
    for clip, tracks in zip(source.clips, values, strict=True):
        imported = retarget.convert(clip)
        clips.append(replace(imported, tracks=(*imported.tracks, *tracks)))
    result = replace(_result(source, source_body, target_body, mapping), scale=retarget.scale)
    if settings.leg_ik and not retarget.legs:
        result = replace(result, warnings=(*result.warnings, NO_LEGS))
    return clips, result


def _result(
    source: Model, source_body: MappedSkeleton, target_body: MappedSkeleton, mapping: I32
) -> ImportedFile:
    """Return the result of an import, with the joint mapping `mapping` [J] as names."""
    names, others = source_body.skeleton.names, target_body.skeleton.names
    matched = np.flatnonzero(mapping >= 0)
    return ImportedFile(
        file="",
        clips=(),
        verbatim=False,
        matched=tuple((names[mapping[j]], others[j]) for j in matched.tolist()),
        unmatched=tuple(others[j] for j in target_body.joints.tolist() if mapping[j] < 0),
        extra=tuple(
            names[j] for j in source_body.joints.tolist() if j not in set(mapping.tolist())
        ),
        scale=1.0,
        warnings=tuple(source.warnings),
    )


def _morph_tracks(source: Model, model: Model, clip: Clip) -> list[Track]:
    """Return tracks of the morph weights that exist in both models, matched by name."""
    source_tracks: dict[int, list[Track]] = {}
    for track in clip.tracks:
        if track.path == "values":
            source_tracks.setdefault(track.target, []).append(track)
    source_names = {
        channel: names for channel, names in morph_names(source).items() if channel in source_tracks
    }
    tracks: list[Track] = []
    for channel, names in morph_names(model).items():
        best = max(source_names, key=lambda c: len(set(source_names[c]) & set(names)), default=-1)
        if best >= 0:
            source_weights = [
                source_names[best].index(name) if name in source_names[best] else -1
                for name in names
            ]
            tracks += _weights(
                source_tracks[best], source.channels[best], channel, model, source_weights
            )
    return tracks


def _weights(
    tracks: list[Track], source: Channel, channel: int, model: Model, source_weights: list[int]
) -> Iterator[Track]:
    """Yield the tracks of a weights channel; `source_weights` has the source index or -1."""
    slot = model.channels[channel]
    for track in tracks:
        first, width = track.start - source.start, track.values.shape[1]
        pairs = [(k, n - first) for k, n in enumerate(source_weights) if 0 <= n - first < width]
        if not pairs:
            continue
        whole = width == source.width
        columns, source_columns = (list(column) for column in zip(*pairs, strict=True))
        start, size = (slot.start, slot.width) if whole else (slot.start + columns[0], 1)
        rest = slot.default if whole else slot.default[columns[0] : columns[0] + 1]
        columns = columns if whole else [0]
        keys = np.tile(rest, (len(track.times), 1)).astype(np.float32)
        keys[:, columns] = track.values[:, source_columns]
        tangents = None
        if track.tangents is not None:
            tangents = np.zeros((len(keys), 2, size), np.float32)
            tangents[:, :, columns] = track.tangents[:, :, source_columns]
        yield Track(channel, "values", track.interpolation, track.times, keys, tangents, start)


def morph_names(model: Model) -> dict[int, tuple[str, ...]]:
    """Return the morph target names by weights channel."""
    found = {}
    for instance in model.instances:
        targets = [p.morph for p in model.meshes[instance.mesh].primitives if p.morph is not None]
        if instance.channel >= 0 and targets:
            found[instance.channel] = targets[0].names
    return found


def import_all_clips(
    model: Model,
    motion: "MotionFile | None",
    more: Sequence[str | Path] = (),
    *,
    root: Path | None = None,
) -> tuple[Model, tuple[ImportedFile, ...]]:
    """Return the model with clips of the files in a motion file, then of the files in `more`.

    The motion file's `anims.names` and `[retarget]` apply to both.

    Raises
    ------
    AppError
        See `import_clips`.
    """
    doc = MotionDoc() if motion is None else motion.document
    report: tuple[ImportedFile, ...] = ()
    try:
        if motion is not None and doc.anims.files:
            folder = Path(motion.name).parent
            model, report = import_clips(
                model, doc.anims.files, doc.anims.names, doc.retarget, folder=folder, root=root
            )
        if more:
            model, added = import_clips(model, more, doc.anims.names, doc.retarget, root=root)
            report += added
    except MotionError as error:
        if motion is None or error.file:
            raise
        raise motion.locate(error) from None
    return model, report
