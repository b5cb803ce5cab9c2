"""Compares spheres with material extensions with those of the Khronos glTF viewer.

``npm install @khronosgroup/gltf-viewer@1.1`` somewhere, then
``GLTF_VIEWER_DIR=that folder python -m tests.bench.material_spheres [FOLDER]`` prints the mean
difference of each sphere in linear light, of 255, and writes the pictures to a folder: ours, the
viewer's, and their difference. It exits with 1 if one is above `MOST`. The viewer runs in a
headless Chromium; its lights are an environment of our own, or one directional light.

Of glass, what dispersion adds is compared: the viewer takes the share of reflected light away from
what is transmitted twice, also without dispersion, and stores it in 8 bits.
"""

import base64
import functools
import http.server
import io
import json
import math
import os
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
from PIL import Image

from rigview.loading.load import load
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.environment import directions, prefilter
from rigview.scene.scene import Scene
from tests.support import chromium
from tests.support.looks import new_look
from tests.support.material_extension_files import ExtensionBuilder
from tests.support.radiance_files import in_runs, write_radiance
from tests.support.solids import linear_from_srgb, uniform_environment

MOST = 4.0  # of 255: mean difference in linear light
SIZE = 256
FEWER = {  # samples of the viewer's prefiltering, enough for a smooth environment; 10 times faster
    "this.ggxSampleCount = 1024;": "this.ggxSampleCount = 256;",
    "this.lambertianSampleCount = 2048;": "this.lambertianSampleCount = 256;",
    "this.sheenSamplCount = 64;": "this.sheenSamplCount = 1;",
    "this.lutResolution = 1024;": "this.lutResolution = 128;",
}
LAMPS = {  # rotations of a directional light
    "front": [-0.3, 0.4, 0.0, 0.866],
    "behind": [math.sin(0.9), 0.0, 0.0, math.cos(0.9)],
}
PAGE = Path(__file__).with_suffix(".html")
FLAGS = (*chromium.FLAGS, "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
GOLD, GREY, WHITE = (1.0, 0.7, 0.3, 1.0), (0.6, 0.6, 0.6, 1.0), (1.0, 1.0, 1.0, 1.0)
VOLUME = {"thicknessFactor": 0.6, "attenuationDistance": 0.5, "attenuationColor": [0.3, 0.8, 0.9]}


def anisotropic(strength, rotation=0.0, roughness=0.4):
    """A golden sphere."""
    extension = {"anisotropyStrength": strength, "anisotropyRotation": rotation}
    return {"color": GOLD, "metallic": 1, "roughness": roughness, "anisotropy": extension}


def filmy(thickness, index, metallic=1, factor=1):
    """A sphere with a thin film of a thickness, nanometres."""
    extension = {"iridescenceFactor": factor, "iridescenceIor": index}
    extension["iridescenceThicknessMaximum"] = thickness
    return {"color": GREY, "metallic": metallic, "roughness": 0.2, "iridescence": extension}


def translucent(factor, **more):
    """A sphere that scatters light through itself."""
    extension = {
        "diffuseTransmissionFactor": factor,
        "diffuseTransmissionColorFactor": [0.2, 0.9, 0.4],
    }
    return {"color": GREY, "roughness": 0.8, "diffuse_transmission": extension} | more


def glass(dispersion, ior):
    """A sphere of glass."""
    return {
        "color": WHITE,
        "roughness": 0.0,
        "ior": {"ior": ior},
        "transmission": {"transmissionFactor": 1},
        "volume": {"thicknessFactor": 0.7},
        "dispersion": {"dispersion": dispersion},
    }


CASES = {
    "anisotropy 0": anisotropic(0.0),
    "anisotropy 0.5": anisotropic(0.5),
    "anisotropy 1": anisotropic(1.0),
    "anisotropy 0.5 turned": anisotropic(0.5, 0.7),
    "anisotropy 1 turned": anisotropic(1.0, math.pi / 2),
    "anisotropy 1 smooth": anisotropic(1.0, 0.3, 0.2),
    "film 400 nm, 1.3": filmy(400, 1.3),
    "film 250 nm, 1.8": filmy(250, 1.8),
    "film 700 nm, 1.5": filmy(700, 1.5),
    "half a film": filmy(400, 1.6, factor=0.5),
    "film on dielectric": filmy(400, 1.8, metallic=0),
    "diffuse transmission 0": translucent(0.0),
    "diffuse transmission 0.5": translucent(0.5),
    "diffuse transmission 1": translucent(1.0),
    "diffuse transmission, volume": translucent(0.8, volume=VOLUME),
    "dispersion 0, index 1.5": glass(0.0, 1.5),
    "dispersion 2, index 1.5": glass(2.0, 1.5),
    "dispersion 0, index 1.7": glass(0.0, 1.7),
    "dispersion 6, index 1.7": glass(6.0, 1.7),
}


def sky():
    """An environment [64, 128, 3] with soft lamps."""
    way = directions(64, 128)
    light = 0.12 + 0.1 * np.clip(way[..., 1:2], -0.8, 1) * np.array([0.4, 0.7, 1.0])
    for towards, color, narrow in (
        ((0.5, 0.6, 0.7), (1.6, 1.4, 1.1), 12.0),
        ((-0.9, 0.1, 0.3), (0.2, 0.5, 1.2), 20.0),
        ((0.7, -0.3, -0.6), (0.9, 0.25, 0.1), 8.0),
    ):
        cosine = way @ (np.array(towards) / np.linalg.norm(towards))
        light = light + np.exp(narrow * (cosine - 1.0))[..., None] * np.array(color)
    return light


def the_camera():
    """The camera of both programs."""
    camera = OrbitCamera(azimuth=0.3, elevation=0.25, distance=2.2, target=np.zeros(3))
    camera.fov = math.radians(30.0)
    return camera


def write_case(path, name, lamp):
    """Write the file of a case, with the camera, and a light if `lamp`."""
    b, given = ExtensionBuilder(), dict(CASES[name])
    b.ball(b.extended(given.pop("color"), **given), rings=64)
    if "transmission" in given:
        for k in range(-40, 40):  # soft bars that are refracted
            bar = b.square(0.02, material=b.extended((0, 0, 0, 1), specular={"specularFactor": 0}))
            b.json["materials"][-1]["emissiveFactor"] = [0.4 + 0.4 * math.sin(k * 0.4)] * 3
            b.add("nodes", mesh=bar, translation=[k * 0.02, 0, -0.7], scale=[1, 80, 1])
    camera = the_camera()
    lens = {"yfov": camera.fov, "znear": 0.1, "zfar": 20.0, "aspectRatio": 1.0}
    number = b.add("cameras", type="perspective", perspective=lens)
    b.add("nodes", camera=number, matrix=np.linalg.inv(camera.view()).T.ravel().tolist())
    if lamp:
        b.extension("KHR_lights_punctual", lights=[{"type": "directional", "intensity": 2.0}])
        b.add("nodes", rotation=LAMPS[lamp], extensions={"KHR_lights_punctual": {"light": 0}})
    b.json["scenes"] = [{"nodes": list(range(len(b.json["nodes"])))}]
    path.write_bytes(b.glb())
    return path


def draw_ours(offscreen, path, light, lamp):
    """The picture [H, W, 4] of a file, and the pixels [H, W] of its sphere."""
    scene = Scene(camera=the_camera())
    look = {"grid": False, "background": (0.0, 0.0, 0.0, 1.0), "shadow": False, "occlusion": False}
    look |= {"tone_mapping": "linear", "light": None if lamp else "none"}
    dark = uniform_environment(0.0)
    new_look(scene, environment=dark if lamp else light, **look)
    scene.show(load(path))
    scene.update(0.0)
    camera = scene.camera.orbit
    y, x = np.mgrid[:SIZE, :SIZE] + 0.5
    plane = np.stack([2 * x / SIZE - 1, 1 - 2 * y / SIZE, np.full(x.shape, -1.0)], axis=-1)
    plane[..., :2] *= math.tan(camera.fov / 2)
    away = np.linalg.norm(np.cross(plane, [0.0, 0.0, -2.2]), axis=-1)
    inside = away / np.linalg.norm(plane, axis=-1) < 0.44
    return offscreen.render(scene), inside


class Viewer:
    """The Khronos viewer in a headless Chromium."""

    def __init__(self, module, files):
        handler = functools.partial(_Handler, module, files)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.browser = chromium.Chromium(chromium.find(), self._profile.name, FLAGS)
        address = f"http://127.0.0.1:{self._server.server_port}"
        self.browser.call("Page.navigate", url=f"{address}/")
        self.browser.until("window.ready", 60)

    def draw(self, name, lamp):
        """The picture [H, W, 3] of a file in the served folder, in linear light."""
        job = {"url": f"/{name}", "lamp": bool(lamp)}
        code = f"window.made = null; draw({json.dumps(job)}).then(x => window.made = x); 0"
        self.browser.ask(code)
        data = self.browser.until("window.made", chromium.PATIENCE)
        with Image.open(io.BytesIO(base64.b64decode(data.split(",")[1]))) as picture:
            return (np.asarray(picture.convert("RGB")) / 255.0) ** 2.2  # as it is encoded

    def close(self):
        """Close the browser and the server."""
        self.browser.close()
        self._server.shutdown()
        self._server.server_close()
        self._profile.cleanup()


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the page, the viewer's module, and the drawn files."""

    def __init__(self, module, files, *given):
        self._module, self._files = module, files
        super().__init__(*given)

    def log_message(self, *given):
        pass

    def do_GET(self):
        if not self.path.endswith("/gltf-viewer.module.js"):
            super().do_GET()
            return
        text = (self._module / "gltf-viewer.module.js").read_text(encoding="utf-8")
        for line, other in FEWER.items():
            assert text.count(line) == 1, line
            text = text.replace(line, other)
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.end_headers()
        self.wfile.write(text.encode())

    def translate_path(self, path):
        if path == "/":
            return str(PAGE)
        inner = path.removeprefix("/viewer/")
        return str(self._files / path[1:] if inner == path else self._module / inner)


_Handler.extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
}


def module_folder():
    """The folder of the viewer's module, or None."""
    found = Path(os.environ.get("GLTF_VIEWER_DIR", ".")).resolve()
    for each in (found, found / "node_modules" / "@khronosgroup" / "gltf-viewer"):
        if (each / "dist" / "gltf-viewer.module.js").is_file():
            return each / "dist"
    return None


def main(out):
    """Draw all cases with both programs, and print their differences."""
    module = module_folder()
    if module is None or chromium.find() is None:
        sys.exit(__doc__)
    out.mkdir(parents=True, exist_ok=True)
    light = sky()
    write_radiance(out / "environment.hdr", light, in_runs)
    prefiltered = prefilter(light.astype(np.float32))
    chromium.PATIENCE = 900.0  # seconds: the viewer prefilters the environment
    offscreen, viewer = OffscreenRenderer((SIZE, SIZE), samples=4), Viewer(module, out)
    sys.stdout.write(f"{offscreen.made_by}; {viewer.browser.ask('facts()')}\n")
    worst, before = 0.0, (0.0, 0.0)
    for number, name in enumerate(CASES):
        for lamp in ("", *LAMPS):
            if lamp and "dispersion" in name:
                continue
            path = write_case(out / f"{number}{lamp}.glb", name, lamp)
            with offscreen.context:
                picture, inside = draw_ours(offscreen, path, prefiltered, lamp)
            ours, theirs = linear_from_srgb(picture), viewer.draw(path.name, lamp)
            off = np.abs(ours - theirs)[inside].mean() * 255
            words = f"{name:30} {lamp or 'environment':12} {off:6.2f}"
            if name.startswith("dispersion"):
                change = np.abs((ours - before[0]) - (theirs - before[1]))[inside].mean() * 255
                before, off = (ours, theirs), 0.0
                if not name.startswith("dispersion 0"):
                    off = change
                    words += f"; of what is added to glass {off:.2f}"
            worst = max(worst, off)
            sys.stdout.write(f"{words}\n")
            sys.stdout.flush()
            both = np.concatenate([ours, theirs, np.abs(ours - theirs)], axis=1) ** (1 / 2.2)
            Image.fromarray(np.rint(both * 255).astype(np.uint8)).save(out / f"{number}{lamp}.png")
    viewer.close()
    offscreen.release()
    if worst > MOST:
        sys.exit(f"a mean difference is {worst:.2f}, above {MOST}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/material_spheres"))
