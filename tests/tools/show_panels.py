"""Draws all panels of the window at several sizes, text sizes, themes and densities.

`python -m tests.tools.show_panels [FILE…] [--only WORD]`

Writes build/panels/FILE-PANELS-SIZE-THEME-DENSITY.png, without a display. Without files it opens
the bundled character. `--only` draws the pictures whose name contains all of some words.
"""

import argparse
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

from rigview.checks.finding import Finding
from rigview.checks.rule_settings import Ignore
from rigview.model.joint_branches import branch_of
from rigview.model.morph_weights import morph_weights
from rigview.model.skin_joints import heaviest_joint
from rigview.rendering.context import create_context
from rigview.resources import asset_path
from rigview.scene.environment import directions
from rigview.scene.environment_background import blurred
from rigview.scene.selected import Selected
from rigview.session import played_motion
from rigview.session.character_files import add_files
from rigview.session.clip_import.add_clips import add_clips
from rigview.session.clip_import.mapping_rows import ClipImportView
from rigview.session.commands.actions import action
from rigview.session.export.export_view import ExportView
from rigview.session.go_to_difference import go_to_difference
from rigview.session.inspector import Inspector
from rigview.session.timeline.timeline_view import TimelineView
from rigview.tasks.check_report import Accepted, CheckReport
from rigview.ui.motion_panel import open_clip
from rigview.ui.theme import METRICS, THEMES
from tests.support.bvh_text import BVH, body_bvh
from tests.support.checked_files import check_all
from tests.support.compared_session import know_the_difference
from tests.support.full_motion_file import DOCUMENT, TIMED_CHANGES
from tests.support.looks import environment, set_look
from tests.support.panels import PanelDriver
from tests.support.planted_character import Character
from tests.support.planted_motion_changes import rotation_key

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "panels"
SIZES = (  # points of the window, and text scale
    *product(((1280, 720), (1600, 1000), (1920, 1080), (1024, 768)), (1.0, 1.5)),
    ((900, 600), 2.0),
    ((700, 500), 1.0),
    ((3840, 2160), 1.0),
)
LOOKS = tuple(product(SIZES, THEMES, METRICS))
EXAMPLES = CheckReport(
    findings=(
        Finding(
            "“LeftForeArm” pops in “Walk”: its key at 0.400 s is 36.9° off the curve",
            rule="pop",
            severity="error",
            fix="delete the key, or move it between its neighbours",
            place="/animations/1",
            amount=36.9,
            unit="°",
            limit=8.0,
            clip="Walk",
            joint="LeftForeArm",
            time=0.4,
            size=0.148,
            group="Motion",
            path="rotation",
        ),
        *(
            Finding(
                f"“RightFoot” slides {40 - 7 * k} mm on the ground in “{clip}”, from 0.25 s",
                rule="foot-slide",
                severity="error" if k < 2 else "warning",
                fix="pin the foot with IK while it is on the ground",
                place=f"/animations/{k}",
                amount=40 - 7 * k,
                unit="mm",
                limit=20.0,
                clip=clip,
                joint="RightFoot",
                time=0.25,
                size=0.04 - 0.007 * k,
                group="Motion",
            )
            for k, clip in enumerate(("Walk", "Run", "StrafeLeft", "StrafeRight"))
        ),
        Finding(
            "12 vertices of mesh “Body” have weights of “RightFoot”, 1.1 m away from the others",
            rule="surface-weights",
            severity="warning",
            fix="paint the weights again",
            place="/meshes/0/primitives/0/attributes/WEIGHTS_0",
            amount=12,
            unit="vertices",
            item="Body",
            size=0.031,
            group="Rig",
        ),
        Finding(
            "texture “skin” has 4096 x 4096 pixels: its memory is 85.3 MiB",
            rule="texture-size",
            severity="warning",
            fix="scale the image",
            item="skin",
            group="Material",
        ),
        Finding(
            "the first key of “Run” is at 0.1 s: every pass begins with a pause",
            rule="late-start",
            severity="info",
            fix="move the keys",
            clip="Run",
            group="Motion",
        ),
        Finding(
            "the weights of 12 vertices of mesh “Body” sum to 0.62 to 0.98",
            rule="weights-sum",
            severity="info",
            fix="normalise the weights: in Blender Weights > Normalize All",
            item="Body",
            group="File",
        ),
    ),
    known=(
        Finding(
            "the character is 79 m tall", rule="units", severity="warning", fix="scale it on export"
        ),
    ),
    accepted_findings=(
        Accepted(
            Finding(
                "the feet of “Moonwalk” slide up to 310 mm",
                rule="foot-slide",
                severity="warning",
                fix="lock the feet",
                clip="Moonwalk",
            ),
            Ignore("foot-slide", "slides on purpose", source="/art/rigview.toml"),
        ),
    ),
    muted={"late-start": "/art/rigview.toml"},
)
TABS = ("Space", "Mask", "Events")


def shown(driver, panels):
    """Open the panels of a picture."""
    interface = driver.session.interface
    timeline(driver, panels)
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
    by_kind = {
        "compare": compare,
        "inspector": inspector,
        "export": export,
        "clips": clips_of_others,
        "stage": stage,
        "findings": findings,
        "follows": follows,
        "names": names,
        "start": start,
    }
    name, _, kind = panels.partition(" ")
    if name in by_kind:
        by_kind[name](driver, kind)
    if panels in ("help", "error", "commands"):
        interface.popup = panels
        interface.error = "character.glb: /animations/2/channels/9/target: no such node"
    driver.frames(4)
    if panels.startswith("menu"):
        driver.click(panels)


def names(driver, _):
    """Show the bones and the names of their joints."""
    for each in ("bones", "names"):
        action(each).run(driver.session)


def follows(driver, _):
    """Show which clips can follow the present one."""
    played_motion.start_clip(driver.session.transport, min(1, len(driver.session.model.clips) - 1))
    driver.frames(3)
    if "follows" in driver.marks:
        driver.click("follows")


def compare(driver, mode):
    """Compare the file with a version of it that has changes, at the worst moment."""
    session = driver.session
    version, _ = rotation_key(Character(session.path))
    version.json["materials"][0].setdefault("pbrMetallicRoughness", {})["roughnessFactor"] = 0.3
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{session.path.stem} new.glb"
        path.write_bytes(version.glb())
        add_files(session, [path])
        know_the_difference(session)
    session.compare(mode)
    session.interface.mixer_panels.tab = "Compare"
    go_to_difference(session, next(row for row in session.comparison.rows if row.indent == 2))
    session.comparison.follows_pointer = False
    session.comparison.move_edge(0.5)
    for _ in range(3):
        driver.frames(2)


def start(driver, _kind):
    """Show the card of a start without a file."""
    driver.session.interface.start.shown = True
    driver.session.settings.recent = ["/home/me/Fox.glb", "/home/me/robot.glb"]


def export(driver, kind):
    """Open the export dialog, or show a running export."""
    session, view = driver.session, driver.session.interface.of(ExportView)
    if kind == "running":
        name = f"{session.path.stem}-Walk.mp4"
        view.running, view.done, view.total = f"/home/me/Pictures/{name}", 12, 48
        session.notify("Saved /home/me/Pictures/mannequin-sheet.png")
        return
    action("export").run(session)
    driver.frames(2)  # the dialog proposes a folder when it appears
    view.folder = Path("/home/me/Pictures")
    view.kind = kind or "video"
    if kind == "turntable":
        view.size, view.background, view.frame_rate = "custom", "colour", "-3"
    if kind == "sheet":
        view.cell = "custom"


def clips_of_others(driver, kind):
    """Drop a BVH file: the pop-up, the mapping of its joints, or the question about few joints."""
    session = driver.session
    with TemporaryDirectory() as folder:
        path = Path(folder) / "running sidestep, take 3.bvh"
        few = BVH.replace("thigh_l", "x").replace("calf_l", "y").replace("spine_01", "z")
        path.write_text(few if kind == "few" else body_bvh())
        if kind == "dropped":
            session.interface.of(ClipImportView).dropped = (path,)
            session.interface.popup = "dropped"
        else:
            add_clips(session, path)
        driver.frames(6)
    if kind == "joints":
        driver.click("partner Hips")


def findings(driver, kind):
    """Show the findings of the file, or examples (for a sound file, too), and open one."""
    session = driver.session
    session.interface.mixer_panels.tab = "Findings"
    if kind != "examples":
        check_all(session)
    if not session.active.check.count:
        session.active.check.finish(EXAMPLES, 1.2)
    driver.frames(4)
    rows = [name for name in driver.marks if name.startswith("finding ")]
    if rows:
        driver.click(rows[0])
    if session.active.check.report is EXAMPLES:
        driver.frames(4)
        driver.click("accepted and muted")


def timeline(driver, panels):
    """Schedule changes of layers, or open the settings of a clip."""
    session = driver.session
    if panels == "strips":
        session.editor.start(replace(DOCUMENT, at=TIMED_CHANGES))
        session.transport.pause_at(0.4)
        session.transport.set_play_range(0.2, 1.5)
        driver.frames(60)
    if panels in ("dope sheet", "path", "speed"):
        motion_views(session, panels)
    if panels == "clip settings":
        session.editor.start(replace(DOCUMENT, layers=()))
        played_motion.start_clip(session.transport, min(1, len(session.model.clips) - 1))
        driver.frames(3)
        open_clip(session, session.character.mixer.clip)


def motion_views(session, panels):
    """Show the keys, the path or the speed of a foot, or of the joint that moves most vertices."""
    played_motion.start_clip(session.transport, min(1, len(session.model.clips) - 1))
    joint = session.model.skeleton.find("LeftFoot")
    joint = max(heaviest_joint(session.model), 0) if joint < 0 else joint
    session.selections.select(session.active, Selected(joint))
    session.active.check.finish(EXAMPLES, 1.2)
    path = panels == "path"
    set_look(session.scene, joint_path=path, onion_skins=3 if path else 0)
    if panels == "dope sheet":
        action("dope sheet").run(session)
        session.interface.of(TimelineView).strips = True
        session.transport.set_play_range(0.2, 0.8)
    if panels == "speed":
        action("curves").run(session)
        session.interface.curves.space = "speed"


def inspector(driver, kind):
    """Show the inspector of a joint, as numbers or as a matrix, of a vertex or of a part."""
    session = driver.session
    session.interface.mixer_panels.tab = "Inspector"
    session.interface.of(Inspector).as_matrix = kind == "matrix"
    session.interface.of(Inspector).space = "world" if kind == "matrix" else "local"
    joint = session.model.skeleton.find("LeftForeArm")
    joint = max(heaviest_joint(session.model), 0) if joint < 0 else joint
    chosen = Selected(joint)
    if kind in ("vertex", "part"):
        chosen = Selected(session.model.instances[0].joint, 0, 500 if kind == "vertex" else -1)
    session.active.check.finish(EXAMPLES, 1.2)
    session.selections.select(session.active, chosen)


def stage(driver, kind):
    """Show the panel of the stage, with the studio or a sky behind the character."""
    session = driver.session
    session.interface.mixer_panels.tab = "Stage"
    if kind != "sky":
        return
    height = directions(64, 128)[..., 1:2]
    light = np.where(height > 0, (0.25, 0.45, 0.9), (0.3, 0.22, 0.15)).astype(np.float16)
    environment(session.scene, environment_map=blurred(light, 0.3), blur=0.3, rotation=40.0)


def outliner(driver, tab):
    """Show a tab of the outliner, with a selection, a hidden branch and weights set by hand."""
    session = driver.session
    session.interface.mixer_panels.tab = tab.capitalize()
    model = session.model
    set_look(session.scene, skeleton=tab == "joints")
    session.active.check.finish(EXAMPLES, 1.2)
    if tab == "joints":
        joints = [joint for skin in model.skins for joint in skin.joints.tolist()]
        middle = joints[len(joints) // 3] if joints else 0
        session.selections.select(session.active, Selected(middle))
        branch = branch_of(model, joints[-1] if joints else 0)
        session.show(**session.active.hidden_names(frozenset(), branch))
    for weight in morph_weights(model)[1:3]:
        session.editor.drag_morph(weight.value, 0.7, weight.target)


PANELS = (
    "view",
    "stage",
    "start",
    "commands",
    "findings",
    "export",
    "export turntable",
    "export sheet",
    "export running",
    "compare side-by-side",
    "compare overlaid",
    "compare wipe",
    "compare error",
    "inspector joint",
    "inspector matrix",
    "inspector vertex",
    "inspector part",
    "stage studio",
    "stage sky",
    "clips dropped",
    "clips few",
    "clips mapping",
    "clips joints",
    "joints",
    "meshes",
    "morphs",
    "strips",
    "dope sheet",
    "path",
    "speed",
    "clip settings",
    "curves",
    "follows",
    "names",
    "mixer",
    "mixer space",
    "mixer mask",
    "mixer events",
    "help",
    "error",
)


def draw(context, file, panels, look):
    """Return a picture of the panels over the scene."""
    (size, scale), theme, density = look
    driver = PanelDriver(context, file, size=size, scale=scale)
    driver.session.settings.theme, driver.session.settings.density = theme, density
    driver.frames(2)
    driver.session.transport.pause_at(0.4)
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
    for file, panels, look in product(chosen.files, PANELS, LOOKS):
        (size, scale), theme, density = look
        name = f"{file.stem}-{panels}-{size[0]}x{size[1]}@{scale:g}-{theme}-{density}"
        name = name.replace(" ", "-")
        if all(word in name for word in chosen.only.split()):
            Image.fromarray(draw(context, file, panels, look)).save(OUT / f"{name}.png")
            sys.stdout.write(f"{OUT.relative_to(ROOT) / name}.png\n")
    context.release()


if __name__ == "__main__":
    main(sys.argv[1:])
