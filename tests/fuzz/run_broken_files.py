"""Loads and plays broken files in a separate process with limited memory and time.

python -m tests.fuzz.run_broken_files FILE KIND COUNT: prints one line per unexpected error, and
at the end the numbers of files tried, rejected and failed.
"""

import resource
import signal
import sys
import warnings
from pathlib import Path

import numpy as np

from rigview.animation.morph import morph_points
from rigview.animation.pose import Pose
from rigview.animation.skin import skin_points
from rigview.blending.clip_mixer import clip_mixer
from rigview.errors import AppError
from rigview.loading.load import load
from rigview.scene.bounds import PosedBounds
from tests.fuzz import broken_files

TIMEOUT = 10.0  # seconds per file; a valid one takes a few milliseconds
EXTRA_MEMORY = 1 << 30  # bytes, in addition to the imports
TIMES = np.array([-1.0, 0.0, 0.1, 0.5, 1e6])


def play(model):
    """Sample the clips; compute matrices, palettes, vertices and bounds."""
    rest = model.skeleton.rest
    last = clip_mixer(model.clips, rest, len(model.clips) - 1)
    PosedBounds(model).sweep(last.sweep().poses)
    model.skeleton.to_model(rest)
    for clip in model.clips:
        pose = Pose.like(rest, TIMES.shape)
        clip.sample(TIMES * max(clip.end, 1e-3), pose)
        clip.sample_key(np.array([0, 1, 2, 3, 10**6]), pose)
        one = Pose.like(rest)
        clip.sample(clip.end / 3, one)
        matrices = model.skeleton.to_model(one)
        palettes = [skin.palette(matrices) for skin in model.skins]
    if model.clips:
        for instance in model.instances:
            deform(model, instance, one, palettes)


def deform(model, instance, pose, palettes):
    for primitive in model.meshes[instance.mesh].primitives:
        points = primitive.positions
        if primitive.morph is not None:
            weights = pose.values[model.channels[instance.channel].slice]
            points = morph_points(points, primitive.morph.positions, weights)
        if instance.skin >= 0 and primitive.joints is not None:
            skin_points(points, primitive.joints, primitive.weights, palettes[instance.skin])
        if primitive.indices is not None and primitive.indices.size:
            points[primitive.indices]


def play_and_decode(model, decode):
    """Play a model; with `decode`, decode its images too."""
    play(model)
    for image in model.images if decode else ():
        assert image.pixels.ndim == 3


def attempt(load, use, source, root, decode):
    """Return the message of an AppError, "" without one; other exceptions pass through."""
    try:
        loaded = load(source, root=root)
    except AppError as error:
        return str(error)
    use(loaded, decode)
    return ""


def limit_memory():
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + EXTRA_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def raise_timeout(signum, frame):
    raise TimeoutError(f"more than {TIMEOUT:g} s")


def main(path, kind, count, load=load, use=play_and_decode):
    """Return the number of broken files for which `load`, or `use` of the result, fails."""
    data, tried, rejected, failed = broken_files.read_as_glb(path), 0, 0, 0
    generated = {
        "truncations": lambda: broken_files.truncations(data),
        "byte_flips": lambda: broken_files.byte_flips(data, count, seed=1),
        "changed_integers": lambda: broken_files.changed_integers(data, count, seed=2),
        "extreme_floats": lambda: broken_files.extreme_floats(data, count, seed=3),
        "changed_values": lambda: broken_files.changed_values(data, count, seed=4),
    }[kind]()
    signal.signal(signal.SIGALRM, raise_timeout)
    warnings.simplefilter("error")
    np.seterr(divide="raise", over="raise", invalid="raise")
    assert not attempt(load, use, data, path.parent, decode=True), "the valid file is rejected"
    limit_memory()
    for name, source in generated:
        tried += 1
        signal.setitimer(signal.ITIMER_REAL, TIMEOUT)
        try:
            message = attempt(load, use, source, path.parent, decode=tried % 16 == 0)
            rejected += bool(message)
            assert len(message) < 1000, "an error is one line"
        except Exception as error:
            failed += 1
            where = error.__traceback__
            while where.tb_next:
                where = where.tb_next
            code = where.tb_frame.f_code
            sys.stdout.write(f"{name}: {error!r} in {code.co_filename}:{where.tb_lineno}\n")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    sys.stdout.write(f"{tried} tried, {rejected} rejected, {failed} failed\n")
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])) > 0)
