"""Rigview: poses, loading, frames and jumps in time, as a worker; see burst_worker.py.

python -m tests.bench.performance.our_worker
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does

from tests.bench.performance.burst_worker import serve


def pose(path, clip, count):
    """Pose all characters with numpy, 1/60 s later than before."""
    from tests.bench import pose as poses

    return poses.Steps(poses.load(path), clip, count).next_frame


def load(path):
    """Load a file, without its images."""
    from rigview.loading.load import load

    return lambda: load(path)


def frame(path, clip, look, size, samples):
    """Pose, draw and read back, without occlusion."""
    from rigview.rendering.offscreen import OffscreenRenderer
    from tests.bench import frame as frames

    offscreen = OffscreenRenderer((size, size), samples)
    return frames.drawing(frames.common_scene(path, clip, look), offscreen)


def frame_work(path):
    """Update a session and read from its scene what drawing needs."""
    from tests.bench.frame_work import Work

    return Work(path).next_frame


def jump(path, seconds):
    """Bind a motion with an aim of limited speed, and jump to a far time."""
    from rigview.animation.pose import Pose
    from rigview.loading.load import load
    from rigview.motion.bind import bind
    from rigview.motion.document import Aim, LayerSettings, MotionDoc, Parameter

    model = load(path)
    pose = Pose.like(model.skeleton.rest)
    document = MotionDoc(
        parameters={"look_at": Parameter((2.0, 1.5, 0.5))},
        aims={"head": Aim({"Neck": 0.5, "Head": 1.0}, "look_at", speed=90.0)},
        layers=(LayerSettings("base", "Idle"), LayerSettings("look", "head", weight=0.5)),
    )

    def work():
        mixer = bind(model, document)
        mixer.seek(seconds)
        mixer.sample(pose)

    return work


if __name__ == "__main__":
    serve({each.__name__: each for each in (pose, load, frame, frame_work, jump)})
