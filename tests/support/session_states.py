"""Session states to copy as commands or Python: functions that change a session."""

from rigview.model.joint_branches import branch_of
from rigview.scene.selected import Selected
from rigview.scenedoc.look import CLEAR
from rigview.session import character_files, played_motion
from rigview.session.commands.actions import action
from rigview.session.session import Session
from tests.support.fixed_clock import FixedClock
from tests.support.looks import set_look
from tests.support.sessions import advance


def all_overlays(session):
    """All overlays, orthographic from above, no background, playing backwards in ping-pong."""
    set_look(session.scene, skeleton=True, joint_names=True, wireframe=True, bones="lines")
    set_look(session.scene, background=CLEAR, grid=True, exposure=0.3, view_mode="base-colour")
    action("weights").run(session)
    action("loop").run(session)
    session.transport.set_speed(-1.25)
    session.scene.camera.orbit.ortho = True
    session.scene.camera.orbit.use_preset("top")
    advance(session, 41)
    return 1


def ghost_and_axes(session):
    """Axes, bind skeleton, onion skins, a hidden branch, the path of a selected foot, nlerp."""
    set_look(session.scene, axes=True, ghost="bind")
    action("overlay depth").run(session)
    set_look(session.scene, joint_path=True, onion_skins=2, onion_step=4)
    names, model = session.model.skeleton, session.model
    joint = names.index_of.get("LeftFoot", -1)
    session.selections.select(session.active, Selected(joint))
    arm, hand = (
        branch_of(model, names.index_of.get(name, -1)) for name in ("RightArm", "RightHand")
    )
    session.show(**session.active.hidden_names(frozenset(), arm - hand))
    session.set_key_rotation("nlerp")
    action("frame").run(session)
    for frames in (2, 27):
        advance(session, frames)
    return 4


def rest_pose(session):
    """The rest pose, a wide field of view, a coloured background, a selected vertex, no grid."""
    action("pose").run(session)
    instance = session.model.instances[0]
    session.selections.select(session.active, Selected(instance.joint, 0, 100))
    green = (0x33 / 255, 1.0, 0.0, 0x80 / 255)
    set_look(session.scene, grid=False, background=green, tone_mapping="aces")
    session.scene.camera.orbit.fov = 1.234
    session.scene.camera.orbit.orbit(-2.5, -0.2)
    return 2


def surface_view(session):
    """Another clip, a view mode, boxes, a selected part, a hidden mesh, without a shadow."""
    action("next clip").run(session)
    for _ in range(3):
        action("next view").run(session)
    action("bounds").run(session)
    action("shadow").run(session)
    instance = session.model.instances[0]
    session.selections.select(session.active, Selected(instance.joint, 0))
    parts = frozenset([(session.model.instances[-1].joint, 0)])
    session.show(**session.active.hidden_names(parts, frozenset()))
    advance(session, 33)
    return 4


def open_files(paths):
    session = Session(FixedClock(60.0))
    session.tick()
    session.interface.viewport.aspect = 1.3
    character_files.open_files(session, paths)
    return session


def clip_index(opened_character, name):
    return [clip.name for clip in opened_character.model.clips].index(name)


def choose_clip(opened_character, name):
    played_motion.choose_clip(opened_character, clip_index(opened_character, name))


def different_clips(session, _paths):
    """Different clips at different times, one trimmed and played backwards; a rest pose."""
    first, second, third = session.open_characters
    choose_clip(first, "Walk")
    advance(session, 31)
    choose_clip(second, "Run")
    played_motion.set_trim(second, trim=True)
    second.transport.set_speed(-1.5)
    third.character.show = "rest"
    advance(session, 17)
    session.scene.camera.orbit.orbit(0.4, 0.2)


def second_selected(session, paths):
    """The second character is active and shows weights; playback is not linked."""
    _, second, _ = session.open_characters
    session.activate(second)
    action("weights").run(session)
    action("names").run(session)
    session.together = False
    session.transport.pause_at(0.7)
    advance(session, 23)
