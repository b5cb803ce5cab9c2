"""Say what changed between two versions: what_changed.py old.glb new.glb."""

import sys

import rigview

difference = rigview.diff(sys.argv[1], sys.argv[2])
print("same" if difference.same else f"{len(difference.changes)} changes")
for change in difference.changes:
    print(f"{change.what} {change.kind} {change.name} {change.field}")
for clip in difference.clips:
    if not clip.same:
        far = clip.deviation
        print(f"{clip.name} {far.metres * 1000:.3f} mm {far.joint}, {far.degrees:.3f}°")
