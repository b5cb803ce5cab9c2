"""Checkpoints: states of a simulation at earlier times, few and farther apart the older they are.

The distance between two checkpoints is at most `SHARE` of the age of the newer one, or one step
of the simulation. Going back by a number of seconds so repeats at most that share of them. The
number of checkpoints grows with the logarithm of the time: about 30 a decade at most.
"""

import bisect
from typing import Generic, TypeVar

SHARE = 0.5  # of the age: the largest distance to the checkpoint before

State = TypeVar("State")


class Checkpoints(Generic[State]):
    """States in order of time; the first one stays, and one that no run from it reaches.

    Parameters
    ----------
    tau, state
        The first state and its time, seconds.
    """

    def __init__(self, tau: float, state: State) -> None:
        self._times = [tau]
        self._states = [state]
        self._staying = 1  # leading states that are never dropped

    @property
    def last(self) -> float:
        """The time of the newest state, seconds."""
        return self._times[-1]

    @property
    def times(self) -> list[float]:
        """The times of all states, seconds, ascending."""
        return list(self._times)

    def add(self, tau: float, state: State) -> None:
        """Add the newest state, and drop older ones that are closer together than needed."""
        self._times.append(tau)
        self._states.append(state)
        times, k = self._times, self._staying
        while k < len(times) - 1:
            if times[k + 1] - times[k - 1] <= SHARE * (tau - times[k + 1]):
                del times[k], self._states[k]
            else:
                k += 1

    def go_back(self, tau: float) -> State:
        """Return the last state at or before a time, else the first; later ones are dropped."""
        place = max(bisect.bisect_right(self._times, tau), 1)
        del self._times[place:], self._states[place:]
        self._staying = min(self._staying, place)
        return self._states[-1]

    def replace(self, tau: float, state: State) -> None:
        """Replace all states but the first by one that was changed from outside, and keep it."""
        self._times[1:], self._states[1:] = [tau], [state]
        self._staying = 2
