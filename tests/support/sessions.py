"""Sessions on a clock for tests, in which time passes."""

from rigview.session.file_reading import FileReading
from rigview.session.session import Session
from tests.support.fixed_clock import FixedClock


def new_session(fps, **given):
    """A session of `fps` frames a second that reads no motion files beside characters."""
    return Session(FixedClock(fps), files=FileReading(read_motions=False), **given)


def advance(session, frames):
    """Let frames pass in one step."""
    session.clock.frame += frames
    session.tick()
    session.update()


def wait(session, seconds):
    """Let seconds pass in one step; return the time on the ruler."""
    advance(session, round(seconds * session.clock.fps))
    return session.transport.time


def play(session, seconds, step=0.02):
    """Let seconds pass in frames of `step` seconds; return the time on the ruler."""
    for _ in range(round(seconds / step)):
        wait(session, step)
    return session.transport.time
