"""f3d's pictures, drawn by an interpreter that has f3d: reads jobs from standard input, JSON.

A job is one picture: path, clip (-1: none), time, size, camera ({} is f3d's own), bare (nothing but
the model, on nothing), out, where an .npy goes, and specks: places in the world where something too
small to be seen is put. f3d measures what lies between its clipping planes on the mesh as it is
before skinning; where skinning moves it far off, the planes cut it.
"""

import json
import sys

import f3d
import numpy as np

LIKE_THE_COMMAND = {  # what f3d's own configuration switches on
    "render.effect.tone_mapping": True,
    "render.hdri.ambient": True,
    "render.effect.blending.mode": "ddp",
}


def draw(job):
    f3d.Engine.autoload_plugins()
    engine = f3d.Engine.create_egl()
    engine.window.size = job["size"]
    engine.options.update(LIKE_THE_COMMAND)
    engine.options.update(
        {
            "render.effect.antialiasing.mode": "ssaa" if job["bare"] else "fxaa",
            "render.grid.enable": not job["bare"],
            "ui.axis": not job["bare"],
            "scene.animation.indices": [max(job["clip"], 0)],
        }
    )
    engine.scene.add(job["path"])
    for place in job["specks"]:
        corners = np.add(place, np.eye(3) * 1e-6)
        engine.scene.add(f3d.Mesh(corners.ravel().tolist(), [], [], [3], [0, 1, 2]))
    if job["clip"] >= 0:
        engine.scene.animation.load_time(job["time"])
    camera, window = job["camera"], engine.window
    if camera:
        window.camera.position = camera["position"]
        window.camera.focal_point = camera["target"]
        window.camera.view_up = (0.0, 1.0, 0.0)
        window.camera.view_angle = camera["fov"]
    else:  # the command's --camera-direction
        window.camera.position = [1.0, 0.5, 1.0]
        window.camera.focal_point = [0.0, 0.0, 0.0]
        window.camera.view_up = (0.0, 1.0, 0.0)
        window.camera.reset_to_bounds()
    image = window.render_to_image(no_background=job["bare"])
    width, height = job["size"]
    pixels = np.frombuffer(image.content, np.uint8).reshape(height, width, -1)[::-1]
    np.save(job["out"], pixels)


if __name__ == "__main__":
    f3d.Log.set_verbose_level(f3d.Log.QUIET)
    for job in json.load(sys.stdin):
        try:
            draw(job)
        except Exception as error:
            sys.stderr.write(f"f3d: {job['path']}: {error}\n")
