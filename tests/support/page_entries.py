"""Entries of report pages with small pictures, findings and unusual names."""

import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace

import numpy as np

from rigview.checks.finding import Finding
from rigview.model.statistics import describe
from rigview.pages.entry import (
    AnimationRow,
    CharacterEntry,
    FailedEntry,
    Media,
    as_webp,
    joint_rows,
)
from tests.support.models import rod_model

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&amp;{{7*7}}"
BIDI = "lo\u202ehs\u0000o\ud800k"  # right-to-left override, null, lone surrogate
SCRIPTS = "左手_Hand كتف плечо กระดูก"


def plain_picture(width=16, height=16, colour=(200, 120, 40, 255)):
    return np.full((height, width, 4), colour, np.uint8)


def findings(clip="Bend"):
    """Findings of each severity, and twenty of one rule."""
    made = [
        Finding(
            "the loop jumps", 12.5, "mm", 1.0, "/animations/0", clip, "Joint 2", time=1.0,
            rule="loop-seam", severity="error", fix="match the last key with the first",
            size=0.0244, share=0.01356, group="Motion",
        ),
        Finding(
            "two joints are called “Joint 1”",
            rule="names", severity="warning", fix="rename one of them", group="Rig",
        ),
        Finding(
            "a material that nothing uses", item="Paint",
            rule="unused", severity="info", fix="remove it", group="File",
        ),
    ]  # fmt: skip
    pops = [
        Finding(
            f"joint {k} pops", float(k), "°/s", 0.5, clip=clip, joint=f"Joint {k}", time=k / 20,
            rule="pop", severity="warning", fix="smooth its keys", group="Motion",
        )
        for k in range(20)
    ]  # fmt: skip
    return tuple(made + pops)


def entry(file="rod.glb", *, name="Bend", found=(), video=False, clips=1):
    """An entry of a rod with clips called `name`."""
    model = rod_model()
    model = replace(model, clips=tuple(replace(model.clips[0], name=name) for _ in range(clips)))
    still = as_webp(plain_picture())
    loop = Media("video/mp4", b"no video", 16, 16) if video else still
    rows = tuple(
        AnimationRow(k, name, f"#{k}, 1 s", 1.0, as_webp(plain_picture(48)),
               ("0.00 s", "0.50 s", "1.00 s"), still, loop)
        for k in range(clips)
    )  # fmt: skip
    return CharacterEntry(
        file=file,
        statistics=describe(model),
        findings=tuple(found),
        joints=joint_rows(model),
        main_picture=as_webp(plain_picture(32, 64)),
        thumbnail=still,
        rows=rows,
        columns=("0%", "50%", "100%"),
    )


def manifest_of(page, name="character"):
    """What a page says of the characters that it plays."""
    data = re.search(rf'id="{re.escape(name)}"[^>]*>([^<]*)<', page)[1]
    raw = zlib.decompress(b64decode(data))
    return json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])


def broken(file="broken.glb"):
    return FailedEntry(file, "the file ends early", "/buffers/0", "export it again")
