"""Draw the mannequin in extreme poses, to check its skin: `python assets/show_extremes.py OUT.png`.

Shoulder and hip at 90 degrees, elbow and knee at 120, the forearm twisted by 90, head and back
rotated; one labelled cell per pose.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mannequin.bones import ARM, F64, INDEX
from mannequin.puppet import Puppet
from mannequin.tracks import file_rotations
from rigview.animation import quat
from rigview.loading.load import load
from rigview.model.model import Model
from rigview.rendering.offscreen import OffscreenRenderer
from rigview.scene.scene import Scene

CELL = (300, 330)  # pixels
COLUMNS = 5
SIDE, UP, FRONT = np.eye(3)
HINGE = np.cross(ARM, FRONT)  # what the left elbow bends about

# Name, the side it is seen from (azimuth in degrees), and turns away from the A-pose.
Turns = dict[str, list[tuple[F64, float]]]
POSES: list[tuple[str, float, Turns]] = [
    ("A-pose", 25, {}),
    ("arm level", 15, {"LeftShoulder": [(FRONT, 8)], "LeftArm": [(FRONT, 42)]}),
    ("arm overhead", 15, {"LeftShoulder": [(FRONT, 25)], "LeftArm": [(FRONT, 110)]}),
    ("arm forward 90°", 60, {"LeftShoulder": [(UP, -12)], "LeftArm": [(UP, -78), (FRONT, 50)]}),
    ("elbow 120°", 30, {"LeftForeArm": [(HINGE, 120)]}),
    ("forearm turned 90°", 30, {"LeftHand": [(ARM, 90)]}),
    ("leg forward 90°", 60, {"LeftUpLeg": [(SIDE, -90)]}),
    ("knee 120°", 70, {"LeftLeg": [(SIDE, 120)]}),
    ("head turned 60°", 15, {"Neck": [(UP, 25)], "Head": [(UP, 35)]}),
    ("back turned 45°", 15, {name: [(UP, 15)] for name in ("Spine", "Spine1", "Spine2")}),
]


def turned(turns: Turns) -> F64:
    """Return local rotations [J, 4] in the file's axes."""
    puppet = Puppet(1)
    for joint, several in turns.items():
        whole = [quat.to_matrix(_about(axis, degrees))[None] for axis, degrees in several]
        puppet.turn(joint, *whole)
    motion = puppet.motion("Pose", np.zeros(1))
    rotations: F64 = file_rotations(motion.rotations)
    return rotations[0]


def _about(axis: F64, degrees: float) -> F64:
    half = np.radians(degrees) / 2.0
    return np.array([*(np.sin(half) * axis), np.cos(half)])


def draw(model: Model) -> Image.Image:
    """Return one picture of all poses."""
    rows = -(-len(POSES) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * CELL[0], rows * CELL[1]))
    label = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(15)
    offscreen = OffscreenRenderer(CELL, 4)
    joints = [model.skeleton.find(name) for name in INDEX]
    for k, (name, azimuth, turns) in enumerate(POSES):
        model.skeleton.rest.rotation[joints] = turned(turns)
        scene = Scene()
        scene.show(model)
        scene.camera.orbit.azimuth = np.radians(azimuth)
        scene.update(0.0)
        scene.frame(CELL[0] / CELL[1])
        place = (k % COLUMNS * CELL[0], k // COLUMNS * CELL[1])
        sheet.paste(Image.fromarray(offscreen.render(scene)).convert("RGB"), place)
        label.text((place[0] + 8, place[1] + 6), name, fill="white", font=font)
    offscreen.release()
    return sheet


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "readme" / "extremes.png"
    draw(load(here / "mannequin.glb")).quantize(256).save(target, optimize=True)
    print(target)
