"""A clock for tests."""


class FixedClock:
    """A clock of fixed frames: frame k is at k / fps, computed from the integer k without drift."""

    def __init__(self, fps):
        self.fps = fps
        self.frame = 0

    def now(self):
        return self.frame / self.fps
