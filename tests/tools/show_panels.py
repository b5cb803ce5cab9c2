"""Draws all panels of the window at several sizes, text sizes and themes.

`python -m tests.tools.show_panels [FILE…] [--only WORD]`

Writes build/panels/FILE-PANELS-SIZE-THEME.png, without a display. Without files it opens the
bundled character. `--only` draws the pictures whose name contains a word.
"""

import argparse
import sys
from itertools import product
from pathlib import Path

from PIL import Image

from rigview.model.joint_branches import branch_of
from rigview.model.morph_weights import morph_weights
from rigview.render.context import create_context
from rigview.resources import asset_path
from rigview.scene.selected import Selected
from rigview.session import transport
from rigview.session.actions import action
from tests.support.full_motion_file import DOCUMENT
from tests.support.panels import PanelDriver

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "panels"
SIZES = (  # points of the window, and text scale
    ((1280, 800), 1.0),
    ((1600, 1000), 2.0),
    ((900, 600), 2.0),
    ((700, 500), 1.0),
    ((3840, 2160), 1.0),
)
THEMES = ("dark", "light")
TABS = ("Space", "Mask", "Events")


def shown(driver, panels):
    """Open the panels of a picture."""
    interface = driver.session.interface
    if panels == "curves":
        action("curves").run(driver.session)
    if panels.startswith("mixer"):
        bundled = driver.session.path == asset_path("mannequin.glb")
        if bundled:
            driver.session.editor.start(DOCUMENT)
        action("mixer").run(driver.session)
        driver.frames(3)
        if not bundled:
            driver.click("make layers") if "make layers" in driver.marks else None
        interface.mixer_panels.tab = panels.partition(" ")[2].capitalize()
        interface.mixer_panels.layer = "base"
    if panels in ("joints", "meshes", "morphs"):
        outliner(driver, panels)
    if panels in ("help", "error"):
        interface.popup = panels
        interface.error = "character.glb: /animations/2/channels/9/target: no such node"
    driver.frames(4)
    if panels.startswith("menu"):
        driver.click(panels)


def outliner(driver, tab):
    """Show a tab of the outliner, with a selection, a hidden branch and weights set by hand."""
    session = driver.session
    session.interface.mixer_panels.tab = tab.capitalize()
    model, character = session.model, session.character
    session.scene.display.skeleton = tab == "joints"
    if tab == "joints":
        joints = [joint for skin in model.skins for joint in skin.joints.tolist()]
        middle = joints[len(joints) // 3] if joints else 0
        session.selections.select(session.active, Selected(middle))
        character.hidden_joints = branch_of(model, joints[-1] if joints else 0)
    for weight in morph_weights(model)[1:3]:
        session.editor.drag_morph(weight.value, 0.7, weight.target)


PANELS = (
    "view",
    "joints",
    "meshes",
    "morphs",
    "curves",
    "mixer",
    "mixer space",
    "mixer mask",
    "mixer events",
    "help",
    "error",
)


def draw(context, file, panels, look):
    """Return a picture of the panels over the scene."""
    (size, scale), theme = look
    driver = PanelDriver(context, file, size=size, scale=scale)
    driver.session.settings.theme = theme
    driver.gui.set_look(scale, theme)
    transport.pause_at(driver.session, 0.4)
    shown(driver, panels)
    picture = driver.picture(scene=True)
    driver.close()
    return picture


def main(arguments):
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[asset_path("mannequin.glb")])
    parser.add_argument("--only", default="")
    chosen = parser.parse_args(arguments)
    OUT.mkdir(parents=True, exist_ok=True)
    context = create_context()
    context.simple_framebuffer((4, 4)).use()
    for file, panels, look in product(chosen.files, PANELS, product(SIZES, THEMES)):
        (size, scale), theme = look
        name = f"{file.stem}-{panels}-{size[0]}x{size[1]}@{scale:g}-{theme}".replace(" ", "-")
        if all(word in name for word in chosen.only.split()):
            Image.fromarray(draw(context, file, panels, look)).save(OUT / f"{name}.png")
            sys.stdout.write(f"{OUT.relative_to(ROOT) / name}.png\n")
    context.release()


if __name__ == "__main__":
    main(sys.argv[1:])
