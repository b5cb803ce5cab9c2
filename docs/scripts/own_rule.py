"""Report joints that move too fast: own_rule.py hero.glb, or check --rule-file own_rule.py."""

import sys
from collections.abc import Iterator

import numpy as np

import rigview


@rigview.rule("joint-speed", fix="move the keys apart", limits={"mm_per_s": 8000.0})
def joint_speed(context: rigview.RuleContext) -> Iterator[rigview.Finding]:
    """a joint moves too fast for the eye"""
    for clip in context.clips:
        sampled = context.sampled(clip)  # about 60 times a second
        metres = np.linalg.norm(np.diff(sampled.positions, axis=0), axis=2)  # [times - 1, joints]
        for time, way in zip(sampled.times, metres, strict=False):
            joint, speed = int(way.argmax()), 1000 * way.max() / sampled.step
            if speed > context.limits["mm_per_s"]:
                message = f"a joint moves {speed / 1000:.1f} m in a second of {clip.name}"
                yield context.finding(message, clip=clip, joint=joint, time=time)
                break


if __name__ == "__main__":
    for file in sys.argv[1:]:
        for finding in rigview.check(file, rules=[joint_speed]):
            print(f"{file}: {finding.joint}: {finding.message} at {finding.time:.2f} s")
