"""Generate the shield of the bundled character: mannequin_shield.glb, or the given file.

`python assets/make_shield.py [FILE]` writes the same bytes every time.
"""

import sys
from pathlib import Path

from mannequin.shield import shield

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "mannequin_shield.glb"
    path.write_bytes(shield())
    print(f"{path}: {path.stat().st_size:,} bytes")
