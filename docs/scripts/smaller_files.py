"""Remove keys that are not seen: smaller_files.py character.glb smaller.glb."""

import sys
from pathlib import Path

import rigview

source, target = Path(sys.argv[1]), Path(sys.argv[2])
baked = rigview.bake(source, metres=0.0005, degrees=0.2)
target.write_bytes(baked.data)
before, after = source.stat().st_size, target.stat().st_size
print(f"{before / 1e6:.2f} MB -> {after / 1e6:.2f} MB")
for report in baked.reports:
    print(f"{report.name}: {report.keys[0]} -> {report.keys[1]} keys")
