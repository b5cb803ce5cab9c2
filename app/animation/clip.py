"""A clip: the tracks of one animation, sampled together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ..notebook import ShownAsPicture
from .distinct import distinct
from .key_lookup import KeyTimes
from .pose import Pose
from .sampling import AnimatedTracks, ClipSampler, ConstantTracks
from .track import Interpolation, Rotation, Track, equal_arrays
from .track_edits import cut, joined, reversed_track
from .types import F32, F64, I32

ROUNDING = 1e-6  # seconds that the end of a part may be after that of the clip


@dataclass(frozen=True, eq=False)
class Clip(ShownAsPicture):
    """Tracks of one animation. Times are clamped; looping is handled by `Playback`.

    Where two tracks have the same target, the last one is used. Tables for sampling are built when
    the clip is first sampled, so that loading a file with many clips stays cheap.

    Examples
    --------
    >>> walk = model.clips["Walk"]
    >>> walk
    <Clip 'Walk' 1 s, 63 tracks, 62 joints>
    >>> walk.sample([0.0, 0.5]).batch
    (2,)
    """

    name: str
    start: float  # seconds, the earliest key
    end: float  # seconds, the latest key
    tracks: tuple[Track, ...]
    loop: bool = True  # default of its playback
    rotation: Rotation = "slerp"  # between LINEAR keys; "nlerp" is faster, at uneven speed
    rest: Pose | None = None  # samples begin from it; rotations have the sign nearer to its own
    source: str = ""  # name of the clip that it was cut out of, by a motion file

    def __repr__(self) -> str:
        joints = "1 joint" if len(self.joints) == 1 else f"{len(self.joints)} joints"
        return (
            f"<Clip {self.name[:60]!r} {self.duration:.4g} s, {len(self.tracks)} tracks, {joints}>"
        )

    @classmethod
    def of(cls, name: str, tracks: Sequence[Track], rest: Pose | None = None) -> Self:
        """Return a clip that spans its tracks' keys."""
        start = min((track.begin for track in tracks), default=0.0)
        end = max((track.end for track in tracks), default=0.0)
        return cls(name, start, end, tuple(tracks), rest=rest)

    def renamed(self, name: str) -> Self:
        """Return the clip with another name."""
        return replace(self, name=name)

    def cut(self, begin: float, end: float, name: str = "") -> Self:
        """Return the part from `begin` to `end`, seconds, which starts at 0 s.

        It shows the same poses as the clip; splines keep their slopes at the ends.

        Raises
        ------
        ValueError
            `end` is not after `begin`, or the clip has no such part.

        Examples
        --------
        >>> model.clips["Walk"].cut(0.2, 0.6, "Step")
        <Clip 'Step' 0.4 s, 63 tracks, 62 joints>
        """
        if not min(self.start, 0.0) <= begin < end <= self.end + ROUNDING:
            raise ValueError(
                f"no part from {begin:g} to {end:g} s of {self.name!r}, which has "
                f"{self.start:g} to {self.end:g} s"
            )
        tracks = tuple(cut(track, begin, end) for track in self.tracks)
        last = float(np.float32(end - begin))
        return replace(self, name=name or self.name, start=0.0, end=last, tracks=tracks)

    def reversed(self, name: str = "") -> Self:
        """Return the clip played backwards, from its end to its start."""
        tracks = tuple(reversed_track(track, self.start, self.end) for track in self.tracks)
        return replace(self, name=name or self.name, tracks=tracks)

    @classmethod
    def joined(cls, clips: "Sequence[Clip]", name: str) -> Self:
        """Return clips of one skeleton played after each other, from 0 s.

        A joint without a track in one of them has its rest pose there, as when that plays alone.

        Raises
        ------
        ValueError
            `clips` is empty; a track is LINEAR in one and CUBICSPLINE in another (`resample` makes
            both LINEAR); or a clip lacks the rest pose that one of its joints needs.
        """
        if not clips:
            raise ValueError("no clips to join")
        offsets = np.cumsum([0.0, *(clip.duration for clip in clips)])
        wanted = {
            (track.path, track.target, track.start): track for c in clips for track in c.tracks
        }
        tracks = []
        for key, model in wanted.items():
            parts = []
            for clip, offset in zip(clips, offsets, strict=False):
                own = {(each.path, each.target, each.start): each for each in clip.tracks}
                track = own.get(key) or _resting(clip, model)
                parts.append((cut(track, clip.start, clip.end), float(offset)))
            tracks.append(joined(parts))
        end = float(np.float32(offsets[-1]))
        return cls(name, 0.0, end, tuple(tracks), clips[0].loop, clips[0].rotation, clips[0].rest)

    @property
    def duration(self) -> float:
        """Seconds from the first key to the last."""
        return self.end - self.start

    @property
    def key_count(self) -> int:
        """Number of keys of all tracks."""
        return sum(len(track.times) for track in self.tracks)

    @property
    def nbytes(self) -> int:
        """Size of the keys of all tracks."""
        return sum(track.nbytes for track in self.tracks)

    def has_motion_of(self, other: Self) -> bool:
        """Return whether the tracks, their order and what samples them are equal to another's."""
        return (
            (self.start, self.end, self.rotation) == (other.start, other.end, other.rotation)
            and equal_arrays(self._sides, other._sides)
            and len(self.tracks) == len(other.tracks)
            and all(map(Track.equals, self.tracks, other.tracks))
        )

    @cached_property
    def joints(self) -> I32:
        """The joints with tracks, sorted."""
        targets = [track.target for track in self.tracks if track.path != "values"]
        return distinct(np.array(targets, np.int32))

    @cached_property
    def key_times(self) -> F64:
        """The key times of all tracks, sorted, seconds."""
        lines = {id(track.times): track.times for track in self.tracks}
        return distinct(np.concatenate([np.zeros(0), *lines.values()]))

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def sample(self, time: ArrayLike, out: Pose | None = None) -> Pose:
        """Return the pose at a time.

        Parameters
        ----------
        time
            [...] seconds, clamped to the clip. Before a track's first key and after its last, that
            key holds.
        out
            Pose to write into, with the batch of `time`; joints without a track keep its values.
            None: a new pose, in which they have the rest pose.

        Returns
        -------
        Pose
            `out`, or the new pose with the batch [...].

        Raises
        ------
        ValueError
            `out` has another batch; or there is none, and the clip has no rest pose.

        Examples
        --------
        >>> pose = model.clips["Walk"].sample(0.25)
        >>> poses = model.clips["Walk"].sample(np.linspace(0, 1, 31))  # poses.batch == (31,)
        """
        seconds = self.local_time(time)
        pose = self._output(seconds.shape, out)
        self.sampler.write(seconds, pose)
        return pose

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def sample_key(self, k: ArrayLike, out: Pose | None = None) -> Pose:
        """Return the pose at key number `k` [...] of every track, clamped to its last key.

        `out` and errors are those of `sample`; `key_time` returns the time of the key.
        """
        number = np.asarray(k, np.intp)
        pose = self._output(number.shape, out)
        self.sampler.write_keys(self.sampler.key_lookup.clamp(number), pose)
        return pose

    @property
    def last_key(self) -> int:
        """The number of the last key; of tracks that move and differ, the greatest."""
        return int(self._moving_keys.counts.max()) - 1

    def key_time(self, k: ArrayLike) -> F64:
        """Return the time [...] of key number `k`; the latest where tracks that move differ."""
        lists = self._moving_keys
        return lists.keys[lists.clamp(np.asarray(k, np.intp))].max(axis=-1)

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def sample_hold(self, time: ArrayLike, out: Pose | None = None) -> Pose:
        """Return the last key at or before a time [...] of every track, uninterpolated.

        `out` and errors are those of `sample`; `hold_time` returns the time of the key.
        """
        seconds = self.local_time(time)
        pose = self._output(seconds.shape, out)
        self.sampler.write_keys(self.sampler.key_lookup.find(seconds)[0], pose)
        return pose

    def hold_time(self, time: ArrayLike) -> F64:
        """Return the latest key time [...] at or before a time of any track that moves."""
        times = self._moving_keys.union
        rounded = self.local_time(time).astype(np.float32).astype(np.float64)
        return times[np.maximum(np.searchsorted(times, rounded, side="right") - 1, 0)]

    def local_time(self, time: ArrayLike) -> F64:
        """Return times [...] clamped to the clip: from 0, or an earlier first key, to its end."""
        seconds = np.asarray(time, np.float64)
        begin = min(self.start, 0.0)
        return np.asarray(np.minimum(np.maximum(seconds, begin), self.end))

    def _output(self, batch: tuple[int, ...], out: Pose | None) -> Pose:
        """Return the pose to write into (ValueError: see `sample`)."""
        if out is None:
            if self.rest is None:
                raise ValueError(
                    f"the clip {self.name!r} has no rest pose; give a pose to write into, such as "
                    f"Pose.like(skeleton.rest, {batch})"
                )
            return Pose.like(self.rest, batch)
        if out.batch != batch and out.batch[len(out.batch) - len(batch) :] != batch:
            raise ValueError(
                f"times of shape {batch} need a pose of the same batch, not {out.batch}; "
                f"Pose.like(skeleton.rest, {batch}) has it"
            )
        return out

    @cached_property
    def _moving_keys(self) -> KeyTimes:
        """The lists of key times of the tracks that move; of all tracks if none does."""
        if self.sampler.moving:
            return self.sampler.key_lookup
        return KeyTimes([track.times for track in self.tracks] or [np.zeros(1, np.float32)])

    @cached_property
    def sampler(self) -> ClipSampler:
        """The tables of all tracks, built when the clip is first sampled."""
        return _prepare(self.tracks, self.rotation, self._sides)

    @property
    def _sides(self) -> F32 | None:
        """The rotations [J, 4] of the rest pose."""
        return None if self.rest is None else self.rest.rotation


def _resting(clip: Clip, model: Track) -> Track:
    """Return a track of the rest pose over a clip, in place of one that another clip has."""
    if clip.rest is None:
        raise ValueError(f"the clip {clip.name!r} has no rest pose for {model}")
    if model.path == "values":
        rest = clip.rest.values[model.start : model.start + model.values.shape[1]]
    else:
        rest = getattr(clip.rest, model.path)[model.target]
    times = np.array([clip.start, clip.end], np.float32)
    values = np.stack([rest, rest])
    tangents = None if model.tangents is None else np.zeros((2, 2, len(rest)), np.float32)
    return replace(model, times=times, values=values, tangents=tangents)


def _prepare(tracks: Sequence[Track], rotation: Rotation, rest: F32 | None) -> ClipSampler:
    """Return tracks sorted into groups; the only loop over tracks, once per clip."""
    if rest is not None:
        tracks = [_aligned_to_rest(rest, track) for track in tracks]
    acting = {(track.path, track.target, track.start): track for track in tracks}
    known: dict[int, int] = {}  # lists of key times by identity, then by value
    lines: dict[bytes, int] = {}
    times: list[F32] = []
    still: list[Track] = []
    moving: dict[tuple[Interpolation, bool], list[tuple[Track, int]]] = {}
    for track in sorted(acting.values(), key=lambda track: (track.target, track.start)):
        if _is_constant(track):
            still.append(track)
            continue
        if id(track.times) not in known:
            line = lines.setdefault(track.times.tobytes(), len(times))
            if line == len(times):
                times.append(track.times)
            known[id(track.times)] = line
        kind = track.interpolation, track.path == "rotation"
        moving.setdefault(kind, []).append((track, known[id(track.times)]))
    key_lookup = KeyTimes(times or [np.zeros(1, np.float32)])
    groups = [
        AnimatedTracks(group, key_lookup, rotation)
        for group in (part for lined in moving.values() for part in _sampled_together(lined))
    ]
    return ClipSampler(ConstantTracks(still), groups, key_lookup)


def _sampled_together(lined: list[tuple[Track, int]]) -> list[list[tuple[Track, int]]]:
    """Return tracks with the lists of their key times: by path and width if the lists differ."""
    if len({line for _, line in lined}) == 1:
        return [lined]
    groups: dict[tuple[str, int], list[tuple[Track, int]]] = {}
    for track, line in lined:
        groups.setdefault((track.path, track.values.shape[1]), []).append((track, line))
    return list(groups.values())


def _aligned_to_rest(rest: F32, track: Track) -> Track:
    """Return a track of the same rotations, with the sign of q nearer to the rest rotation [J, 4].

    The rotations of a joint in different clips then lie in one hemisphere, and their mean is a
    plain sum. LINEAR keys keep the shorter arc between them; CUBICSPLINE keys change sign together.
    """
    if track.path != "rotation":
        return track
    behind = track.values @ rest[track.target] < 0  # [K]
    if track.interpolation == "CUBICSPLINE":
        behind[:] = behind[0]
    if not behind.any():
        return track
    signs = np.where(behind, np.float32(-1), np.float32(1))[:, None]
    tangents = None if track.tangents is None else track.tangents * signs[:, None]
    return replace(track, values=track.values * signs, tangents=tangents)


def _is_constant(track: Track) -> bool:
    """Return whether all keys are equal: such a track costs nothing per frame."""
    if len(track.times) == 1:
        return True
    if track.interpolation == "CUBICSPLINE" and track.tangents is not None and track.tangents.any():
        return False
    return bool((track.values == track.values[0]).all())
