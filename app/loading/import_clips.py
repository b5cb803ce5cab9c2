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
from ..motion.document import MotionDoc, RetargetSettings
from ..retargeting.joint_matching import Body, match
from ..retargeting.retarget import Retarget
from ..retargeting.same_skeleton import copied, same_skeleton
from ..tomlfile.toml_errors import motion_error
from .clip_mapping import body_of, figure_of, hips_of, pairing_of, reference_of
from .load import load

NO_LEGS = "leg_ik: no legs (upper leg, lower leg and foot) were found in both skeletons"

if TYPE_CHECKING:
    from ..motion.read import MotionFile


@dataclass(frozen=True, slots=True)
class Carried:
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
        count = len(self.clips)
        clips = f"{count} animation{'s' * (count != 1)}"
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


def with_anims(
    model: Model,
    files: Sequence[str | Path],
    names: Mapping[str, str] | None = None,
    settings: RetargetSettings | None = None,
    *,
    folder: Path | None = None,
    root: Path | None = None,
) -> tuple[Model, tuple[Carried, ...]]:
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
    paths = [_located(k, file, folder, root) for k, file in enumerate(files)]
    sources = [_loaded(k, path, folder, root) for k, path in enumerate(paths)]
    _check_names(model, sources, names, settings)
    clips, aliases, report = list(model.clips), dict(model.aliases), []
    for path, file, source in zip(paths, files, sources, strict=True):
        carried, told = _carry(source, model, names, settings)
        taken = {clip.name for clip in clips}
        called = []
        for clip in carried:
            aliases.setdefault(f"{path.stem}:{clip.name}", len(clips))
            named = replace(clip, name=_free(clip.name, taken), rest=model.skeleton.rest.rotation)
            clips.append(named)
            taken.add(clips[-1].name)
            called.append(clips[-1].name)
        report.append(replace(told, file=str(file), clips=tuple(called)))
    grown = replace(model, clips=tuple(clips), aliases=MappingProxyType(aliases))
    return grown, tuple(report)


def _located(k: int, file: str | Path, folder: Path | None, root: Path | None) -> Path:
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


def _loaded(k: int, path: Path, folder: Path | None, root: Path | None) -> Model:
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
    ours = model.skeleton.names
    for name, meant in names.items():
        if "*" not in name and name not in known:
            sentence = f"no joint {name!r} in the files"
            raise motion_error(("anims", "names", name), sentence, wrong=name, known=known)
        if meant and "*" not in meant and meant not in ours:
            sentence = f"no joint {meant!r}"
            raise motion_error(("anims", "names", name), sentence, wrong=meant, known=ours)
    for key, joint, there in (
        ("hips", settings.hips, ours),
        ("root", settings.root, ours),
        ("source_hips", settings.source_hips, known),
    ):
        if joint is not None and joint not in there:
            raise motion_error(("retarget", key), f"no joint {joint!r}", wrong=joint, known=there)


def _free(name: str, taken: set[str]) -> str:
    """Return a clip name with a number if `name` is in use."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} #{number}"
    return free


def _carry(
    source: Model, model: Model, names: Mapping[str, str], settings: RetargetSettings
) -> tuple[list[Clip], Carried]:
    """Return the clips of a source model as clips of the target model, and the result."""
    theirs, ours = body_of(source), body_of(model)
    if not len(theirs.joints) or not len(ours.joints):
        return [], _told(source, theirs, ours, np.full(ours.skeleton.count, -1, np.int32))
    hips = hips_of(source, theirs, settings.source_hips), hips_of(model, ours, settings.hips)
    values = [_values(source, model, clip) for clip in source.clips]
    led = match(theirs, ours, names, [hips])
    same = same_skeleton(theirs, ours, hips, source.clips)
    if same is not None and (led[same[led[ours.joints]]] == led[ours.joints]).all():
        led = np.full(ours.skeleton.count, -1, np.int32)
        led[same[same >= 0]] = np.flatnonzero(same >= 0)
        told = replace(_told(source, theirs, ours, led), verbatim=True)
        both = zip(source.clips, values, strict=True)
        return [copied(clip, same, tracks) for clip, tracks in both], told
    references = (
        reference_of(source, settings.source_reference, True),
        reference_of(model, settings.reference, False),
    )
    way = Retarget(
        figure_of(source, theirs, hips[0], references[0], skin=settings.leg_ik),
        figure_of(model, ours, hips[1], references[1], skin=settings.leg_ik),
        pairing_of(theirs, ours, led, hips, settings.root),
        stance=settings.stance,
        leg_ik=settings.leg_ik,
    )
    clips = []
    for clip, tracks in zip(source.clips, values, strict=True):
        carried = way.carry(clip)
        clips.append(replace(carried, tracks=(*carried.tracks, *tracks)))
    told = replace(_told(source, theirs, ours, led), scale=way.scale)
    if settings.leg_ik and not way.legs:
        told = replace(told, warnings=(*told.warnings, NO_LEGS))
    return clips, told


def _told(source: Model, theirs: Body, ours: Body, led: I32) -> Carried:
    """Return the result of an import, with the joint mapping `led` [J] as names."""
    names, others = theirs.skeleton.names, ours.skeleton.names
    matched = np.flatnonzero(led >= 0)
    return Carried(
        file="",
        clips=(),
        verbatim=False,
        matched=tuple((names[led[j]], others[j]) for j in matched.tolist()),
        unmatched=tuple(others[j] for j in ours.joints.tolist() if led[j] < 0),
        extra=tuple(names[j] for j in theirs.joints.tolist() if j not in set(led.tolist())),
        scale=1.0,
        warnings=tuple(source.warnings),
    )


def _values(source: Model, model: Model, clip: Clip) -> list[Track]:
    """Return tracks of the morph weights that exist in both models, matched by name."""
    moved: dict[int, list[Track]] = {}
    for track in clip.tracks:
        if track.path == "values":
            moved.setdefault(track.target, []).append(track)
    theirs = {channel: names for channel, names in morph_names(source).items() if channel in moved}
    tracks: list[Track] = []
    for channel, names in morph_names(model).items():
        best = max(theirs, key=lambda c: len(set(theirs[c]) & set(names)), default=-1)
        if best >= 0:
            of = [theirs[best].index(name) if name in theirs[best] else -1 for name in names]
            tracks += _weights(moved[best], source.channels[best], channel, model, of)
    return tracks


def _weights(
    tracks: list[Track], source: Channel, channel: int, model: Model, of: list[int]
) -> Iterator[Track]:
    """Yield the tracks of a weights channel; `of` has the source weight of each, or -1."""
    slot = model.channels[channel]
    for track in tracks:
        first, width = track.start - source.start, track.values.shape[1]
        pairs = [(k, n - first) for k, n in enumerate(of) if 0 <= n - first < width]
        if not pairs:
            continue
        whole = width == source.width
        to, there = (list(each) for each in zip(*pairs, strict=True))
        start, size = (slot.start, slot.width) if whole else (slot.start + to[0], 1)
        rest = slot.default if whole else slot.default[to[0] : to[0] + 1]
        to = to if whole else [0]
        keys = np.tile(rest, (len(track.times), 1)).astype(np.float32)
        keys[:, to] = track.values[:, there]
        tangents = None
        if track.tangents is not None:
            tangents = np.zeros((len(keys), 2, size), np.float32)
            tangents[:, :, to] = track.tangents[:, :, there]
        yield Track(channel, "values", track.interpolation, track.times, keys, tangents, start)


def morph_names(model: Model) -> dict[int, tuple[str, ...]]:
    """Return the morph target names by weights channel."""
    found = {}
    for instance in model.instances:
        targets = [p.morph for p in model.meshes[instance.mesh].primitives if p.morph is not None]
        if instance.channel >= 0 and targets:
            found[instance.channel] = targets[0].names
    return found


def with_all_anims(
    model: Model,
    motion: "MotionFile | None",
    more: Sequence[str | Path] = (),
    *,
    root: Path | None = None,
) -> tuple[Model, tuple[Carried, ...]]:
    """Return the model with clips of the files in a motion file, then of the files in `more`.

    The motion file's `anims.names` and `[retarget]` apply to both.

    Raises
    ------
    AppError
        See `with_anims`.
    """
    doc = MotionDoc() if motion is None else motion.document
    report: tuple[Carried, ...] = ()
    try:
        if motion is not None and doc.anims.files:
            folder = Path(motion.name).parent
            model, report = with_anims(
                model, doc.anims.files, doc.anims.names, doc.retarget, folder=folder, root=root
            )
        if more:
            model, added = with_anims(model, more, doc.anims.names, doc.retarget, root=root)
            report += added
    except MotionError as error:
        if motion is None or error.file:
            raise
        raise motion.locate(error) from None
    return model, report
