"""Go to a finding: select its joint or mesh, show its clip and time, and frame it."""

from collections.abc import Sequence

import numpy as np

from ...animation.types import Index
from ...checks.finding import Finding
from ...model.model import Model
from ...scene.selected import Selected, primitive_of
from ...scene.selected_bounds import AROUND, CLOSE
from .. import played_motion
from ..file_check import FindingTarget, target_of
from ..opened_character import OpenedCharacter
from ..session import Session
from .findings_view import FindingsView

CHARTS = {  # of the curves, by the path of a track
    "translation": "Translation",
    "rotation": "Rotation",
    "scale": "Scale",
    "weights": "Morph weights",
}


def open_finding(session: Session, opened_character: OpenedCharacter, finding: Finding) -> None:
    """Open the details of a finding in the panel of findings, and go to it."""
    view = session.interface.of(FindingsView)
    view.opened, view.scroll_to_opened = finding, True
    go_to_finding(session, opened_character, finding)


def open_next(
    session: Session, opened_character: OpenedCharacter, findings: Sequence[Finding]
) -> None:
    """Show the panel of findings with the first of several; after it is open the next one."""
    opened = session.interface.of(FindingsView).opened
    at = next((k for k, each in enumerate(findings) if each is opened), -1)
    open_finding(session, opened_character, findings[(at + 1) % len(findings)])
    session.interface.mixer_panels.tab = "Findings"


def go_to_finding(session: Session, opened_character: OpenedCharacter, finding: Finding) -> None:
    """Make a character active, select what a finding is about, and show its clip and time.

    A time pauses; without one, a clip that plays goes on. The curves show its track, the morph
    targets its target. The camera frames the faulty vertices and the triangles that they distort,
    where they are known, else the selection.
    """
    target = target_of(opened_character.model, finding)
    session.activate(opened_character)
    if target.selected is not None:
        session.selections.select(opened_character, target.selected)
    character = opened_character.character
    if target.clip >= 0:
        other = character.mixer.layered or character.clip != target.clip
        if other or character.show != "clip":
            played_motion.choose_clip(opened_character, target.clip)
            session.interface.scroll_to_clip = True
        if target.time is not None:
            session.transport.pause_at(target.time)
    _list_morph(session, opened_character.model, target)
    _choose_track(session, opened_character.model, finding, target)
    if target.selected is not None:
        session.update()  # to the time of the finding
        scene, aspect = session.scene, session.aspect
        if target.part is None or not target.vertices:
            scene.frame_selected(aspect, AROUND)
        else:
            rows = _with_neighbours(opened_character.model, target.part, target.vertices)
            scene.frame_part(aspect, target.part, CLOSE, rows)


def _list_morph(session: Session, model: Model, target: FindingTarget) -> None:
    """Show the slider of the morph target of a finding."""
    part = None if target.part is None else primitive_of(model, target.part)
    if part is None or part.morph is None or not 0 <= target.morph < len(part.morph.names):
        return
    session.interface.outliner.filter_morphs = part.morph.names[target.morph]
    session.interface.mixer_panels.tab = "Morphs"


def _choose_track(session: Session, model: Model, finding: Finding, target: FindingTarget) -> None:
    """Show the faulty track in the curves, as it is stored; all tracks if none is known.

    If one of its components alone is off at the time of the finding, only that one is shown.
    """
    view = session.interface.curves
    view.chart, view.faulty, view.isolated = CHARTS.get(finding.path, ""), None, ("", "")
    if not view.chart or target.selected is None:
        return
    view.space, view.span = "local", None
    view.subject, view.missing = model.skeleton.names[target.selected.joint], ""
    if target.time is not None:
        view.faulty = view.subject, view.chart, target.time


def _with_neighbours(model: Model, chosen: Selected, vertices: Sequence[int]) -> Index:
    """Return vertices of a part and the other corners of their triangles, where these belong."""
    part, rows = primitive_of(model, chosen), np.array(vertices, np.intp)
    if part is None or part.indices is None or part.topology != "triangles":
        return rows
    corners = part.indices.reshape(-1, 3)
    beside = corners[np.isin(corners, rows).any(axis=1)].astype(np.intp)
    return np.union1d(rows, beside.ravel())
