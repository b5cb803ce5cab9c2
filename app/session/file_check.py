"""The check of an open character, and where its findings are: joint, part, clip, time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from ..checks.finding import SEVERITIES, Finding
from ..memo import Memo
from ..model.mesh_parts import Part
from ..model.model import Model
from ..scene.selected import Selected
from ..tasks.check_report import CheckReport
from ..wording import capitalized

MOST_SHOWN = 4  # findings in a tooltip

Findings = tuple[Finding, ...]  # most severe first
K = TypeVar("K")
_PLACE = re.compile(r"/(nodes|skins|meshes|materials|animations)/(\d+)(?:/(\w+)/(\d+))?")

_TARGET = re.compile(r"/meshes/\d+/primitives/\d+/targets/(\d+)")
Status = Literal["waiting", "running", "done", "failed"]


class FindingTarget(NamedTuple):
    """Where a finding is, by indices of the model."""

    selected: Selected | None  # the joint or the part of a mesh; None: neither is known
    clip: int  # -1: it is about no clip
    time: float | None  # seconds of the clip
    part: Selected | None = None  # of the faulty vertices
    vertices: tuple[int, ...] = ()  # of the part
    morph: int = -1  # number of the morph target of the part, -1: none


@dataclass(frozen=True, slots=True, eq=False)
class FindingPlaces:
    """The new findings of a check by place; a place without findings is missing.

    Attributes
    ----------
    every
        All findings about a joint, with -1, or a part of a mesh, by their indices.
    joints, parts
        Those that mark a joint, and a part of a mesh, by their indices: errors and warnings.
    branches
        Those that mark a joint and all joints below it, by its index.
    clips
        Those that mark a clip, by its index: something is seen in it; `is_seen`.
    times
        Those of them that are at a time of a clip, by its index; ascending.
    """

    every: Mapping[Part, Findings]
    joints: Mapping[int, Findings]
    branches: Mapping[int, Findings]
    parts: Mapping[Part, Findings]
    clips: Mapping[int, Findings]
    times: Mapping[int, Findings]

    def of(self, chosen: Selected) -> Findings:
        """Return the findings about a joint or a part of a mesh; those of its part for a vertex."""
        return self.every.get((chosen.joint, chosen.primitive), ())


def is_seen(finding: Finding) -> bool:
    """Return whether a fault is seen in its clip: it moves the surface, or it is an error."""
    return finding.severity == "error" or (finding.severity != "info" and bool(finding.size))


def target_of(model: Model, finding: Finding) -> FindingTarget:
    """Return where a finding is; names that the model lacks are left out."""
    found = _PLACE.match(finding.place)
    kind, number, inner, part = found.groups() if found else ("", "-1", "", None)
    clip = _clip(model, finding.clip, int(number) if kind == "animations" else -1)
    joint = model.skeleton.index_of.get(finding.joint, -1) if finding.joint else -1
    if kind == "nodes" and (joint < 0 or model.skeleton.names[joint] == finding.joint):
        joints, node = model.skeleton.joint_of_node, int(number)
        joint = int(joints[node]) if node < len(joints) else -1
    primitive = int(part) if part is not None and inner == "primitives" else 0
    on = _part(model, kind, int(number), primitive, finding.item)
    chosen = on if joint < 0 else Selected(joint)
    target = _TARGET.match(finding.place)
    morph = -1 if target is None else int(target[1])
    return FindingTarget(chosen, clip, finding.time, on, finding.vertices, morph)


@Memo
def finding_places(model: Model, findings: Findings) -> FindingPlaces:
    """Return findings, most severe first, by the places to which a click on them goes."""
    every: dict[Part, list[Finding]] = {}
    joints: dict[int, list[Finding]] = {}
    parts: dict[Part, list[Finding]] = {}
    clips: dict[int, list[Finding]] = {}
    for finding in findings:
        chosen, clip, *_ = target_of(model, finding)
        if chosen is not None:
            every.setdefault((chosen.joint, chosen.primitive), []).append(finding)
            if finding.severity == "info":
                pass
            elif chosen.primitive < 0:
                joints.setdefault(chosen.joint, []).append(finding)
            else:
                parts.setdefault((chosen.joint, chosen.primitive), []).append(finding)
        if clip >= 0 and is_seen(finding):
            clips.setdefault(clip, []).append(finding)
    times = {
        clip: sorted(
            (each for each in own if each.time is not None), key=lambda each: each.time or 0.0
        )
        for clip, own in clips.items()
    }
    fixed = _fixed(joints), _fixed(_branches(model, joints)), _fixed(parts)
    return FindingPlaces(_fixed(every), *fixed, _fixed(clips), _fixed(times))


def tooltip_text(findings: Sequence[Finding]) -> str:
    """Return the text of a tooltip: what is wrong and how to fix it, of the first findings."""
    lines = [
        f"{each.severity.capitalize()}: {capitalized(each.message)}\n→ {each.fix}"
        for each in findings[:MOST_SHOWN]
    ]
    more = len(findings) - MOST_SHOWN
    return "\n".join([*lines, f"and {more} more"] if more > 0 else lines)


def _branches(model: Model, joints: Mapping[int, Sequence[Finding]]) -> dict[int, list[Finding]]:
    """Return the findings about the joints of each branch, most severe first."""
    parents, found = model.skeleton.parents.tolist(), dict[int, list[Finding]]()
    for joint, own in joints.items():
        above = joint
        while above >= 0:
            found.setdefault(above, []).extend(own)
            above = parents[above]
    for listed in found.values():
        listed.sort(key=lambda each: SEVERITIES.index(each.severity))
    return found


def _fixed(groups: Mapping[K, Sequence[Finding]]) -> dict[K, Findings]:
    return {key: tuple(found) for key, found in groups.items() if found}


def _clip(model: Model, name: str, number: int) -> int:
    """Return the index of a clip by name and, if several have the name, by number."""
    if 0 <= number < len(model.clips) and name in ("", model.clips[number].name):
        return number
    return next((k for k, clip in enumerate(model.clips) if clip.name == name), -1)


def _part(model: Model, kind: str, number: int, primitive: int, item: str) -> Selected | None:
    """Return the first part of a mesh in the scene that a place or the name of a mesh means."""
    for instance in model.instances:
        mesh = model.meshes[instance.mesh]
        materials = [part.material for part in mesh.primitives]
        if not instance.in_scene or not materials:
            continue
        if kind == "materials" and number in materials:
            return Selected(instance.joint, materials.index(number))
        right = {"meshes": instance.mesh, "skins": instance.skin}.get(kind) == number
        if right or (not kind and item and mesh.name == item):
            return Selected(instance.joint, primitive if primitive < len(materials) else 0)
    return None


@dataclass(slots=True)
class FileCheck:
    """The last check of a file, and the one that runs.

    Attributes
    ----------
    progress
        Share of the running check that is done, 0 to 1.
    report
        Its findings; while the next check runs those of the last one. None: none yet, or it failed.
    error
        Why the file cannot be checked, one line.
    seconds
        How long the check took.
    asked
        Whether it was asked for by hand: it starts at once, also if checks are turned off.
    """

    status: Status = "waiting"
    progress: float = 0.0
    report: CheckReport | None = None
    error: str = ""
    seconds: float = 0.0
    asked: bool = False
    since: float = 0.0  # session time at which the present files were read
    _present: object = None  # the stamps of these files
    _checked: object = None  # those of the last check that began

    @property
    def count(self) -> int:
        """Number of new findings; 0 before the first check."""
        return 0 if self.report is None else sum(self.report.counts.values())

    @property
    def stale(self) -> bool:
        """Whether the files were read again since the last check began."""
        return self._present is not self._checked

    def follow(self, stamps: object, tau: float) -> None:
        """Note which files are open, by an object that is new after each reading."""
        if stamps is not self._present:
            self._present, self.since = stamps, tau

    def begin(self, stamps: object) -> None:
        """Note that a check of files begins."""
        self.status, self.progress, self._checked = "running", 0.0, stamps

    def wait(self) -> None:
        """Note that the running check was ended: it begins again when it is due."""
        self.status, self._checked = "waiting", None

    def finish(self, report: CheckReport, seconds: float) -> None:
        """Set the result of a check."""
        self.status, self.error, self.seconds = "done", "", seconds
        self.report = report

    def fail(self, error: str) -> None:
        """Set the error of a check."""
        self.status, self.error = "failed", error
        self.report = None

    def again(self) -> None:
        """Ask for a check; one that runs begins again."""
        self.asked = True
        if self.status == "running":
            self._checked = None

    def places(self, model: Model) -> FindingPlaces:
        """Return the new findings by what they are about; none before the first check."""
        return finding_places(model, () if self.report is None else self.report.findings)
