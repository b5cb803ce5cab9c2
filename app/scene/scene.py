"""A scene: the record of what it shows, bound to instances or a crowd, and the camera."""

import math
from collections.abc import Sequence
from dataclasses import replace
from operator import is_
from typing import Any

import numpy as np

from ..animation.crowd import Crowd
from ..animation.track import Rotation
from ..animation.types import F64, Index
from ..errors import UsageError
from ..memo import Memo
from ..model.lookup import find_camera, find_joint
from ..model.model import Model
from ..model.skin_joints import joint_reference
from ..scenedoc.camera import Camera as CameraDoc
from ..scenedoc.camera import Fit
from ..scenedoc.look import Look, Shading, Theme
from ..scenedoc.scene_doc import CompareMode, Comparison, SceneDoc
from ..scenedoc.scene_doc import Crowd as CrowdDoc
from ..scenedoc.shown import Shown
from ..scenedoc.view_modes import WEIGHTS, Swatch
from .camera import OrbitCamera
from .character import Character
from .crowd import CrowdLayout, measure_crowd
from .instance import Instance
from .instance_list import InstanceList
from .loaded import Loaded, LoadedEnvironment, shown_look
from .scene_bounds import SceneBounds
from .scene_camera import SceneCamera
from .selected import Selected, find_selected, reference
from .selected_bounds import LEAST, selected_points
from .versions import PicturePart, Versions

ROWS_ELEVATION = 30.0  # of the default view of several rows, degrees: none hides another


class Scene:
    """Instances, a camera and a look; `update` evaluates them at a time.

    Parameters
    ----------
    camera
        The free camera, by default a new one.
    look
        Overlays, shading, lighting and background.

    Attributes
    ----------
    environment
        The environment map that was read for the look, None without.
    theme
        Of the background, if none was chosen.
    selected
        Drawn in the accent colour.
    mask
        [J] joint weights that colour the mesh of the active character; (): none.
    crowd
        Drawn instead of the only instance, with the same model; None: no crowd.
    crowd_layout
        Builds the crowd while a clip plays and there is only one instance.
    """

    def __init__(self, *, camera: OrbitCamera | None = None, look: Look | None = None) -> None:
        self._doc = SceneDoc(characters=(), look=look or Look())
        self.environment: LoadedEnvironment | None = None
        self.theme: Theme = "dark"
        self.selected: Selected | None = None
        self.mask: tuple[float, ...] = ()
        self.instances = InstanceList()
        self.bounds = SceneBounds(self.instances)
        self.camera = SceneCamera(camera or OrbitCamera(), self.instances, self.bounds)
        self.crowd: Crowd | None = None
        self.crowd_layout: CrowdLayout | None = None
        self._whole_doc = Memo(_whole_doc)
        self._selected_name = Memo(_name_of)
        self._shown_look = Memo(shown_look)
        self._weights_joint = Memo(_joint_index)

    @property
    def doc(self) -> SceneDoc:
        """What the scene shows, by names; `bind` and `change` set it.

        What plays, the camera, the selection and the comparison are read from where they are
        bound. The record is the same object while time runs and the camera follows: it has the
        time at which playback was set, and the camera relative to what it follows.
        """
        instances, versions = self.instances, self.instances.versions
        active = instances.active
        number = 1 if active is None else list(instances).index(active) + 1
        return self._whole_doc(
            self._doc,
            tuple(each.record for each in instances),
            number,
            instances.same_size,
            None if versions is None else (versions.mode, versions.edge),
            self.crowd_layout if self.crowd is not None else None,
            self._selected_name(None if active is None else active.model, self.selected),
            self.camera.anchored,
        )

    @property
    def look(self) -> Look:
        """Overlays, shading, lighting and background, as they were set."""
        return self._doc.look

    @look.setter
    def look(self, look: Look) -> None:
        self.change(look=look)

    def change(self, **values: Any) -> None:  # noqa: ANN401 - of the fields
        """Set fields of the record other than its characters; equal values are kept."""
        now = {name: getattr(self._doc, name) for name in values}
        new = {name: value for name, value in values.items() if value != now[name]}
        if new:
            self._doc = replace(self._doc, **new)

    def bind(self, doc: SceneDoc, loaded: Loaded) -> None:
        """Show a record in place of what is shown; nothing is started or framed.

        Instances of the loaded models are kept.

        Raises
        ------
        UsageError
            A model lacks something that the record names.
        """
        models = [each.model for each in self.instances]
        if len(models) != len(loaded.models) or not all(map(is_, models, loaded.models)):
            self.set_instances([Instance.of(model) for model in loaded.models])
        self._doc, self.environment = replace(doc, characters=()), loaded.environment
        for instance, shown in zip(self.instances, doc.characters, strict=True):
            instance.bind(shown)
        instances, comparison = self.instances, doc.comparison
        instances.active, instances.same_size = instances[doc.active - 1], doc.same_size
        if comparison.mode is not None and instances.versions is None:
            old, new = instances[0], instances[1]
            instances.versions = Versions(old, new, comparison.mode, edge=comparison.edge)
        model, text = instances[doc.active - 1].model, doc.selected
        try:
            self.selected = None if text is None else find_selected(model, text)
            if doc.look.shading.weights is not None:
                find_joint(model, doc.look.shading.weights)
            camera = doc.camera.name
            self.camera.file_camera = -1 if camera is None else find_camera(model, camera)
        except UsageError as error:
            error.file = doc.character.name
            raise
        self.camera.follow = doc.camera.followed == "root"
        self.camera.follow_selected = doc.camera.followed == "selection"

    @property
    def frame_rate(self) -> float:
        """Frames per second of the dots of a path, and between onion skins."""
        return self._doc.frame_rate

    @property
    def key_rotation(self) -> Rotation:
        """How rotations between LINEAR keys are interpolated."""
        return self._doc.key_rotation

    @property
    def character(self) -> Character | None:
        """Character of the active instance."""
        return None if self.instances.active is None else self.instances.active.character

    @property
    def shown_look(self) -> Look:
        """The look with the environment that was read, while another one is being read."""
        return self._shown_look(self.look, self.environment)

    @property
    def weights_joint(self) -> int:
        """The joint of the active model whose skin weights colour the mesh, -1: none."""
        character = self.character
        model = None if character is None else character.model
        return self._weights_joint(self.look.shading.weights, model)

    @property
    def swatches(self) -> tuple[Swatch, ...]:
        """The legend of the colours of the mesh, (): they need none."""
        versions = self.instances.versions
        if versions is not None and versions.mode == "error" and versions.swatches:
            return versions.swatches
        return WEIGHTS if self.mask else self.look.shading.swatches

    def show_weights(self, joint: int) -> None:
        """Colour the active character by the skin weights of a joint, -1: none."""
        character = self.character
        named = joint >= 0 and character is not None
        name = joint_reference(character.model, joint) if character and named else None
        self.change(look=self.look.changed(Shading, weights=name))

    @property
    def characters(self) -> list[Character]:
        """Characters of the visible instances; empty while a crowd is drawn."""
        if self.crowd is not None:
            return []
        return [instance.character for instance in self.instances.visible]

    @property
    def parts(self) -> tuple[PicturePart, ...]:
        """The parts of the picture, from left to right: one, or those of compared versions."""
        versions = self.instances.versions
        if versions is not None and self.crowd is None:
            return versions.parts
        return (PicturePart(tuple(self.instances.visible)),)

    def part_at(self, x: float) -> PicturePart:
        """Return the part of the picture at a place of its width, 0 to 1."""
        parts = self.parts
        return next((part for part in parts if part.contains(x)), parts[-1])

    def shift_of(self, instance: Instance | None) -> float:
        """Return how far to the right of its place an instance is drawn, of the picture's width."""
        shown = [part.shift for part in self.parts if instance in part.instances]
        return shown[0] if shown else 0.0

    def show(self, model: Model) -> Character:
        """Show a model alone, in its rest pose, and return its character."""
        instance = Instance.of(model)
        self.set_instances([instance])
        return instance.character

    def set_instances(self, instances: Sequence[Instance]) -> None:
        """Replace all instances; the first one becomes active."""
        self.instances.replace(instances)
        self.crowd = None
        self.camera.reset_cuts()
        self.measure()

    def remove(self, instance: Instance) -> None:
        """Remove an instance; if it was active, its neighbour becomes active."""
        neighbour = self.instances.neighbour(instance)
        if instance is self.instances.active and neighbour is not None:
            self.activate(neighbour)
        self.instances.remove(instance)
        self.measure()

    def set_crowd(self, layout: CrowdLayout | None) -> None:
        """Show a crowd in place of the only instance, or none."""
        self.crowd_layout, self.crowd = layout, None
        self.measure()

    def activate(self, instance: Instance) -> None:
        """Make an instance active; the view does not change.

        A camera of the previous model is replaced by the free camera at the same position.
        """
        if instance is self.instances.active:
            return
        self.camera.use_orbit()
        self.instances.active = instance
        self.camera.reset_cuts(instance.character.cut)

    def measure(self) -> None:
        """Line up the instances, measure the bounds of the scene, and follow root motion.

        Root motion starts from the beginning of what plays now.
        """
        if not len(self.instances):
            return
        self._lay_out_crowd()
        self.instances.line_up()
        if self.crowd is not None:
            first, layout = self.instances[0], self.crowd_layout
            points = first.points() if layout is None else layout.swept(first)
            measure_crowd(first, points, self.crowd)
        elif self.look.overlays.ghost is not None:
            for instance in self.instances:
                instance.include_ghost(self.look.overlays.ghost)
        self.bounds.measure()
        self.camera.follow_root()

    def view_by_default(self) -> None:
        """Turn the orbit camera to the default view: of rows from above, so that none is hidden."""
        self.camera.view_from(None)
        if self.crowd_layout is not None or self.instances.in_rows:
            self.camera.orbit.elevation = math.radians(ROWS_ELEVATION)

    def frame(self, aspect: float, only: Instance | None = None, *, fit: Fit = "clip") -> None:
        """Frame everything that plays, or only one instance, at any scale of the files.

        A crowd is framed over its clips, whatever `fit` is.
        """
        self.measure()
        points = self.framed_points(fit)
        if only is not None:
            points = only.swept
        self.camera.rebase()
        self.camera.orbit.frame(points, aspect)
        if self.crowd is not None or (only is None and self.instances.in_rows):
            self.camera.orbit.centre(points)

    def framed_points(self, fit: Fit) -> F64:
        """Return the points [N, 3] that `frame` frames, world space, metres."""
        if self.crowd is not None:
            return self.bounds.fitted("clip")
        points, ghost = self.bounds.fitted(fit), self.look.overlays.ghost
        if fit != "pose" or ghost is None:
            return points
        ghosts = [each.ghost_joints(ghost) for each in self.instances.visible]
        return np.concatenate([points, *ghosts])

    def frame_selected(self, aspect: float, least: float = LEAST) -> bool:
        """Frame what is selected of the active instance; return whether something is.

        `least` is half of the least edge of what is framed, of the character's size.
        """
        chosen = self.selected
        return chosen is not None and self.frame_part(aspect, chosen, least)

    def frame_part(
        self, aspect: float, chosen: Selected, least: float = LEAST, rows: Index | None = None
    ) -> bool:
        """Frame a joint, a part or its vertices `rows` [N] as `frame_selected` does."""
        active, points = self.instances.active, np.zeros((0, 3))
        if active is not None and self.crowd is None:
            points = selected_points(active, chosen, least, rows)
        if not len(points):
            return False
        self.camera.use_orbit()
        self.camera.rebase()
        self.camera.orbit.frame(points, aspect)
        return True

    def fits(self, aspect: float) -> bool:
        """Return whether the orbit camera is used and everything that plays is in its picture."""
        if not self.camera.uses_orbit:
            return False
        with np.errstate(invalid="ignore"):
            seen = self.camera.current.project(self.bounds.swept, aspect)[:, :2]
            return bool(((seen >= 0.0) & (seen <= 1.0)).all())

    def update(self, tau: float) -> None:
        """Evaluate all characters, the crowd and the camera at the global time `tau`, seconds."""
        if not len(self.instances):
            return
        for instance in self.instances:
            instance.character.update(tau)
        if len(self.instances) > 1 and any(instance.stale for instance in self.instances):
            self.measure()
        self._lay_out_crowd()
        if self.crowd is not None:
            if self.crowd_layout is not None:
                self.crowd_layout.update(self.instances[0], tau)
            else:
                self.crowd.update(tau)
        self.camera.update(self.selected)
        self.bounds.update()
        versions = self.instances.versions
        if versions is not None and versions.painter is not None:
            versions.painter(versions)

    def _lay_out_crowd(self) -> None:
        """Show the crowd of `crowd_layout` while the only instance plays a clip."""
        if self.crowd_layout is None:
            return
        mixer, show = self.instances[0].character.mixer, self.instances[0].character.show
        plays = len(self.instances) == 1 and show == "clip" and not mixer.layered
        self.crowd = self.crowd_layout.crowd(self.instances[0]) if plays else None


def _whole_doc(
    doc: SceneDoc,
    characters: tuple[Shown, ...],
    active: int,
    same_size: bool,
    comparison: tuple[CompareMode, float] | None,
    crowd: CrowdLayout | None,
    selected: str | None,
    camera: CameraDoc,
) -> SceneDoc:
    """Return a record with what is read from where it is bound."""
    return replace(
        doc,
        characters=characters,
        active=active,
        same_size=same_size,
        comparison=Comparison() if comparison is None else _comparison(*comparison),
        crowd=CrowdDoc() if crowd is None else crowd.record,
        selected=selected,
        camera=camera,
    )


def _comparison(mode: CompareMode, edge: float) -> Comparison:
    """Return how versions are shown; the edge only matters to a wipe."""
    return Comparison(mode=mode, edge=edge) if mode == "wipe" else Comparison(mode=mode)


def _name_of(model: Model | None, chosen: Selected | None) -> str | None:
    """Return the text of what is selected; None: nothing, or a character of a crowd."""
    if model is None or chosen is None or chosen.member:
        return None
    return reference(model, chosen)


def _joint_index(name: str | None, model: Model | None) -> int:
    """Return the joint that a text names, -1: none."""
    if name is None or model is None:
        return -1
    try:
        return find_joint(model, name).index
    except UsageError:
        return -1
