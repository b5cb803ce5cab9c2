"""f3d: loads files and draws animated frames; runs in an interpreter that has f3d.

python f3d_worker.py picture PATH CLIP OUT: one picture of 512 x 512 pixels, as a whole process.
python f3d_worker.py: a worker, see burst_worker.py.
"""

import itertools
import sys

import f3d

SIZE = (512, 512)


def engine_of(path, clip, size):
    """Return an engine with a file in which a clip plays, with the default options of f3d."""
    f3d.Log.set_verbose_level(f3d.Log.QUIET)
    f3d.Engine.autoload_plugins()
    engine = f3d.Engine.create_egl()
    engine.window.size = size
    engine.scene.add(path)
    names = list(engine.scene.animation.get_names())
    if clip in names:
        engine.options.update({"scene.animation.indices": [names.index(clip)]})
    return engine


def load(path):
    """Add a file to an empty scene: it parses the file, decodes images and makes VTK objects."""
    f3d.Log.set_verbose_level(f3d.Log.QUIET)
    f3d.Engine.autoload_plugins()
    engine = f3d.Engine.create_egl()

    def work():
        engine.scene.clear()
        engine.scene.add(path)

    return work


def frame(path, clip, camera, size, seconds, samples):
    """Pose, draw and read back. f3d has FXAA where the others have four samples."""
    engine = engine_of(path, clip, (size, size))
    if samples > 1:
        engine.options.update({"render.effect.antialiasing.mode": "fxaa"})
    window, numbers = engine.window, itertools.count()
    window.camera.position = camera["position"]
    window.camera.focal_point = camera["target"]
    window.camera.view_up = (0.0, 1.0, 0.0)
    window.camera.view_angle = camera["fov"]

    def work():
        engine.scene.animation.load_time(next(numbers) / 60 % seconds)
        _ = window.render_to_image().content

    return work


def picture(path, clip, out):
    """Write one picture at 0.5 s."""
    engine = engine_of(path, clip, SIZE)
    engine.scene.animation.load_time(0.5)
    engine.window.render_to_image().save(out)


if __name__ == "__main__":
    if sys.argv[1:2] == ["picture"]:
        picture(*sys.argv[2:])
    else:
        from burst_worker import serve

        serve({"load": load, "frame": frame})
