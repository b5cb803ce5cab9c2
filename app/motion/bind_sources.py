"""Bind the playable entries of a motion file to sources: clips, blend spaces, still poses."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from ..animation.clip import Clip
from ..animation.events import EventTrack
from ..animation.playback import Loop, Playback, parse_loop
from ..animation.pose import Pose
from ..animation.root_motion import RootMotion
from ..animation.types import F64
from ..blending.blend_space import (
    BlendSpace1D,
    BlendSpace2D,
    BlendSpaceCorners,
    DuplicatePositionError,
)
from ..blending.difference_source import DifferenceSource, DifferenceSpace
from ..blending.sources import ClipSource, DrivenSource, ParameterDrive, Source, StillSource
from ..blending.space_source import MeanSettings, SpaceSource
from ..blending.strafe import ROLES, Direction, HalfChange, StrafeSource
from ..blending.sync_group import SyncGroup, SyncTrack, sync_mismatch
from ..errors import KeyPath
from ..tomlfile.toml_errors import motion_error, quoted
from .bind_names import NameResolver
from .document import Additive, Space, StillClip, StillPose, StrafeSpace

T = TypeVar("T")


class Start(NamedTuple):
    """How a source starts.

    Attributes
    ----------
    tau
        The global time, seconds.
    rate
        Seconds of its clips a second, times the speed of all clips.
    phase
        Of its clips, 0 to 1.
    time
        The parameter that sets the time of a clip; None: it plays.
    """

    tau: float = 0.0
    rate: float = 1.0
    phase: float = 0.0
    time: str | None = None


AT_ONCE = Start()


class SourceBuilder:
    """Builds sources by name, with the playback options of the command line.

    Parameters
    ----------
    speed
        Playback speed of all clips.
    loop
        Loop mode of all clips; None: the clip's own setting, else `default_loop`.
    trim
        Play from the first key to the last instead of from 0.
    """

    def __init__(
        self,
        names: NameResolver,
        *,
        speed: float = 1.0,
        loop: Loop | None = None,
        default_loop: Loop = ("loop", math.inf),
        trim: bool = False,
    ) -> None:
        self.names = names
        self.speed = speed
        self._loop = loop
        self._default_loop = default_loop
        self._trim = trim

    def clip_range(self, clip: int) -> tuple[float, float]:
        """Return the start and end of a pass of a clip, seconds of the file."""
        path, settings = self.names.settings_of(clip)
        chosen = self.names.model.clips[clip]
        if settings.range is not None and settings.source is None:
            begin, end = settings.range
            if begin > chosen.end:
                message = f"starts after the end of the clip at {chosen.end:.6g} s"
                raise motion_error((*path, "range"), message)
            return begin, min(end, chosen.end)
        return (chosen.start if self._trim else min(0.0, chosen.start)), chosen.end

    def loop_of(self, clip: int) -> Loop:
        """Return the loop mode of a clip."""
        settings = self.names.settings_of(clip)[1]
        if self._loop is not None:
            return self._loop
        return self._default_loop if settings.loop is None else parse_loop(settings.loop)

    def clip(self, clip: int, start: Start = AT_ONCE) -> ClipSource | DrivenSource:
        """Return the source that plays a clip.

        A parameter that sets its time has seconds, within the range of the clip.
        """
        names = self.names
        settings = names.settings_of(clip)[1]
        chosen = names.model.clips[clip]
        begin, end = self.clip_range(clip)
        length = end - begin
        root = self.root(clip, begin)
        if start.time is not None:
            shown = ParameterDrive((begin, end), (begin, end))
            return DrivenSource(
                chosen, shown, start.time, names.parameters, names.rest, root, span=(begin, end)
            )
        if settings.drive is not None:
            by = settings.drive.by
            drive = ParameterDrive(
                settings.drive.start, settings.drive.to, settings.drive.unit, chosen.key_times
            )
            return DrivenSource(
                chosen, drive, by, names.parameters, names.rest, root, span=(begin, end)
            )
        mode, passes = self.loop_of(clip)
        shape = np.zeros(names.batch)
        playback = Playback(
            length + shape,
            passes=passes,
            mode=mode,
            rate=start.rate * self.speed,
            start=begin,
            phase=start.phase or None,
            tau=start.tau,
        )
        return ClipSource(
            chosen,
            playback,
            names.rest,
            events=self._events(clip, length),
            root=root,
            sync_track=SyncTrack(
                length,
                settings.cycles,
                settings.sync,
                loops=mode == "loop" and math.isinf(passes),
            ),
        )

    @property
    def roots(self) -> list[int]:
        """The root joints of all clips with accumulated root motion."""
        spec = [(("clips", name), each.root) for name, each in self.names.doc.clips.items()]
        return [
            self.names.joint(root.joint, (*path, "root", "joint"))
            for path, root in spec
            if root is not None and root.mode == "accumulate"
        ]

    def root(self, clip: int, begin: float) -> RootMotion | None:
        """Return the root motion of a clip whose range starts at `begin`; None without any."""
        path, settings = self.names.settings_of(clip)
        if settings.root is None or settings.root.mode == "keep":
            return None
        spec = settings.root
        joint = self.names.joint(spec.joint, (*path, "root", "joint"))
        return RootMotion(
            self.names.model.clips[clip],
            self.names.model.skeleton,
            joint,
            mode=spec.mode,
            axes=spec.axes,
            turn=spec.turn,
            begin=begin,
        )

    def _events(self, clip: int, length: float) -> EventTrack | None:
        path, settings = self.names.settings_of(clip)
        if not settings.events:
            return None
        times = []
        for k, mark in enumerate(settings.events):
            time = mark.phase * length if mark.phase is not None else mark.time or 0.0
            if not -1e-9 <= time <= length + 1e-9:
                message = f"the event {quoted(mark.name)} is outside the clip's range"
                raise motion_error((*path, "events", k), message)
            times.append(min(max(time, 0.0), length))
        return EventTrack([mark.name for mark in settings.events], times)

    def value(self, x: str | float) -> Callable[[float], F64]:
        """Return a function of global time: a parameter's value, or a constant."""
        if isinstance(x, str):
            parameters = self.names.parameters
            return lambda tau: parameters.at(x, tau)
        constant = np.full(self.names.batch, float(x))
        return lambda _tau: constant

    def space(self, name: str, start: Start = AT_ONCE) -> Source:
        """Return the source that plays a blend space."""
        space = self.names.doc.spaces[name]
        path: KeyPath = ("spaces", name)
        if isinstance(space, StrafeSpace):
            return _strafe(self, space, path, Start(start.tau, start.rate))
        numbers = self._clips_of(space, path)
        start = start._replace(time=None)
        members = [self.clip(number, start) for number in numbers]
        return self._blended(SpaceSource, members, members, numbers, space, path, start)

    def _clips_of(self, space: Space, path: KeyPath) -> list[int]:
        """Return the indices of the clips of a space."""
        return [
            self.names.clip(each.clip, (*path, "clips", k, "clip"))
            for k, each in enumerate(space.clips)
        ]

    def _blended(
        self,
        make: Callable[..., T],
        members: Sequence[object],
        clips: Sequence[ClipSource | DrivenSource],
        numbers: list[int],
        space: Space,
        path: KeyPath,
        start: Start,
    ) -> T:
        """Return what blends the members of a space, which play clips; the heaviest leads these."""
        names, weigh = self.names, self._weigh(space, path)
        group = self.group(clips, start.rate, path, space.sync)
        if group is not None:
            group.start(np.argmax(weigh(start.tau), axis=-1), start.phase or None)
        settings = MeanSettings(numbers, space.rotation, space.events, names.batch)
        return make(
            members, weigh, names.parameters.moving, names.rig, group=group, settings=settings
        )

    def difference(self, play: str, start: Start = AT_ONCE) -> DifferenceSource | DifferenceSpace:
        """Return the source of an additive, or of a space of additives."""
        doc, names = self.names.doc, self.names
        added = doc.additives.get(play)
        if added is not None and added.source not in doc.spaces:
            number = names.clip(added.source, ("additives", play, "source"))
            source = self.clip(number, start)
            return self._difference(added, ("additives", play), source)
        name = play if added is None else added.source
        space, path = doc.spaces[name], ("spaces", name)
        assert isinstance(space, Space)
        if added is None:
            each = [(doc.additives[clip.clip], clip.clip) for clip in space.clips]
            numbers = [names.clip(one.source, ("additives", key, "source")) for one, key in each]
        else:
            each = [(added, play)] * len(space.clips)
            numbers = self._clips_of(space, path)
        start = start._replace(time=None)
        clips = [self.clip(number, start) for number in numbers]
        members = [
            self._difference(one, ("additives", key), clip)
            for (one, key), clip in zip(each, clips, strict=True)
        ]
        return self._blended(DifferenceSpace, members, clips, numbers, space, path, start)

    def _difference(
        self, added: Additive, path: KeyPath, source: ClipSource | DrivenSource
    ) -> DifferenceSource:
        """Return the difference of a clip from the reference of an additive."""
        names = self.names
        reference: Pose | tuple[Clip, float, float]
        spec, root = added.reference, None
        if spec.clip is None:
            reference = names.still(spec.pose or "rest")
        else:
            number = names.clip(spec.clip, (*path, "reference", "clip"))
            clip = names.model.clips[number]
            begin, end = self.clip_range(number)
            root = self.root(number, begin)
            if spec.time is None:
                reference = clip, begin, end - begin
            else:
                reference = names.rest.copy()
                clip.sample(spec.time, reference)
                if root is not None:
                    root.remove_root_motion(reference, spec.time)
        return DifferenceSource(
            source, reference, added.space, names.rig, root=root, batch=names.batch
        )

    def group(
        self, members: Sequence[ClipSource | DrivenSource], rate: float, path: KeyPath, sync: bool
    ) -> SyncGroup | None:
        """Return the sync group of clips, None without `sync`."""
        if not sync:
            return None
        sync_tracks = []
        for k, member in enumerate(members):
            if isinstance(member, DrivenSource) or member.sync_track is None:
                message = f"{quoted(member.clip.name)} is driven by a parameter and has no phase"
                raise motion_error((*path, "clips", k), message)
            sync_tracks.append(member.sync_track)
        wrong = sync_mismatch(sync_tracks)
        if wrong is not None:
            clips = [members[i].clip.name for i in (wrong.other, wrong.clip) if i >= 0]
            raise motion_error((*path, "sync"), f"{' and '.join(map(quoted, clips))}: {wrong.what}")
        return SyncGroup(sync_tracks, rate * self.speed, self.names.batch)

    def _weigh(self, space: Space, path: KeyPath) -> Callable[[float], F64]:
        x = self.value(space.x)
        at = np.array([each.at for each in space.clips])
        try:
            if space.kind == "line":
                ring = isinstance(space.x, str) and self.names.doc.parameters[space.x].angle
                line = BlendSpace1D(at[:, 0], ring)
                return lambda tau: line.weights(x(tau))
            y = self.value(space.y)
            plane = BlendSpaceCorners(at) if space.kind == "corners" else BlendSpace2D(at)
        except DuplicatePositionError as error:
            i, j = error.pair
            clips = space.clips
            place = ", ".join(f"{number:g}" for number in clips[i].at)
            pair = f"{quoted(clips[i].clip)} and {quoted(clips[j].clip)}"
            message = f"{pair} have the same position {place}"
            raise motion_error((*path, "clips", j), message) from None
        except ValueError as error:
            raise motion_error((*path, "clips"), str(error)) from None
        return lambda tau: plane.weights(x(tau), y(tau))

    def still(self, play: StillClip | StillPose, path: KeyPath) -> StillSource:
        """Return the source of a still pose."""
        if isinstance(play, StillPose):
            return StillSource(self.names.still(play.pose))
        pose = self.names.rest.copy()
        number = self.names.clip(play.clip, (*path, "clip"))
        self.names.model.clips[number].sample(play.time, pose)
        return StillSource(pose)


def _strafe(
    source_builder: SourceBuilder, space: StrafeSpace, path: KeyPath, start: Start
) -> Source:
    """Return the source of a strafe space."""
    names = source_builder.names
    for role in ROLES:
        if role not in space.clips:
            raise motion_error((*path, "clips"), f"no clip for the direction {quoted(role)}")
    numbers = [names.clip(space.clips[role], (*path, "clips", role)) for role in ROLES]
    members = [_clip(source_builder, n, path, start) for n in numbers]
    turns = {
        turn: _clip(source_builder, names.clip(text, (*path, "transitions", turn)), path, start)
        for turn, text in space.transitions.items()
    }
    group = source_builder.group(members, start.rate, path, sync=True)
    assert isinstance(group, SyncGroup)
    direction = source_builder.value(space.x)
    ranks = [*numbers, *(names.clip(text, path) for text in space.transitions.values())]
    return StrafeSource(
        members,
        turns,
        Direction(lambda at: np.radians(direction(at)), names.parameters.moving),
        names.rig,
        group,
        half_change=HalfChange(math.radians(space.hysteresis), space.seconds),
        settings=MeanSettings(ranks, space.rotation, space.events, names.batch),
    )


def _clip(source_builder: SourceBuilder, number: int, path: KeyPath, start: Start) -> ClipSource:
    source = source_builder.clip(number, start)
    if not isinstance(source, ClipSource):
        message = f"{quoted(source.clip.name)} is driven by a parameter and has no phase"
        raise motion_error((*path, "clips"), message)
    return source
