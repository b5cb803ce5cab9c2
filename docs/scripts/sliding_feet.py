"""List the clips whose feet slide, the worst first: sliding_feet.py character.glb …"""

import sys

import rigview

for file in sys.argv[1:]:
    found = rigview.check(file, rules=["foot-slide"], limits={"foot-slide": {"mm": 10.0}})
    for finding in sorted(found, key=lambda each: -(each.size or 0.0)):
        millimetres = 1000 * (finding.size or 0.0)
        print(f"{file}: {finding.clip}: {finding.joint} {millimetres:.0f} mm at {finding.time} s")
