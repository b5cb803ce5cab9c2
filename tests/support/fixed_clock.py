"""A clock for tests, and time that passes in a session with one."""


class FixedClock:
    """A clock of fixed frames: frame k is at k / fps, computed from the integer k without drift."""

    def __init__(self, fps):
        self.fps = fps
        self.frame = 0

    def now(self):
        return self.frame / self.fps


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
