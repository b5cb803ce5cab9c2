"""Import clips of other files into a model: copied for equal skeletons, else retargeted.

::

    model, imports = import_clips(model, ["run.glb", "capture.bvh"])
    model, imports = import_clips(model, doc.anims.files, doc.anims.names, doc.retarget,
                                  folder=motion_file.parent, root=root)

Imported clips follow the model's own. Names are made unique (`Walk #2`); `run:Walk` (file stem and
original name) always finds a clip. `imports` has an `ImportedFile` for each file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Path as TrackPath
from ..animation.track import Track
from ..animation.types import I32
from ..errors import AppError, MotionError, UsageError
from ..model.model import Channel, Model
from ..model.named_clips import Clips
from ..model.skin_joints import mapped_skeleton_of
from ..motion.cut_clips import with_cut_clips
from ..motion.document import MotionDoc, RetargetSettings
from ..motion.file_paths import allowed_path
from ..retargeting.joint_aliases import is_finger
from ..retargeting.joint_matching import MappedSkeleton, MatchKind, given_pairs, match, match_kinds
from ..retargeting.retarget import Retarget
from ..retargeting.same_skeleton import copy_to, renamed_skeleton, same_skeleton
from ..tomlfile.toml_errors import motion_error
from ..wording import counted
from .attachments import with_attachments
from .load import load
from .retarget_setup import (
    hips_of,
    joint_mapping_of,
    parse_reference,
    retarget_skeleton_of,
)

if TYPE_CHECKING:
    from ..motion.read import MotionFile


def morph_tracks(source: Model, model: Model, clip: Clip) -> tuple[list[Track], set[int]]:
    """Return tracks of the morph weights in both models, and the channels they are from.

    Weights are matched by the names of the morph targets; the channels are those of the source.
    """
    source_tracks: dict[int, list[Track]] = {}
    for track in clip.tracks:
        if track.path == "values":
            source_tracks.setdefault(track.target, []).append(track)
    source_names = {
        channel: names for channel, names in morph_names(source).items() if channel in source_tracks
    }
    tracks: list[Track] = []
    channels: set[int] = set()
    for channel, names in morph_names(model).items():
        best = max(source_names, key=lambda c: len(set(source_names[c]) & set(names)), default=-1)
        if best >= 0:
            source_weights = [
                source_names[best].index(name) if name in source_names[best] else -1
                for name in names
            ]
            found = list(
                _weights(source_tracks[best], source.channels[best], channel, model, source_weights)
            )
            tracks += found
            channels |= {best} if found else set()
    return tracks, channels


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


FEW = 1 / 4  # of the joints: fewer matched ones are refused
NO_LEGS = "leg_ik: no legs (upper leg, lower leg and foot) were found in both skeletons"
TURNED = 1e-3  # of a rotation's components: about 0.1 degrees
MOVED = 1e-3  # of the skeleton's size, and of a scale


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The result of importing the clips of one file."""

    matched: tuple[tuple[str, str], ...]  # names of source joint and target joint
    unmatched: tuple[str, ...]  # target joints that stay in the rest pose
    extra: tuple[str, ...]  # source joints without a target joint
    file: str = ""
    clips: tuple[str, ...] = ()  # names in the model
    verbatim: bool = False  # tracks were copied: the skeletons are equal
    scale: float = 1.0  # of the translation of hips and root
    lost: tuple[tuple[str, str], ...] = ()  # tracks that are not imported, and their clips
    warnings: tuple[str, ...] = ()  # from loading and retargeting
    kinds: tuple[MatchKind, ...] = ()  # how each matched pair was found
    hips: tuple[str, str] = ("", "")  # names of the source's and the target's
    few: bool = False  # less than a quarter of the joints match

    @property
    def summary(self) -> str:
        """One line for the user."""
        clips = counted(len(self.clips), "animation")
        if self.verbatim:
            return f"{clips}, verbatim: equal skeletons{self._lost}"
        return (
            f"{clips}, retargeted: {len(self.matched)} of {self.total} joints matched, "
            f"{len(self.unmatched)} at rest, {len(self.extra)} extra{self._lost}"
        )

    @property
    def total(self) -> int:
        """Number of joints of the target."""
        return len(self.matched) + len(self.unmatched)

    @property
    def _lost(self) -> str:
        return f", {counted(len(self.lost), 'track')} lost" if self.lost else ""

    @property
    def details(self) -> tuple[str, ...]:
        """The names of clips and joints, one line for each kind."""
        pairs = (one if one == two else f"{one} = {two}" for one, two in self.matched)
        lines = {
            "animations": ", ".join(self.clips),
            "matched": ", ".join(pairs),
            "at rest": ", ".join(self.unmatched),
            "extra": ", ".join(self.extra),
            "lost": listed_tracks(self.lost),
        }
        return tuple(f"{kind}: {text}" for kind, text in lines.items() if text)


def import_clips(
    model: Model,
    files: Sequence[str | Path | Model],
    names: Mapping[str, str] | None = None,
    settings: RetargetSettings | None = None,
    *,
    folder: Path | None = None,
    root: Path | None = None,
    force: bool = False,
) -> tuple[Model, tuple[ImportedFile, ...]]:
    """Return the model with the clips of other files added, and the result for each file.

    Parameters
    ----------
    files
        glTF or .bvh files, as given by the user, or models.
    names
        Target joint patterns by source joint pattern, as in a motion file; other joints are
        matched by name and alias.
    folder
        Folder of relative names; files must lie in it or in `root`. None: no restriction, for
        files given on the command line.
    root
        Folder that files must lie in.
    force
        Whether to import clips also if less than a quarter of the joints are matched.

    Raises
    ------
    AppError
        A file cannot be read, a named joint does not exist, or too few joints are matched.
    """
    if not files:
        return model, ()
    names, settings = names or {}, settings or RetargetSettings()
    sources = [_source(k, file, folder, root) for k, file in enumerate(files)]
    _check_names(model, sources, names, settings)
    clips, aliases, report = list(model.clips), dict(model.clips.aliases), []
    for file, source in zip(files, sources, strict=True):
        stem, name = source.name, str(source.path or source.name)
        if not isinstance(file, Model):
            stem, name = Path(file).stem, str(file)
        imported, result = _import_file(source, model, names, settings)
        result = replace(result, few=_hardly_matches(source, result))
        if not force and result.few:
            raise UsageError(
                f"only {len(result.matched)} of {result.total} joints match",
                file=name,
                hint="map joints with anims.names in a motion file, or import it with --force",
            )
        taken = {clip.name for clip in clips}
        clip_names = []
        for clip in imported:
            aliases.setdefault(f"{stem}:{clip.name}", len(clips))
            named = replace(clip, name=_unique_name(clip.name, taken), rest=model.skeleton.rest)
            clips.append(named)
            taken.add(clips[-1].name)
            clip_names.append(clips[-1].name)
        report.append(replace(result, file=name, clips=tuple(clip_names)))
    extended = replace(model, clips=Clips(clips, MappingProxyType(aliases)))
    return extended, tuple(report)


def _hardly_matches(source: Model, result: ImportedFile) -> bool:
    """Return whether clips of joints are imported to less than a quarter of the joints.

    Fingers that stay at rest do not count: few captures have any.
    """
    counted_joints = result.total - sum(is_finger(name) for name in result.unmatched)
    of_joints = any(track.path != "values" for clip in source.clips for track in clip.tracks)
    few = len(result.matched) < FEW * counted_joints
    return of_joints and few and not result.verbatim


def _source(k: int, file: str | Path | Model, folder: Path | None, root: Path | None) -> Model:
    """Return the model of a file; a model stays as it is.

    Files of a motion file must lie in the permitted folder, and errors name their key there.
    """
    if isinstance(file, Model):
        return file
    if folder is None:
        return load(Path(file), root=root)
    key = "anims", "files", k
    path = allowed_path(file, folder, root, key)
    try:
        return load(path, root=root)
    except AppError as error:
        raise motion_error(key, str(error)) from None


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
        none = np.full(target_body.skeleton.count, -1, np.int32)
        lost = lost_tracks(source, _imported((), ()), [set() for _ in source.clips])
        return [], _result(source, source_body, target_body, none, lost=lost)
    hips = (
        hips_of(source, source_body, settings.source_hips),
        hips_of(model, target_body, settings.hips),
    )
    morphs = [morph_tracks(source, model, clip) for clip in source.clips]
    values, channels = [tracks for tracks, _ in morphs], [each for _, each in morphs]
    mapping = match(source_body, target_body, names, [hips])
    given = given_pairs(source_body, target_body, names)
    given += [hips] if settings.hips and settings.source_hips else []
    same = _equal_skeleton(source, (source_body, target_body), given, hips, mapping)
    known: dict[str, Any] = {
        "hips": (source_body.skeleton.names[hips[0]], target_body.skeleton.names[hips[1]])
    }
    if same is not None:
        mapping = np.full(target_body.skeleton.count, -1, np.int32)
        mapping[same[same >= 0]] = np.flatnonzero(same >= 0)
        copied = np.flatnonzero(same >= 0).tolist()
        imported = _imported(copied, copied, copied)
        both = zip(source.clips, values, strict=True)
        clips = [copy_to(clip, same, tracks) for clip, tracks in both]
        known["verbatim"] = True
    else:
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
        imported = _imported(mapping[mapping >= 0].tolist(), retarget.moved_sources)
        converted = zip(map(retarget.convert, source.clips), values, strict=True)
        clips = [replace(clip, tracks=(*clip.tracks, *tracks)) for clip, tracks in converted]
        known["scale"] = retarget.scale
        if settings.leg_ik and not retarget.legs:
            known["warnings"] = (*source.warnings, NO_LEGS)
    known["kinds"] = match_kinds(source_body, target_body, mapping, names, hips)
    known["lost"] = lost_tracks(source, imported, channels)
    return clips, _result(source, source_body, target_body, mapping, **known)


def _imported(
    rotation: Iterable[int], translation: Iterable[int], scale: Iterable[int] = ()
) -> dict[TrackPath, set[int]]:
    return {"rotation": set(rotation), "translation": set(translation), "scale": set(scale)}


def _equal_skeleton(
    source: Model,
    bodies: tuple[MappedSkeleton, MappedSkeleton],
    given: Sequence[tuple[int, int]],
    hips: tuple[int, int],
    mapping: I32,
) -> I32 | None:
    """Return the target joint of each source joint if the skeletons are equal, else None."""
    same = same_skeleton(*bodies, hips, source.clips)
    joints = bodies[1].joints
    if same is not None and (mapping[same[mapping[joints]]] == mapping[joints]).all():
        return same
    same = renamed_skeleton(*bodies, hips, given)
    if same is None:
        return None
    above = bodies[0].skeleton.upwards(int(bodies[0].joints[0]))[1:]
    moved = {
        track.target for clip in source.clips for track in clip.tracks if track.path != "values"
    }
    return None if any(same[joint] < 0 and joint in moved for joint in above) else same


def _result(
    source: Model,
    source_body: MappedSkeleton,
    target_body: MappedSkeleton,
    mapping: I32,
    **known: Any,  # noqa: ANN401 - further fields
) -> ImportedFile:
    """Return the result of an import, with the joint mapping `mapping` [J] as names."""
    names, others = source_body.skeleton.names, target_body.skeleton.names
    matched, used = np.flatnonzero(mapping >= 0), set(mapping.tolist())
    found = ImportedFile(
        matched=tuple((names[mapping[j]], others[j]) for j in matched.tolist()),
        unmatched=tuple(others[j] for j in target_body.nodes.tolist() if mapping[j] < 0),
        extra=tuple(names[j] for j in source_body.nodes.tolist() if j not in used),
        warnings=tuple(source.warnings),
    )
    return replace(found, **known)


def import_all_clips(
    model: Model,
    motion: "MotionFile | None",
    more: Sequence[str | Path] = (),
    *,
    root: Path | None = None,
    force: bool = False,
) -> tuple[Model, tuple[ImportedFile, ...]]:
    """Return the model with the attachments and clips of files in a motion file, then in `more`.

    Last come the clips that the motion file cuts out of others.
    The motion file's `anims.names` and `[retarget]` apply to both. Without `force`, files in `more`
    are refused if less than a quarter of the joints are matched.

    Raises
    ------
    AppError
        See `import_clips`.
    """
    doc = MotionDoc() if motion is None else motion.document
    report: tuple[ImportedFile, ...] = ()
    folder = Path() if motion is None else Path(motion.name).parent
    try:
        model = with_attachments(model, doc.attachments, folder=folder, root=root)
        if motion is not None and doc.anims.files:
            settings = doc.anims.names, doc.retarget
            model, report = import_clips(
                model, doc.anims.files, *settings, folder=folder, root=root, force=True
            )
        if more:
            model, added = import_clips(
                model, more, doc.anims.names, doc.retarget, root=root, force=force
            )
            report += added
        model = with_cut_clips(model, doc)
    except MotionError as error:
        if motion is None or error.file:
            raise
        raise motion.locate(error) from None
    return model, report


@np.errstate(all="ignore")  # extreme values of a file may overflow
def lost_tracks(
    source: Model, imported: Mapping[TrackPath, set[int]], channels: Sequence[set[int]]
) -> tuple[tuple[str, str], ...]:
    """Return the tracks that an import leaves out, such as "Sword rotation", and their clips.

    Tracks that leave a joint at rest are not counted, nor are the constant lengths and sizes of
    bones whose rotation is imported.

    Parameters
    ----------
    imported
        The joints of the source whose "rotation", "translation" and "scale" are imported.
    channels
        For each clip, the channels of the source whose values are imported.
    """
    size = float(np.abs(source.skeleton.rest.translation).max(initial=0.0))
    lost = []
    for clip, clip_channels in zip(source.clips, channels, strict=True):
        for track in clip.tracks:
            if track.path == "values":
                if track.target not in clip_channels and _varies(track, TURNED):
                    lost.append((source.channels[track.target].pointer, clip.name))
                continue
            if track.target in imported[track.path]:
                continue
            limit = MOVED * size if track.path == "translation" else MOVED
            matched = track.target in imported["rotation"]
            if _varies(track, limit) or not (matched or _rests(source, track, limit)):
                lost.append((f"{source.skeleton.names[track.target]} {track.path}", clip.name))
    return tuple(lost)


def listed_tracks(lost: Sequence[tuple[str, str]]) -> str:
    """Return the lost tracks as text, each once: "Sword rotation in 3 animations"."""
    clips: dict[str, list[str]] = {}
    for track, clip in lost:
        clips.setdefault(track, []).append(clip)
    return ", ".join(
        f"{track} in {found[0] if len(found) == 1 else counted(len(found), 'animation')}"
        for track, found in clips.items()
    )


def _varies(track: Track, limit: float) -> bool:
    """Return whether the keys of a track differ from one another."""
    values = track.values
    if track.path == "rotation":
        values = np.where(values @ values[0] < 0, -1, 1)[:, None] * values
    return float(np.abs(values - values[0]).max()) > limit


def _rests(source: Model, track: Track, limit: float) -> bool:
    """Return whether the first key of a track is the rest pose."""
    rest = getattr(source.skeleton.rest, track.path)[track.target]
    key = track.values[0]
    if track.path == "rotation" and float(key @ rest) < 0:
        key = -key
    return float(np.abs(key - rest).max()) <= limit
