"""Rules about single clips and skins: their functions look at one, which findings name."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..animation.clip import Clip
from ..animation.skin import Skin
from .check_context import CheckContext
from .finding import Find, Finding, Limits
from .looping_clips import looping_clips

FindInClip = Callable[[CheckContext, Limits, int, Clip], Iterable[Finding]]


def per_clip(find: FindInClip) -> Find:
    """Return the function of a rule that looks at all examined clips."""
    return partial(_each, find, lambda context: context.clips)


def per_loop(find: FindInClip) -> Find:
    """Return the function of a rule that looks at the clips that should loop."""
    return partial(_each, find, looping_clips)


def per_skin(find: Callable[[CheckContext, Limits, int, Skin], Iterable[Finding]]) -> Find:
    """Return the function of a rule that looks at all skins."""

    def find_all(context: CheckContext, limits: Limits) -> Iterator[Finding]:
        for index, skin in enumerate(context.model.skins):
            for finding in find(context, limits, index, skin):
                yield replace(finding, item=skin.name)

    return find_all


def _each(
    find: FindInClip,
    clips: Callable[[CheckContext], Sequence[int]],
    context: CheckContext,
    limits: Limits,
) -> Iterator[Finding]:
    for index in clips(context):
        clip = context.clip(index)
        for finding in find(context, limits, index, clip):
            yield replace(finding, clip=clip.name)
