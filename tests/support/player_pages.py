"""Pages that play, opened in Chromium, and their pictures and poses beside those of the program."""

import base64
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import rigview
from rigview.cli.main import main
from tests.support.chromium import FLAGS, Chromium, find

SIDE = 512  # pixels of a compared picture
READY = "document.querySelector('.player').matches('.ready, .failed')"
STATUS = "document.querySelector('.status').textContent"
LIMITS = (0.995, 3.0, 0.99)  # intersection over union, mean difference, pixels within `NEAR`
NEAR = 12  # of 255
_NOISE = ("[.WebGL-",)  # performance messages of the software renderer
_PREPARE = """(async () => {
  const { player } = window.rigview;
  player.state.playing = false;
  player.set({ grid: false, shadow: false });
  for (const side of ["width", "height"]) player.canvas.style[side] = "%dpx";
  for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
  clearTimeout(player.resting);
  player.waiting = true; // nothing else draws
})()"""
_PICTURE = """(async () => {
  const { player } = window.rigview;
  player.state.time = %r;
  player.draw();
  await player.refine(() => new Promise((done) => setTimeout(done)));
  return player.canvas.toDataURL();
})()"""
_MATRICES = """(() => {
  const { motion } = window.rigview.player.figures[0];
  motion.evaluate(%d, %r);
  return [...motion.matrices];
})()"""


def open_browser(folder):
    """Return a browser; skips the test where there is none, but not in CI."""
    path = find()
    if path is None and os.environ.get("CI"):
        pytest.fail("chromium is missing: .ci/setup test gets it")
    if path is None:
        pytest.skip("chromium is not here")
    return Chromium(path, folder, (*FLAGS, "--enable-unsafe-swiftshader"))


def write_page(file, target, *options):
    """Write the page of a file, without noise."""
    assert main(["page", str(file), "-o", str(target), "--quiet", *options]) == 0
    return target


def open_page(browser, page):
    """Open a page and wait for its player."""
    browser.errors.clear()
    browser.requests.clear()
    browser.open(Path(page))
    browser.until(READY, 60)
    assert browser.ask("document.querySelector('.player').matches('.ready')"), browser.ask(STATUS)


def errors(browser):
    """The messages of the console but those about the speed of the software renderer."""
    return [each for each in browser.errors if not each.startswith(_NOISE)]


def player_pictures(browser, times):
    """Return pictures [H, W, 4] of the open page without floor, at times of its clip."""
    browser.ask(_PREPARE % SIDE)
    found = [browser.ask(_PICTURE % time) for time in times]
    opened = [Image.open(io.BytesIO(base64.b64decode(each.split(",")[1]))) for each in found]
    return [np.asarray(each.convert("RGBA")) for each in opened]


def program_picture(file, time, folder, *options):
    """Return the picture [H, W, 4] of `render` without floor, shadow and occlusion."""
    target = Path(folder) / "program.png"
    size = ("--resolution", f"{SIDE},{SIDE}", "--fit", "clip", "--time", repr(time))
    plain = ("--no-shadow", "--no-occlusion", "--no-grid", "--no-background", "--no-motion")
    given = ["render", str(file), "-o", str(target), *size, *plain, *options, "--quiet"]
    assert main(given) == 0
    with Image.open(target) as picture:
        return np.asarray(picture.convert("RGBA"))


def agreement(one, other):
    """Return intersection over union, mean difference and share of near pixels of two pictures."""
    inside = [each[..., 3] > 127 for each in (one, other)]
    union = np.count_nonzero(inside[0] | inside[1])
    share = np.count_nonzero(inside[0] & inside[1]) / max(union, 1)
    both = (one[..., 3] > 250) & (other[..., 3] > 250)
    apart = np.abs(one[..., :3].astype(int) - other[..., :3])[both]
    if not len(apart):
        return share, 0.0, 1.0
    return share, float(apart.mean()), float((apart.max(axis=1) <= NEAR).mean())


def compared(browser, file, folder, shares=(0.0, 0.25, 0.5, 0.8), *options):
    """Return the worst agreement of the first clip of a file at shares of its length."""
    size = ("--resolution", f"{SIDE},{SIDE}", "--samples", "1", "--no-motion")
    page = write_page(file, Path(folder) / "page.html", *size, *options)
    browser.size(1000, 800)
    open_page(browser, page)
    clips = rigview.load(file).clips
    times = [share * clips[0].end for share in shares] if clips else [0.0]
    found = [
        agreement(picture, program_picture(file, time, folder, *options))
        for time, picture in zip(times, player_pictures(browser, times), strict=True)
    ]
    union, mean, near = np.array(found).T
    return float(union.min()), float(mean.max()), float(near.min())


def is_close(found):
    """Return whether an agreement is within `LIMITS`."""
    union, mean, near = found
    return union >= LIMITS[0] and mean <= LIMITS[1] and near >= LIMITS[2]


def pose_error(browser, model, number, time):
    """Return the greatest difference of a joint's position from that in the browser, of the size.

    The size is the diagonal of the joints in the rest pose, at least 1e-6.
    """
    rows = np.array(browser.ask(_MATRICES % (number, time))).reshape(-1, 3, 4)
    skeleton = model.skeleton
    ours = skeleton.to_model(model.clips[number].sample(time))[:, :3].astype(np.float64)
    rest = skeleton.to_model(skeleton.rest)[:, :3, 3]
    size = max(float(np.linalg.norm(np.ptp(rest, axis=0))), 1e-6)
    return float(np.abs(rows[..., 3] - ours[..., 3]).max()) / size
