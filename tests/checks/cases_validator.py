"""Cases of the rules that find what the Khronos validator finds."""

from functools import partial

from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from tests.support.rule_case import Case
from tests.support.rule_figure import context
from tests.support.validator_faults import FAULTS, file

SOUND = context()
PRIMITIVE = "/meshes/0/primitives/0"


def faulty(name):
    """Return the figure with a fault as a context."""
    return CheckContext(load(file(FAULTS[name]).glb()))


def case(name, amount=None, place=""):
    return Case(partial(faulty, name), SOUND, amount, place)


CASES = {
    "accessor-bounds": case("bounds-min", 100 * 0.3 / 1.8, f"{PRIMITIVE}/attributes/POSITION"),
    "accessor-alignment": case("offset", 2, f"{PRIMITIVE}/attributes/NORMAL"),
    "accessor-stride": case("stride-keys", 20, "/bufferViews/10/byteStride"),
    "accessor-shared": case("accessor-two-uses", None, "/animations/0/samplers/1/output"),
    "accessor-sparse": case("sparse-order", 1, f"{PRIMITIVE}/attributes/NORMAL"),
    "accessor-format": case("clip-values-short", None, "/animations/0/samplers/1/output"),
    "mesh-attributes": case("attribute-name", 1, f"{PRIMITIVE}/attributes"),
    "morph-attributes": case("targets-base", 1, f"{PRIMITIVE}/targets/0/TANGENT"),
    "mesh-unit-length": case("normal-length", 0.5, f"{PRIMITIVE}/attributes/NORMAL"),
    "mesh-tangent-sign": case("tangent-sign", 0.5, f"{PRIMITIVE}/attributes/TANGENT"),
    "mesh-color-range": case("colour", 1, f"{PRIMITIVE}/attributes/COLOR_0"),
    "skin-root": case("skin-two-roots", 2, "/skins/0/joints"),
    "skin-skeleton": case("skin-skeleton", 5, "/skins/0/skeleton"),
    "skin-scene": case("skin-scene", None, "/skins/0/joints"),
    "skin-joint-twice": case("skin-joint-twice", 1, "/skins/0/joints"),
    "rest-rotation-length": case("node-rotation", 1 - 0.5**0.5, "/nodes/2/rotation"),
    "node-matrix": case("node-matrix-row", 1, "/nodes/4"),
    "spline-keys": case("clip-cubic-one-key", 1, "/animations/0/samplers/1/output"),
}
