"""Compares the player of pages with `rigview render` and `rigview pose`, on files.

Run ``python -m tests.tools.compare_player FILE…``: for each file the worst of four times, the error
of all clips' poses, the size of the page beside its limit, and the seconds to write it.
"""

import sys
import tempfile
import time
import zlib
from pathlib import Path

import rigview
from tests.support.player_pages import compared, is_close, open_browser, pose_error

SHARE, ROOM = 1.34, 300_000  # of the deflated file, and bytes beside it


def main(files):
    """Print a row for each file; returns whether all are within their limits."""
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        browser = open_browser(Path(folder) / "profile")
        for file in files:
            begun = time.perf_counter()
            rigview.page(file)
            seconds = time.perf_counter() - begun
            found = compared(browser, file, folder)
            model = rigview.load(file)
            poses = [
                pose_error(browser, model, number, share * clip.end)
                for number, clip in enumerate(model.clips)
                for share in (0.1, 0.47, 0.9)
            ]
            size = (Path(folder) / "page.html").stat().st_size
            limit = SHARE * len(zlib.compress(Path(file).read_bytes(), 9)) + ROOM
            good = is_close(found) and max(poses, default=0.0) <= 1e-5
            fine = fine and good
            print(
                f"{Path(file).name:32} union {found[0]:.4f} mean {found[1]:.2f} "
                f"near {found[2]:.4f} pose {max(poses, default=0.0):.1e} "
                f"{size} of {limit:.0f} bytes {seconds:.1f} s"
                f"{'' if good else '  BEYOND THE LIMITS'}"
            )
        browser.close()
    return fine


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
