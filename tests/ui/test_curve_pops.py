"""Pops in the speed curves of the curves panel."""

from rigview.session import played_motion
from tests.checks.cases_motion import CASES
from tests.support.models import show_model


def test_pops_of_the_joint_are_marked(driver):
    view = driver.session.interface.curves
    show_model(driver.session, CASES["pop"].broken().model)
    names = [clip.name for clip in driver.session.model.clips]
    played_motion.start_clip(driver.session.transport, names.index("Walk"))
    driver.frames(2)
    driver.key("c")
    view.subject = "LeftForeArm"
    driver.frames(30)
    driver.click("curves space")
    driver.click("curves space speed")
    assert [chart.name for chart in view.curves.charts][:2] == ["Speed", "Acceleration"]
    assert len(view.pops) == 1
    left, _, right, _ = driver.marks["pop 0"]
    assert driver.marks["curves"][0] < left < right < driver.marks["curves"][2]
    view.subject = "RightForeArm"
    driver.frames(2)
    assert view.pops == ()
