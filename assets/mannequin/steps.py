"""Steps: the path of a foot over a period of walking or running, on the ground and in the air.

The phase u of a foot is 0 at contact. While in contact it is fixed to the ground, which moves
relative to the character at `-speed` and rotates by `-turn`; it rolls from heel to toe (or the
reverse). During swing it moves from its lift-off to the next contact.
"""

from dataclasses import dataclass, replace

import numpy as np

from .bones import F64
from .curves import about, ease, path
from .puppet import AHEAD, Foot, planted

Knots = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Step:
    """How one foot steps. Angles in degrees, lengths in metres, u and v as above.

    Attributes
    ----------
    period: seconds from one contact to the next.
    duty: duty factor, the fraction of the period on the ground.
    speed: (x, z) velocity of the character, metres per second.
    under: (x, z) of the ball of the foot in the middle of its contact.
    yaw: where the toes point then, to the character's left.
    turn: rotation to the left, degrees per second.
    strike: that the toes are up at contact; negative: the heel is.
    flat, lift: u at which the sole is down, and the heel comes up.
    push: that the heel is up at the end; negative: the toes are.
    tip: that the foot is tipped over its toes at the end.
    heights: (v, y) of the ankle in the air, v from 0 to 1.
    along: (v, metres ahead of the hips' middle along the way) of the ankle in the air.
    beyond: metres that the foot goes further than where it meets the ground, at v = 0.86.
    across: (v, metres) that the ankle goes aside in the air, to the left of the way.
    drop: metres a second that the ankle comes down with, and is pulled up with.
    soft: how much of the ground's pace the foot has taken on when it meets it.
    pitches: (v, that the toes are up) of the foot in the air.
    """

    period: float
    duty: float
    speed: tuple[float, float]
    under: tuple[float, float]
    yaw: float
    turn: float = 0.0
    strike: float = 16.0
    flat: float = 0.09
    lift: float = 0.3
    push: float = 48.0
    tip: float = 22.0
    heights: Knots = ()
    along: Knots = ()
    beyond: float = 0.0
    across: Knots = ()
    soft: float = 0.6
    drop: float = 0.25
    pitches: Knots = ()

    def ground(self, u: F64) -> tuple[F64, F64]:
        """Return the ball [K, 2] and the yaw [K] of a foot fixed to the ground."""
        seconds = (u - self.duty / 2.0) * self.period
        angle = np.radians(self.turn) * seconds
        # the path of the character, in the axes of its start: an arc
        half = np.sinc(angle / (2.0 * np.pi)) * seconds
        x, z = self.speed
        sine, cosine = np.sin(angle / 2.0), np.cos(angle / 2.0)
        gone = half[:, None] * np.stack((x * cosine + z * sine, z * cosine - x * sine), axis=1)
        away = np.array(self.under) - gone
        sine, cosine = np.sin(-angle), np.cos(-angle)
        ball = np.stack(
            (away[:, 0] * cosine + away[:, 1] * sine, away[:, 1] * cosine - away[:, 0] * sine),
            axis=1,
        )
        return ball, self.yaw - np.degrees(angle)

    def standing(self, u: F64, side: str) -> F64:
        """Return the foot during contact [K, 6]: ankle, its pitch, the toes' pitch, yaw."""
        ball, yaw = self.ground(u)
        late = ((u - self.lift) / (self.duty - self.lift)).clip(0.0)
        roll = self.strike * ease(1.0 - u / self.flat) - self.push * late**2
        tip = self.tip * ((late - 0.45) / 0.55).clip(0.0) ** 2
        foot = planted(side, ball, yaw=yaw, roll=roll, tip=tip, count=len(u))
        toes = np.maximum(roll, 0.0) - tip
        return np.concatenate((foot.ankle, np.stack((roll - tip, toes, yaw), axis=1)), axis=1)

    def flying(self, v: F64, side: str, to: "Step | None" = None) -> F64:
        """Return the foot during swing [K, 6], as `standing` does, until the next step."""
        edge = 1e-4
        one, start = self.standing(np.array((self.duty - edge, self.duty)), side)
        end, two = (to or self).standing(np.array((0.0, edge)), side)
        away = (1.0 - self.duty) / edge
        leaves, meets = (start - one) * away, (two - end) * away * self.soft
        way = np.array(self.speed) / np.hypot(*self.speed)
        frame = np.array(((way[0], 0.0, way[1]), (0.0, 1.0, 0.0), (way[1], 0.0, -way[0])))
        places = []
        rows: tuple[Knots, Knots, Knots] = (self.along, self.heights, ())
        for axis, (row, knots) in enumerate(zip(frame, rows, strict=True)):
            ends = [float(row @ leaves[:3]), float(row @ meets[:3])]
            if axis == 1:
                ends[0] += self.drop * self.period * (1.0 - self.duty)
                ends[1] = -self.drop * self.period * (1.0 - self.duty)
            first, last = (0.0, float(row @ start[:3])), (1.0, float(row @ end[:3]))
            if axis == 0 and self.beyond:
                knots = (*knots, (0.86, last[1] + self.beyond))
            places.append(path(v, first, *knots, last, ends=(ends[0], ends[1])))
        if self.across:
            places[2] = places[2] + path(v, (0.0, 0.0), *self.across, (1.0, 0.0))
        ankle = np.stack(places, axis=1) @ frame
        soft = 0.3  # the turning of the foot goes over into the air more calmly
        pitch = path(
            v,
            (0.0, start[3]),
            *self.pitches,
            (1.0, end[3]),
            ends=(leaves[3] * soft, meets[3] * soft),
        )
        bent = (start[4] - start[3]) * (1.0 - ease(v / 0.45))
        bent = bent + (end[4] - end[3]) * ease((v - 0.45) / 0.55)
        yaw = path(v, (0.0, start[5]), (1.0, end[5]), ends=(leaves[5], meets[5]))
        return np.concatenate((ankle, np.stack((pitch, pitch + bent, yaw), axis=1)), axis=1)

    def foot(self, u: F64, side: str, knee: float = 0.0, to: "Step | None" = None) -> Foot:
        """Return the foot at phases u [K] since its contact; the knee points `knee` left of it.

        `to`: the following step at u = 1; by default the same step.
        """
        again, u = np.floor(u), u % 1.0
        air = u >= self.duty
        v = ((u - self.duty) / (1.0 - self.duty)).clip(0.0)
        stands = self.standing(u.clip(0.0, self.duty), side)
        if to is not None:
            later = to.standing(u.clip(0.0, to.duty), side)
            stands = np.where(again[:, None] < 1.0, stands, later)
        return _foot(np.where(air[:, None], self.flying(v, side, to), stands), knee)

    def mirrored(self) -> "Step":
        """Return the step of the other foot, with left and right exchanged."""
        return replace(
            self,
            speed=(-self.speed[0], self.speed[1]),
            under=(-self.under[0], self.under[1]),
            yaw=-self.yaw,
            turn=-self.turn,
            across=tuple((v, -aside) for v, aside in self.across),
        )


def _foot(state: F64, knee: float) -> Foot:
    count = len(state)
    heading = about("y", state[:, 5], count)
    return Foot(
        state[:, :3],
        heading @ about("x", -state[:, 3], count),
        heading @ about("x", -state[:, 4], count),
        about("y", state[:, 5] + knee, count) @ AHEAD,
    )
