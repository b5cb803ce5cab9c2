"""Changes of cameras."""

from dataclasses import fields

from ..model.model import CameraView, Model
from .difference import Change, as_value, changed, equal_values
from .joints import JointMatch
from .name_matching import added_removed_renamed, match_objects


def camera_changes(a: Model, b: Model, match: JointMatch) -> list[Change]:
    """Return cameras removed, added, renamed, and changes of the others."""

    def same_content(one: CameraView, two: CameraView) -> bool:
        return match.to[one.joint] == two.joint

    pairs = match_objects(a.cameras, b.cameras, same_content)
    found = list(added_removed_renamed("camera", a.cameras, b.cameras, pairs))
    for k, n in pairs:
        one, two = a.cameras[k], b.cameras[n]
        for field in fields(CameraView):
            p, q = getattr(one, field.name), getattr(two, field.name)
            if field.name == "joint":
                nodes = [m.skeleton.names[j] for m, j in ((a, p), (b, q))]
                if match.to[p] != q:
                    found.append(changed("camera", one.name, "node", nodes))
            elif field.name != "name" and not equal_values(p, q):
                found.append(
                    Change("camera", "changed", one.name, "", field.name, as_value(p), as_value(q))
                )
    return found
