"""Measures the work of a frame of the window in Python, by panel, without drawing the scene.

Usage: python -m tests.bench.panel_times [MODEL ...]

Default: the bundled character, once with a clip and once with the layers of a motion file.

Milliseconds while the first clip or the layers of a motion play and a joint is selected, with mixer
and curves open: every panel alone, and for each tab the whole frame: its panels, the update of the
session, and what is drawn of the panels by OpenGL ("drawn"). Then the mean of frames in which
panels are drawn in turns, as nothing but time, camera and pointer changes, and what 19 of 20 stay
within ("in turns"), and the same where OpenGL draws nothing ("undrawn"): without a GPU it draws
with the processor, whose caches are cold afterwards. At the end the same with the pointer over a
panel. Of a frame the time of the processor counts; of a panel, where that clock is too slow, the
lower quartile, so that other programs count less.
"""

import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

from imgui_bundle import imgui

from rigview.model.skin_joints import heaviest_joint
from rigview.motion.document import MotionDoc
from rigview.rendering.context import create_context
from rigview.resources import asset_path
from rigview.scene.selected import Selected
from rigview.session.commands.actions import action
from rigview.ui import curves, menu, panels, side_panels
from rigview.ui.timeline import playbar
from tests.support.full_motion_file import DOCUMENT
from tests.support.panels import PanelDriver

FRAMES = 300
SIZE = 1600, 1200
POINTED = {"scene": (700, 300), "mixer": (100, 700), "right panel": (1450, 300)}  # places, points
spent: dict[str, list[float]] = defaultdict(list)  # seconds by panel


def timed(name, draw):
    """Return a function that draws a panel and notes the time it takes."""

    def drawn(*given, **named):
        begin = time.perf_counter()
        result = draw(*given, **named)
        spent[name].append(time.perf_counter() - begin)
        return result

    return drawn


def watch():
    """Note the times of all panels."""
    side_panels.OUTLINER = tuple((name, timed(name, draw)) for name, draw in side_panels.OUTLINER)
    side_panels.RIGHT = tuple(
        each._replace(draw=timed(each.label, each.draw)) for each in side_panels.RIGHT
    )
    side_panels.MIXER = "Mixer", timed("Mixer", side_panels.MIXER[1])
    for name, module in (("Curves", curves), ("Playback", playbar), ("Menu", menu)):
        module.draw = timed(name, module.draw)
    panels.overlay = timed("overlay", panels.overlay)


def frames(driver, count, *, in_turns=False, undrawn=False):
    """Draw frames; return the seconds of panels, update and drawing of each, of the processor."""
    taken = []
    for _ in range(count):
        driver.clock.frame += 1
        begin = time.thread_time()
        driver.session.tick()
        interface = driver.session.interface
        interface.unmeasured = max(interface.unmeasured - 1, 0)
        driver.gui.begin(driver.size, 1.0, 1 / 60)
        driver.gui.draw_panels(driver.session, in_turns=in_turns)
        panelled = time.thread_time()
        driver.session.update()
        updated = time.thread_time()
        panels.overlay(driver.session)
        overlaid = time.thread_time()
        if undrawn:
            imgui.render()
        else:
            driver.gui.end(driver.framebuffer)
        ended = time.thread_time()
        taken.append((panelled - begin + overlaid - updated, updated - panelled, ended - overlaid))
    return taken


def usual(values):
    """Return the lower quartile in milliseconds."""
    return 1e3 * statistics.quantiles(values, n=4)[0]


def in_turns(driver):
    """Return words about frames in which panels are drawn in turns, whose times differ."""
    words = []
    for undrawn in (False, True):
        taken = frames(driver, FRAMES, in_turns=True, undrawn=undrawn)
        whole = [1e3 * (panel + update) for panel, update, _ in taken]
        most = statistics.quantiles(whole, n=20)[-1]
        words.append(f"{statistics.fmean(whole):.3f} ms, 19 of 20 within {most:.3f}")
    return f"in turns {words[0]}; undrawn {words[1]}"


def measure(context, path, document):
    """Print the times of a model with a motion document."""
    driver = PanelDriver(context, path, size=SIZE)
    session, interface = driver.session, driver.session.interface
    interface.widget_boxes = None
    session.editor.start(document)
    for name in ("mixer", "curves"):
        action(name).run(session)
    session.selections.select(session.active, Selected(max(heaviest_joint(session.model), 0)))
    driver.frames(10)
    sys.stdout.write(
        f"{path.name}: {session.model.skeleton.count} nodes, {len(document.layers)} layers\n"
    )
    tabs = [("outliner", label) for label, _ in side_panels.OUTLINER]
    tabs += [("right", label) for label, _ in side_panels.right_panels(session)]
    for row, label in tabs:
        interface.tabs[row] = label
        frames(driver, 10)
        spent.clear()
        taken = frames(driver, FRAMES)
        alone, (panel, update, drawn) = usual(spent[label]), map(usual, zip(*taken, strict=True))
        sys.stdout.write(
            f"  {label:12}{alone:7.3f} ms   frame {panel + update:.3f} ms: "
            f"panels {panel:.3f}, update {update:.3f}; drawn {drawn:.3f}   "
            f"{in_turns(driver)}\n"
        )
    for name, place in POINTED.items():
        driver.move(*place)
        sys.stdout.write(f"  pointer over {name}: {in_turns(driver)}\n")
    for label in ("Mixer", "Curves", "Playback", "Menu", "overlay"):
        sys.stdout.write(f"  {label:12}{usual(spent[label] or [0.0] * 2):7.3f} ms\n")
    driver.close()


if __name__ == "__main__":
    watch()
    gl = create_context()
    gl.simple_framebuffer((4, 4)).use()
    for name in sys.argv[1:] or [asset_path("mannequin.glb")]:
        measure(gl, Path(name), MotionDoc())
    if not sys.argv[1:]:
        measure(gl, asset_path("mannequin.glb"), DOCUMENT)
    gl.release()
