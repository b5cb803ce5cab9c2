"""How the causes of twenty broken characters are found in the window, in three clicks each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rigview.scene.selected import Selected, vertex_positions
from rigview.session.findings.findings_view import FindingsView
from rigview.session.inspector import Inspector
from tests.support.checked_files import check_all


@dataclass(frozen=True)
class Joint:
    """A click on a joint in the scene."""

    name: str


@dataclass(frozen=True)
class Mesh:
    """A click on the tip of a mesh in the scene: the vertex farthest from its node."""

    name: str


@dataclass(frozen=True)
class Key:
    """A key in place of a click."""

    names: tuple[str, ...]


Click = str | Joint | Mesh | Key  # a text is the name of a widget


@dataclass(frozen=True)
class Diagnosis:
    """What a person sees, and the clicks that lead to the cause."""

    clip: str
    time: float
    clicks: tuple[Click, ...]
    found: Callable[..., object]  # of a driver: whether the cause is on the screen

    @property
    def rule(self):
        """The rule whose finding is opened, "" for none."""
        names = [click for click in self.clicks if isinstance(click, str)]
        return next((name.split()[1] for name in names if name.startswith("finding ")), "")


def _selected(driver):
    chosen = driver.session.selections.current
    return "" if chosen is None else chosen.name


def _at(driver, joint, seconds=None):
    """Return whether a joint is selected, and the clip paused at a time."""
    time = driver.session.active.transport.time
    here = seconds is None or abs(time - seconds) < 0.02
    return _selected(driver) == joint and here and "finding fix" in driver.marks


def _opened(driver, rule, name, seconds=None):
    """Return whether the details of a finding are shown, and what it is about is selected."""
    opened = driver.session.interface.of(FindingsView).opened
    return opened is not None and opened.rule == rule and _at(driver, name, seconds)


def _curve(driver, subject):
    """Return whether the curves of a joint are drawn."""
    curves = driver.session.interface.curves.curves
    return "curves edge" in driver.marks and curves is not None and curves.subject == subject


def _transform(driver, joint, pose):
    session = driver.session
    number = session.model.skeleton.names.index(joint)
    return session.interface.of(Inspector).transform(session.character, number, pose)


def _scaled(driver):
    now, rest = (_transform(driver, "LeftHand", pose) for pose in ("current", "rest"))
    return (
        _selected(driver) == "LeftHand"
        and "numbers Scale" in driver.marks
        and np.allclose(now.scale, 1.8, atol=1e-4)
        and np.allclose(rest.scale, 1.0, atol=1e-4)
    )


def _turned(driver):
    rest, bind = (_transform(driver, "LeftLeg", pose) for pose in ("rest", "bind"))
    cosine = min(abs(float(rest.rotation @ bind.rotation)), 1.0)
    return (
        _selected(driver) == "LeftLeg"
        and "fact From bind" in driver.marks
        and abs(2 * np.degrees(np.arccos(cosine)) - 25.0) < 0.1
    )


def _wide(driver):
    model, values = driver.session.model, driver.session.character.pose.values
    channel = next(each for each in model.channels if each.pointer.endswith("weights"))
    return "morph 4" in driver.marks and float(values[channel.slice][4]) > 1.5


def _parent(driver):
    names = driver.session.model.skeleton
    return _selected(driver) == "Prop" and names.parents[names.find("Prop")] == names.find("Hips")


def finding(rule, name):
    """Return the clicks that open a finding."""
    return ("tab Findings", f"finding {rule} {name}")


DIAGNOSES = {
    "spike": Diagnosis(
        "Wave",
        1.2,
        finding("surface-weights", "RightFoot"),
        lambda driver: _at(driver, "RightFoot"),
    ),
    "swollen-hand": Diagnosis("Wave", 1.2, (Key(("b",)), Joint("LeftHand")), _scaled),
    "bent-bind": Diagnosis("Walk", 0.4, (Key(("b",)), Joint("LeftLeg")), _turned),
    "pop": Diagnosis(
        "Walk",
        0.2,
        (*finding("pop", "RightUpLeg"), Key(("c",))),
        lambda driver: _at(driver, "RightUpLeg", 0.5) and "curves edge" in driver.marks,
    ),
    "seam": Diagnosis(
        "Walk",
        0.9,
        finding("loop-seam", "LeftEye"),
        lambda driver: _at(driver, "LeftEye", 1.0),
    ),
    "slide": Diagnosis(
        "WalkForward",
        0.1,
        finding("foot-slide", "LeftFoot"),
        lambda driver: _at(driver, "LeftFoot", 0.25),
    ),
    "spin": Diagnosis(
        "Walk",
        0.2,
        finding("full-turn", "Head"),
        lambda driver: _at(driver, "Head", 0.517),
    ),
    "wide-jaw": Diagnosis("Talk", 0.6, ("tab Morphs",), _wide),
    "lost-sword": Diagnosis(
        "Wave",
        1.2,
        (Mesh("Sword"), "fact Node", "fact Parent"),
        _parent,
    ),
    "still-arm": Diagnosis(
        "Wave",
        1.2,
        finding("stray-targets", "LeftForeArm.001"),
        lambda driver: _at(driver, "LeftForeArm.001"),
    ),
    "morph-spike": Diagnosis(
        "Talk",
        0.6,
        finding("surface-morph", "Body"),
        lambda driver: (
            _opened(driver, "surface-morph", "Body")
            and driver.session.interface.outliner.filter_morphs == "jawOpen"
            and "morph 4" in driver.marks
        ),
    ),
    "stiff-leg": Diagnosis(
        "WalkForward",
        0.3,
        finding("track-missing", "RightUpLeg"),
        lambda driver: _opened(driver, "track-missing", "RightUpLeg"),
    ),
    "jerky-arm": Diagnosis(
        "Wave",
        1.2,
        (*finding("track-step", "LeftForeArm"), Key(("c",))),
        lambda driver: (
            _opened(driver, "track-step", "LeftForeArm") and _curve(driver, "LeftForeArm")
        ),
    ),
    "crossed-arms": Diagnosis(
        "Walk",
        0.3,
        finding("sides-exchanged", "LeftArm"),
        lambda driver: _opened(driver, "sides-exchanged", "LeftArm"),
    ),
    "long-arm": Diagnosis(
        "Wave",
        1.2,
        finding("bone-differs", "LeftForeArm"),
        lambda driver: _opened(driver, "bone-differs", "LeftForeArm"),
    ),
    "shifted-bind": Diagnosis(
        "Idle",
        0.5,
        finding("bind-outlier", "RightHand"),
        lambda driver: _opened(driver, "bind-outlier", "RightHand"),
    ),
    "inside-out": Diagnosis(
        "Idle",
        0.5,
        finding("faces-inward", "Sword"),
        lambda driver: _opened(driver, "faces-inward", "Sword"),
    ),
    "dark-hand": Diagnosis(
        "Wave",
        1.2,
        finding("normals-against-faces", "LeftHand"),
        lambda driver: _opened(driver, "normals-against-faces", "LeftHand"),
    ),
    "open-body": Diagnosis(
        "Idle",
        0.5,
        (*finding("material-blend-opaque", "Wood"), "tab Inspector"),
        lambda driver: _selected(driver) == "Body" and "fact Alpha" in driver.marks,
    ),
    "black-sword": Diagnosis(
        "Idle",
        0.5,
        (*finding("material-metallic", "Grip"), "tab Inspector"),
        lambda driver: _selected(driver) == "Sword" and "factor metallic" in driver.marks,
    ),
}


def begin(driver, diagnosis):
    """Show the moment at which the fault is seen."""
    driver.session.selections.pick_surface = driver.renderer.pick
    driver.click(f"clip {diagnosis.clip}")
    driver.session.transport.pause_at(diagnosis.time)
    check_all(driver.session)
    driver.frames(3)


def follow(driver, click):
    """Do a click of a diagnosis."""
    if isinstance(click, Key):
        driver.key(*click.names)
    elif isinstance(click, str):
        driver.click(click)
    else:
        driver.press(*_place(driver, click))
        driver.release()
    driver.frames(4)


def _place(driver, click):
    """Return the place of a joint or mesh in the window."""
    character = driver.session.character
    joint = character.model.skeleton.names.index(click.name)
    point = character.joint_world(joint)[:3, 3]
    if isinstance(click, Mesh):
        instance = next(each for each in character.model.instances if each.joint == joint)
        count = len(character.model.meshes[instance.mesh].primitives[0].positions)
        points = vertex_positions(character, Selected(joint, 0), np.arange(count))
        far = points[np.linalg.norm(points - point, axis=1).argmax()]
        point = point + 0.8 * (far - point)
    left, top, right, bottom = driver.session.interface.viewport.box
    x, y, _ = driver.scene.camera.used.project(point, (right - left) / (bottom - top))
    return left + float(x) * (right - left), top + float(y) * (bottom - top)
