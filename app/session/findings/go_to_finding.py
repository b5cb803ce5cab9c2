"""Go to a finding: select its joint or mesh, show its clip and time, and frame it."""

from collections.abc import Sequence

import numpy as np

from ...animation.types import Index
from ...checks.finding import Finding
from ...model.model import Model
from ...scene.selected import Selected, primitive_of
from ...scene.selected_bounds import AROUND
from .. import played_motion
from ..finding_places import target_of
from ..opened_character import OpenedCharacter
from ..session import Session
from .findings_view import FindingsView


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

    A time pauses; without one, a clip that plays goes on. The camera frames the faulty vertices
    and the triangles that they distort, where they are known, else the selection.
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
    if target.selected is not None:
        session.update()  # to the time of the finding
        scene, aspect = session.scene, session.aspect
        if target.part is None or not target.vertices:
            scene.frame_selected(aspect, AROUND)
        else:
            rows = _with_neighbours(opened_character.model, target.part, target.vertices)
            scene.frame_part(aspect, target.part, AROUND, rows)


def _with_neighbours(model: Model, chosen: Selected, vertices: Sequence[int]) -> Index:
    """Return vertices of a part and the other corners of their triangles, where these belong."""
    part, rows = primitive_of(model, chosen), np.array(vertices, np.intp)
    if part is None or part.indices is None or part.topology != "triangles":
        return rows
    corners = part.indices.reshape(-1, 3)
    beside = corners[np.isin(corners, rows).any(axis=1)].astype(np.intp)
    return np.union1d(rows, beside.ravel())
