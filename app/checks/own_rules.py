"""Rules that users write in Python: the decorator, what their functions get, where they come from.

They are in files that the user names and in installed packages. Their code is never found beside a
character, and no configuration file that comes with a character can name it.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..animation.clip import Clip
from ..animation.types import F64
from ..animation.vectors import length
from ..errors import AppError, RuleError, UsageError
from ..file_io import read_file
from ..model.model import Model
from ..wording import one_line
from .check_context import REFERENCE_HEIGHT, CheckContext, ClipPoses
from .finding import GROUPS, SEVERITIES, Finding, Group, Limit, Limits, Rule, Severity, rules_of
from .foot_contacts import Contact, contacts
from .visible_size import surface

ENTRY_POINTS = "rigview.rules"  # group of the entry points of packages
MOST_BYTES = 1 << 20  # of a file
_ID = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
_UNITS = {"mm": "mm", "mm_per_s": "mm/s", "degrees": "°", "percent": "%", "seconds": "s"}
_LENGTHS = ("mm", "mm_per_s")  # limits that are scaled to the character

RuleFunction = Callable[["RuleContext"], Iterable[Finding] | None]


class RuleContext:
    """A character under examination, for a rule of one's own; see `rule`.

    Clips are given as `Clip`, name, pattern or index. Lengths are metres, times seconds.

    Attributes
    ----------
    model
        The character.
    limits
        Limits of the rule by name; lengths (`mm`, `mm_per_s`) are scaled to the character.
    clips
        The examined clips.

    Examples
    --------
    >>> @rigview.rule("hips-low", fix="raise the hips", limits={"mm": 500.0})
    ... def hips_low(context):
    ...     "the hips come close to the floor"
    ...     for clip in context.clips if context.hips is not None else ():
    ...         heights = context.sampled(clip).positions[:, context.hips, 1]
    ...         if heights.min() * 1000 < context.limits["mm"]:
    ...             yield context.finding("the hips sink", clip=clip, joint=context.hips)
    >>> [found.clip for found in rigview.check(model, rules=[hips_low])]
    []
    """

    def __init__(self, context: CheckContext, limits: Limits) -> None:
        self.model: Model = context.model
        self.limits: Limits = limits
        self.clips: tuple[Clip, ...] = tuple(map(context.clip, context.clips))
        self._context = context

    def __repr__(self) -> str:
        return f"<RuleContext of {self.model.name!r}, {len(self.clips)} clips>"

    @property
    def height(self) -> float:
        """Height of the character at rest, metres; 1.8 without vertices."""
        return self._context.scale * REFERENCE_HEIGHT

    @property
    def hips(self) -> int | None:
        """The joint of the hips, by the names and the shape of the rig; None: not found."""
        return None if self._context.hips < 0 else self._context.hips

    def sampled(self, clip: Clip | str | int, times: ArrayLike | None = None) -> ClipPoses:
        """Return poses of a clip in model space.

        Parameters
        ----------
        clip
            The clip.
        times
            [T] seconds of the clip; None: about 60 a second, from its first key to its last.

        Returns
        -------
        ClipPoses
            `times` [T], `matrices` [T, J, 4, 4], `positions` [T, J, 3] metres, `rotations`
            [T, J, 4], `values` [T, P]; and `step`, seconds between samples.
        """
        if times is None:
            return self._context.sampled(self._index(clip))
        index, seconds = self._index(clip), np.atleast_1d(times).astype(float)
        return self._context.posed(self._context.clip(index), seconds)

    def vertices(self, clip: Clip | str | int, times: ArrayLike | None = None) -> F64:
        """Return the skinned and morphed vertices [T, V, 3], metres, model space; see `sampled`.

        Of a character without vertices these are the origins of its joints.
        """
        shown = self.sampled(clip, times)
        poses = zip(shown.matrices, shown.values, strict=True)
        return np.stack([surface(self._context, matrices, values) for matrices, values in poses])

    def bone_lengths(self, clip: Clip | str | int, times: ArrayLike | None = None) -> F64:
        """Return the distance of each joint from its parent [T, J], metres; 0 of roots."""
        positions, parents = self.sampled(clip, times).positions, self.model.skeleton.parents
        return np.where(parents < 0, 0.0, length(positions - positions[:, parents]))

    def contacts(self, clip: Clip | str | int) -> dict[str, tuple[Contact, ...]]:
        """Return the contacts of the feet with the ground, by joint.

        A contact has `begin` and `end`, seconds of the clip, and `slide`, metres. There are none
        where the feet fit no ground: the character flies, or lies.
        """
        found = self._context.cached(contacts, self._index(clip))
        if found is None or not found.fits:
            return {}
        return {foot.name: of_foot for foot, of_foot in found.feet}

    def finding(
        self,
        message: str,
        *,
        clip: Clip | str = "",
        joint: int | str = "",
        item: str = "",
        time: float | None = None,
        amount: float | None = None,
        unit: str = "",
        limit: float | None = None,
        size: float | None = None,
        severity: Severity | None = None,
        fix: str = "",
    ) -> Finding:
        """Return a finding.

        Parameters
        ----------
        message
            What is wrong, with names and numbers, without a final full stop.
        clip, joint, item
            What is affected; an item is a mesh, material, texture or node.
        time
            Seconds of the clip.
        amount, unit, limit
            The measured value, its unit, and its limit.
        size
            How far it moves the surface, metres.
        severity, fix
            None or empty: those of the rule.
        """
        return Finding(
            message,
            None if amount is None else float(amount),
            unit,
            limit,
            clip=clip.name if isinstance(clip, Clip) else clip,
            joint=joint if isinstance(joint, str) else self.model.skeleton.names[joint],
            item=item,
            time=None if time is None else float(time),
            fix=fix,
            severity=severity or "",
            size=None if size is None else float(size),
        )

    def _index(self, clip: Clip | str | int) -> int:
        if not isinstance(clip, Clip):
            return self.model.clips.find(clip).index
        for index, own in enumerate(self.model.clips):
            if own is clip:
                return index
        raise UsageError(f"{clip!r} is not a clip of the model")


def rule(
    identity: str,
    *,
    fix: str,
    severity: Severity | Literal["size"] = "warning",
    group: Group = "Motion",
    limits: Mapping[str, float] | None = None,
) -> Callable[[RuleFunction], Rule]:
    """Make a rule of `rigview check` from a function that yields findings.

    The first line of its docstring says what the rule finds. The rule is run by
    ``rigview check --rule-file FILE``, by ``rigview.check(model, rules=[hips_low])``, and where a
    package names it in its entry points ``rigview.rules``.

    Parameters
    ----------
    identity
        Its id, lower case words joined by hyphens: ``hips-low``.
    fix
        How to fix what it finds, as an imperative.
    severity
        "error", "warning", "info", or "size": by the visible size of each finding.
    group
        "Motion", "Rig", "Mesh", "Material" or "File": where the findings are listed.
    limits
        Defaults of its limits by name, which ``rigview.toml`` can change. `mm` and `mm_per_s` are
        for a character 1.8 m tall.

    Raises
    ------
    UsageError
        The id, severity, group or a limit is not of this form, or there is no docstring.

    Examples
    --------
    >>> @rigview.rule("clip-short", fix="add keys", limits={"seconds": 0.2})
    ... def clip_short(context):
    ...     "a clip is too short to be seen"
    ...     for clip in context.clips:
    ...         if clip.duration < context.limits["seconds"]:
    ...             yield context.finding(f"{clip.name} is short", clip=clip)
    >>> rigview.check(model, rules=[clip_short])
    []
    """
    if not _ID.fullmatch(identity):
        raise UsageError(f"the id of a rule is lower case words joined by hyphens: {identity!r}")
    if severity not in (*SEVERITIES, "size"):
        raise UsageError(f"severity of {identity}: {severity!r}", hint=f"{SEVERITIES} or 'size'")
    if group not in GROUPS:
        raise UsageError(f"group of {identity}: {group!r}", hint=f"one of {GROUPS}")
    known = tuple(
        Limit(name, float(value), _UNITS.get(name, ""), "limit", scaled=name in _LENGTHS)
        for name, value in (limits or {}).items()
    )

    def made(function: RuleFunction) -> Rule:
        summary = (function.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        if not summary:
            raise UsageError(f"{identity} needs a docstring that says what it finds")

        def find(context: CheckContext, limits: Limits) -> Iterator[Finding]:
            return _findings(identity, function, RuleContext(context, limits))

        return Rule(identity, severity, summary, fix, find, known, group=group)

    return made


def _findings(identity: str, function: RuleFunction, context: RuleContext) -> Iterator[Finding]:
    """Yield the findings of a function (RuleError: it fails)."""
    try:
        for found in function(context) or ():
            if not isinstance(found, Finding):
                raise UsageError(f"yields {type(found).__name__}, not a finding")
            yield found
    except (Exception, SystemExit) as error:
        code = getattr(function, "__code__", None)
        file, line = (code.co_filename, code.co_firstlineno) if code else ("", 0)
        raise _rule_error(error, file, line, f"rule {identity}: ") from error


def _be_rigview() -> None:
    """Let user code import this very package, whose name in a checkout is that of its folder.

    The classes of a second one would be others.
    """
    sys.modules.setdefault("rigview", sys.modules[__name__.partition(".")[0]])


def rules_in_files(files: Iterable[str]) -> Iterator[tuple[str, Rule]]:
    """Yield the rules in Python files with the name of the file, after running its code.

    Raises
    ------
    RuleError
        A file cannot be read, its code fails, or it has no rule.
    """
    _be_rigview()
    for number, file in enumerate(files):
        name = f"rigview_rule_file_{number}"
        module = sys.modules[name] = ModuleType(name)
        module.__file__ = file
        try:
            text = read_file(file, MOST_BYTES)
        except FileNotFoundError:
            raise RuleError("there is no such file", file=file) from None
        except OSError as error:
            raise RuleError(error.strerror or str(error), file=file) from None
        try:
            exec(compile(text, file, "exec", dont_inherit=True), vars(module))
        except (Exception, SystemExit) as error:
            raise _rule_error(error, file, 0) from error
        yield from _rules_of(module, file)


def rules_of_packages() -> Iterator[tuple[str, Rule]]:
    """Yield the rules of installed packages with the name of their entry point.

    Raises
    ------
    RuleError
        A package cannot be imported, or has no rule.
    """
    from importlib.metadata import entry_points  # takes 20 ms

    _be_rigview()
    for point in entry_points(group=ENTRY_POINTS):
        source = f"entry point {point.name} = {point.value}"
        try:
            found = point.load()
        except (Exception, SystemExit) as error:
            raise _rule_error(error, source, 0) from error
        yield from _rules_of(found, source)


def _rules_of(found: object, source: str) -> Iterator[tuple[str, Rule]]:
    """Yield the rules in a module, or a rule (RuleError: there is none)."""
    rules = [found] if isinstance(found, Rule) else []
    if isinstance(found, ModuleType):
        rules = rules_of(found)
    if not rules:
        raise RuleError("has no rule", file=source, hint="decorate a function with @rigview.rule")
    yield from ((source, each) for each in rules)


def _rule_error(error: BaseException, file: str, line: int, subject: str = "") -> RuleError:
    """Return an error of the user's code, with the last line of the file that it came from."""
    if isinstance(error, SyntaxError) and error.filename == file:
        line, text = error.lineno or 0, f"{type(error).__name__}: {error.msg}"
    else:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == file:
                line = trace.tb_lineno
            trace = trace.tb_next
        kind = "" if isinstance(error, AppError) else f"{type(error).__name__}: "
        text = f"{kind}{error}"
    place = f"{file}:{line}" if line else file
    return RuleError(one_line(f"{subject}{text}"), place=place)
