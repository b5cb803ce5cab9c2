"""Say what changed between two versions: what_changed.py old.glb new.glb."""

import sys

import rigview

old, new = (rigview.load(path) for path in sys.argv[1:3])
difference = rigview.diff(old, new)
print("same" if difference.same else f"{len(difference.changes)} changes")
for change in difference.changes:
    print(f"{change.what} {change.kind} {change.name} {change.field}")
for clip in new.clips:
    if clip.name in old.clips.names and not clip.has_motion_of(old.clips[clip.name]):
        print(f"{clip.name} moves otherwise")
