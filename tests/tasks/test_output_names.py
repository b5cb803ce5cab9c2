import pytest

from rigview.errors import UsageError
from rigview.tasks.output_names import fill_pattern, has_field, model_name, safe_name, unique_names


@pytest.mark.parametrize(
    ("pattern", "frame", "name"),
    [
        ("walk.png", None, "walk.png"),
        ("walk.png", 7, "walk_0007.png"),
        ("walk.{frame}.png", 7, "walk.7.png"),
        ("{frame:04}.png", 7, "0007.png"),
        ("w_%04d.png", 7, "w_0007.png"),
        ("w_%d.png", 7, "w_7.png"),
        ("w_##.png", 7, "w_07.png"),
        ("w_####.png", 12345, "w_12345.png"),
        ("w_%04d.png", -3, "w_-003.png"),
        ("{model}_{clip}_{frame:04}.png", 7, "Fox_Run fast_0007.png"),
        ("out/{model}/{clip}.png", None, "out/Fox/Run fast.png"),
        ("{model}/####.png", 7, "Fox/0007.png"),
        ("{model}.png", 7, "Fox_0007.png"),
        ("a##/b.png", 7, "a##/b_0007.png"),
        ("./w##.png", 7, "./w07.png"),
        ("w##", 7, "w07"),
        ("w", 7, "w_0007"),
        ("骨_{model}.png", None, "骨_Fox.png"),
        ("w_####.png", None, "w_####.png"),
        ("a{}b{ }.png", None, "a{}b{ }.png"),
    ],
)
def test_fill_pattern(pattern, frame, name):
    assert fill_pattern(pattern, model="Fox", clip="Run fast", frame=frame) == name


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("{clip}", "{clip}-x.png"),
        ("a##%04d{frame}", "a##%04d{frame}-x.png"),
        ("../../etc/passwd", "_.._etc_passwd-x.png"),
        ("..", "_-x.png"),
        ("", "_-x.png"),
        ("a:b\\c\nd", "a_b_c_d-x.png"),
        ("骨 é", "骨 é-x.png"),
    ],
)
def test_inserted_names_are_safe(model, name):
    assert fill_pattern("{model}-x.png", model=model, clip="Run") == name
    if "{" not in name:
        assert (
            fill_pattern("{model}-x.png", model=model, clip="Run", frame=3)
            == f"{name[:-4]}_0003.png"
        )


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("{modle}.png", "did you mean {model}?"),
        ("{joint}.png", "available: {model}"),
        ("{clip}.png", "{clip} has no value here"),
        ("{frame:04}.png", "{frame:04} has no value here"),
        ("{model:04}.png", "{model:04} has no value here"),
    ],
)
def test_unknown_field(pattern, words):
    with pytest.raises(UsageError) as raised:
        fill_pattern(pattern, model="Fox", clip=None)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("pattern", "clip", "frame", "fields"),
    [
        ("{clip}_{foo}.png", "Run", None, "{model}, {clip} and {frame}"),
        ("{clip}_{foo}.mp4", "Run", None, "{model} and {clip}"),
        ("{foo}.png", "Run", 7, "{model}, {clip} and {frame}"),
        ("{foo}.png", None, 7, "{model} and {page}"),
        ("{fram}.png", "Run", None, "did you mean {frame}?"),
    ],
)
def test_fields_that_are_available(pattern, clip, frame, fields):
    with pytest.raises(UsageError) as raised:
        fill_pattern(pattern, model="Fox", clip=clip, frame=frame)
    assert fields in raised.value.hint


def test_names_are_unique():
    wanted = ["robot", "fox", "Robot", "robot-2", "robot", "robot"]
    assert unique_names(wanted) == ["robot", "fox", "Robot-3", "robot-2", "robot-4", "robot-5"]
    assert unique_names(["a", "b"]) == ["a", "b"]


def test_fields_of_a_pattern():
    assert has_field("out/{model}_{frame:04}.png", "model")
    assert has_field("out/{model}_{frame:04}.png", "frame")
    assert not has_field("out/{model}.png", "clip")
    assert model_name("a/b/Fox.v2.glb") == "Fox.v2"
    assert model_name("-") == "stdin"
    assert safe_name("a/b") == "a_b"
