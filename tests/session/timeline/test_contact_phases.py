"""The foot contacts of a selected foot: those of `check`, on the timeline and on its path."""

import numpy as np
import pytest

from rigview.checks.foot_contacts import clip_contacts, contacts
from rigview.scene.selected import Selected
from rigview.session.timeline.timeline_marks import contact_phases
from tests.checks.cases_motion import CASES
from tests.support.models import rod_model, show_model
from tests.support.sessions import new_session

SLIDING = CASES["foot-slide"].broken()


@pytest.fixture
def session():
    session = new_session(60.0)
    session.tick()
    show_model(session, SLIDING.model)
    session.character.play_clip(0, 0.0)
    return session


def select(session, joint):
    session.selections.select(session.active, Selected(joint))
    session.update()


def test_contacts_are_those_of_check(session):
    found = SLIDING.cached(contacts, 0)
    foot, of_foot = found.feet[0]
    select(session, foot.joint)
    shown = contact_phases(session)
    assert [tuple(phase.span) for phase in shown] == [each[:3] for each in of_foot]
    worst = max(shown, key=lambda phase: phase.span.slide)
    assert f"{foot.name} on the ground from {worst.span.begin:.2f} s" in worst.words
    assert contact_phases(session) is shown


def test_high_joint_has_none(session):
    heights = SLIDING.model.skeleton.to_model(SLIDING.model.skeleton.rest)[:, 1, 3]
    select(session, int(np.argmax(heights)))
    assert contact_phases(session) == []
    assert session.character.foot_contacts is None


def test_clip_without_contacts():
    assert clip_contacts(rod_model(), 0).spans == {}


def test_contact_over_the_seam_has_two_parts(session):
    begin, end = 0.0, float(session.character.playback.duration)
    feet = SLIDING.cached(contacts, 0).feet
    for foot, of_foot in feet:
        select(session, foot.joint)
        for phase, contact in zip(contact_phases(session), of_foot, strict=True):
            if contact.end > contact.begin:
                assert phase.parts == ((contact.begin, contact.end),)
            else:
                assert phase.parts == ((contact.begin, end), (begin, contact.end))
                assert "over the seam" in phase.words
