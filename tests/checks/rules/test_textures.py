"""Rules about images and textures."""

import pytest

from rigview.checks.examine import examine
from rigview.checks.rules.materials import image_headers
from tests.checks.cases_data import picture, textured
from tests.support.rule_case import messages_of, one
from tests.support.rule_figure import context, document_change


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_size_of_a_picture(kind):
    (each,) = image_headers(context(textured(picture(60, 24, kind)))())
    assert (each.width, each.height, each.error) == (60, 24, "")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (picture()[:-30], "the PNG is truncated"),
        (picture(kind="JPEG")[:-30], "the JPEG is truncated"),
        (picture(kind="WEBP")[:-8], "the WebP is truncated"),
        (b"\xff\xd8\xff\xd9", "the JPEG has no frame header"),
        (b"\xff\xd8\xff\xe0\0\x04" + bytes(20) + b"\xff\xd9", "the JPEG is broken"),
        (b"GIF89a", "it is neither PNG, JPEG, WebP nor KTX 2"),
    ],
)
def test_broken_picture(data, fault):
    finding = one(context(textured(data)), "texture-missing")
    assert finding.message == f"image “Grey” cannot be displayed: {fault}"
    assert finding.item == "Grey"


def test_missing_picture_has_one_finding(tmp_path):
    make = context(document_change(lambda b: b.add("images", name="Skin", uri="skin.png")))
    findings = [each for each in examine(make()) if each.place.startswith("/images")]
    assert [each.rule for each in findings] == ["texture-missing", "unused-images"]
    assert not list(tmp_path.iterdir())


def test_invalid_webp():
    assert messages_of(context(textured(b"RIFF" + bytes(100))), "texture-missing") == [
        "image “Grey” cannot be displayed: it is neither PNG, JPEG, WebP nor KTX 2"
    ]


def test_repeated_and_mipmapped_pictures():
    still = {"wrapS": 33071, "wrapT": 33071, "minFilter": 9987}
    assert messages_of(context(textured(picture(64, 60))), "texture-power") == [
        "image “Grey” is repeated, but its 64 × 60 pixels are not powers of two"
    ]
    assert messages_of(context(textured(picture(64, 60), sampler=still)), "texture-power") == [
        "image “Grey” has mipmaps, but its 64 × 60 pixels are not powers of two"
    ]
