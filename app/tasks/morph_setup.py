"""Morph weights that are set in place of the clips': [morphs] of the motion file, then --set."""

from typing import TYPE_CHECKING

from ..errors import MotionError, UsageError
from ..model.model import Model
from ..options.command_options import Options
from .input_file import source_name

if TYPE_CHECKING:
    from ..animation.types import F32
    from ..motion.read import MotionFile


def morph_values(options: Options, model: Model, file: "MotionFile | None") -> "F32 | None":
    """Return the values [P] that are set, NaN: not set; None: no morph weight is set.

    Raises
    ------
    MotionError
        The model lacks a morph target of the motion file.
    UsageError
        The model lacks a morph target of --set.
    """
    in_file = file is not None and bool(file.document.morphs)
    if not (in_file or options.shown.motion.morphs):
        return None
    from ..model.morph_weights import find_morph_weights, no_weights_set
    from ..motion.bind_names import set_morphs

    values = no_weights_set(model)
    if file is not None:
        try:
            values = set_morphs(model, file.document)
        except MotionError as error:
            raise file.locate(error) from None
    for given in options.shown.motion.morphs:
        try:
            values[find_morph_weights(model, given.name)] = given.value
        except UsageError as error:
            message = f"--set {given.text}: {error.message}"
            raise UsageError(message, file=source_name(options), hint=error.hint) from None
    return values
