"""Draws pictures with f3d; runs in an interpreter that has f3d, and reads jobs as JSON from stdin.

A job is one picture: path, clip (-1: none), time, size, camera ({}: the default of f3d), options of
f3d by name, transparent (no background), out (path of an .npy file), and anchors: positions of
invisibly small triangles. f3d sets its clipping planes by the mesh before skinning, which can cut
off the skinned mesh; the anchors move the planes.
"""

import json
import sys

import f3d
import numpy as np

LIKE_THE_COMMAND = {  # as in f3d's default configuration, and --ambient-occlusion
    "render.effect.ambient_occlusion": True,
    "render.effect.tone_mapping": True,
    "render.hdri.ambient": True,
    "render.effect.blending.mode": "ddp",
}


def draw(job):
    f3d.Engine.autoload_plugins()
    engine = f3d.Engine.create_egl()
    engine.window.size = job["size"]
    engine.options.update(LIKE_THE_COMMAND | job["options"])
    engine.options.update({"scene.animation.indices": [max(job["clip"], 0)]})
    engine.scene.add(job["path"])
    for place in job["anchors"]:
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
    else:  # as the command's --camera-direction
        window.camera.position = [1.0, 0.5, 1.0]
        window.camera.focal_point = [0.0, 0.0, 0.0]
        window.camera.view_up = (0.0, 1.0, 0.0)
        window.camera.reset_to_bounds()
    image = window.render_to_image(no_background=job["transparent"])
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
