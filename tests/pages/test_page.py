import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import parse_qs
from zlib import compress as deflate

import pytest

from rigview.pages.packed_arrays import Content
from rigview.pages.page import build
from rigview.pages.templates import shown
from rigview.scenedoc.view_modes import INFLUENCES
from tests.support.page_entries import BIDI, HOSTILE, SCRIPTS, broken, entry, findings

VOID = {"meta", "link", "img", "input", "br", "wbr", "use", "path", "circle"}


class Reader(HTMLParser):
    """A parser of elements with their attributes that checks that all are closed."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.open = []
        self.words = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.words.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def addresses(page):
    """Return everything that a browser might fetch."""
    reader = Reader(page)
    assert not reader.open
    for _, attributes in reader.elements:
        for name in (
            "src",
            "href",
            "poster",
            "srcset",
            "data",
            "action",
            "xlink:href",
            "data-loop",
        ):
            if attributes.get(name) is not None:
                yield attributes[name]
        yield from re.findall(r"url\(\s*['\"]?([^'\")]+)", attributes.get("style") or "")
    yield from re.findall(r"url\(\s*['\"]?([^'\")]+)", page)
    yield from re.findall(r"@import[^;]*", page)


@pytest.mark.parametrize(
    "shown_files",
    [[entry(found=findings())], [entry(), entry("two.glb", video=True), broken()]],
    ids=["one", "several"],
)
def test_page_makes_no_requests(shown_files):
    page = build(shown_files)
    found = list(addresses(page))
    assert len(found) > 10
    assert {each.split(":")[0] for each in found if not each.startswith("#")} == {"data"}
    ids = {attributes["id"] for _, attributes in Reader(page).elements if "id" in attributes}
    assert {each[1:] for each in found if each.startswith("#")} <= ids


def test_ids_are_unique():
    page = build([entry("a/x.glb"), entry("a x.glb"), entry("ßß.glb"), entry("index")])
    ids = [attributes["id"] for _, attributes in Reader(page).elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_content_security_policy():
    policy = next(
        each["content"]
        for each in Reader(build([entry()])).all("meta")
        if each.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(each.strip().split(" ", 1) for each in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", rules["script-src"])
    assert rules["img-src"] == rules["media-src"] == "data: blob:"
    assert "eval" not in policy
    assert "//" not in policy


def played():
    return Content(deflate(b"{}"), "red", ())


def test_findings_lead_to_a_moment_of_the_player():
    hostile = "a & b=c/100% \ud800"
    found = replace(findings(hostile)[0], joint="J & K")
    made = entry(name=hostile, found=[found, *findings("Other")])
    links = [
        each["href"]
        for each in Reader(build([replace(made, played=played())])).all("a")
        if each.get("class") == "moment"
    ]
    query = links[0].removeprefix("#rod-glb/play?")
    assert len(links) == 1, "the page does not show the other clip"
    assert parse_qs(query, strict_parsing=True) == {
        "clip": ["a & b=c/100% ?"],
        "t": ["1.0000"],
        "joint": ["J & K"],
    }
    assert "moment" not in {each.get("class") for each in Reader(build([made])).all("a")}


def test_script_of_the_player_is_only_where_something_plays():
    alone, playing = build([entry()]), build([entry(), replace(entry(), played=played())])
    assert "class Player" not in alone
    assert playing.count("class Player") == playing.count("<dialog ") == 1
    data = [each["id"] for each in Reader(playing).all("script") if "id" in each]
    assert data == ["rod-glb-2/data"]


@pytest.mark.parametrize("several", [False, True])
def test_hostile_names_are_plain_text(several):
    hostile = entry(f"{HOSTILE}.glb", name=HOSTILE, found=findings(HOSTILE), video=True)
    facts = hostile.statistics | {
        "generator": HOSTILE,
        "copyright": HOSTILE,
        "warnings": [HOSTILE],
        "extensions": {"used": [HOSTILE], "required": [HOSTILE], "not_drawn": [HOSTILE]},
        "textures": [{"index": 0, "name": HOSTILE, "width": 1, "height": 1, "bytes": 1}],
    }
    joints = tuple(
        replace(each, name=HOSTILE, parent=HOSTILE, skins=(HOSTILE,)) for each in hostile.joints
    )
    hostile = replace(hostile, statistics=facts, joints=joints, motion=HOSTILE)
    page = build([hostile, broken(HOSTILE)] if several else [hostile])
    plain = build([entry(found=findings(), video=True), broken()] if several else [entry()])
    reader = Reader(page)
    assert len(reader.all("script")) == len(Reader(plain).all("script")) == 1
    assert not [name for _, each in reader.elements for name in each if name.startswith("on")]
    assert {each["src"][:5] for each in reader.all("img")} == {"data:"}
    assert "".join(reader.words).count(HOSTILE) > 15
    assert "49" not in "".join(reader.words)  # what looks like a template is none


def test_control_characters_are_escaped():
    page = build([entry(name=BIDI)])
    assert "lo\\u202ehs\\x00o\\ud800k" in page
    assert "\u202e" not in page
    assert "\0" not in page
    page.encode()  # half a letter has no bytes


def test_other_scripts_are_unchanged():
    assert build([entry(name=SCRIPTS)]).count(SCRIPTS) >= 2
    assert shown(f"{SCRIPTS} a\u200db\u00a0c") == f"{SCRIPTS} a\u200db\u00a0c"


def test_output_is_deterministic():
    first = [entry(found=findings()), broken()]
    assert build(first) == build([entry(found=findings()), broken()])


def test_index_links_to_every_file_and_back():
    reader = Reader(build([entry("a.glb"), entry("b.glb"), broken("c.glb")]))
    links = [each["href"] for each in reader.all("a")]
    articles = [each["id"] for each in reader.all("article")]
    assert articles == ["a-glb", "b-glb", "c-glb"]
    for each in articles:
        assert f"#{each}" in links
    assert links.count("#index") == 1 + len(articles)
    words = " ".join(reader.words)
    assert "3 characters" in words
    for said in ("The file ends early", "/buffers/0", "Export it again", "unreadable"):
        assert said in words


def test_one_file_has_no_index():
    reader = Reader(build([entry()]))
    assert not [each for _, each in reader.elements if each.get("id") == "index"]
    assert "shown" in reader.all("article")[0]["class"].split()


def test_finding_shows_amount_limit_place_and_fix():
    words = " ".join(Reader(build([entry(found=findings())])).words)
    for said in (
        "The loop jumps", "12.5\u202fmm", "limit 1\u202fmm", "/animations/0", "Joint 2", "Error",
        "Match the last key with the first", "loop-seam", "seam",
    ):  # fmt: skip
        assert said in words, said


def test_row_of_a_clip_is_marked_with_its_worst_finding():
    marks = [
        [
            each["title"]
            for each in Reader(build([page])).all("a")
            if "sign" in each.get("class", "")
        ]
        for page in (entry(found=findings()), entry(found=findings("Other")), entry())
    ]
    assert marks == [["21 findings"], [], []]


def test_pictures_have_alternative_text_and_fields_have_labels():
    reader = Reader(build([entry(found=findings(), video=True), broken()]))
    assert all("alt" in each for each in reader.all("img"))
    assert all(each.get("aria-label") for each in reader.all("video"))
    assert sum(bool(each["alt"]) for each in reader.all("img")) >= 2
    fields = len(reader.all("input")) + len(reader.all("select"))
    assert fields == len(reader.all("label"))
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    steps = [after - before for before, after in pairwise(levels)]
    assert max(steps) <= 1, "no level of headings is left out"


def test_everything_is_readable_without_script():
    """Controls that need the script are hidden, and all content is visible."""
    page = build([entry(found=findings(), video=True), entry("b.glb"), broken()])
    reader = Reader(page)
    hidden = [each.get("class", "") for _, each in reader.elements if "hidden" in each]
    assert set(hidden) == {"tools", "theme", "none"}
    assert all("controls" in each for each in reader.all("video"))
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    assert re.findall(r"([^{}]*\.view)[^{}]*\{ display: none", style) == ["\n.js .view"]


def test_the_colours_of_the_pictures_have_a_legend():
    assert '<ul class="swatches"' not in build([entry()])
    page = build([replace(entry(), swatches=INFLUENCES)])
    reader = Reader(page)
    colors = [each["style"] for each in reader.all("i") if "style" in each]
    assert colors[1:3] == ["--colour:rgb(56 107 219)", "--colour:rgb(51 168 107)"]
    last = reader.words.index("5+")
    assert reader.words[last - 5 : last + 1] == [swatch.label for swatch in INFLUENCES]
