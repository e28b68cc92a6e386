"""The content is usable: directions hold together, forms parse, the deck runs."""

import json
import math
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows.question_forms import (
    QuestionForm,
    direction_question,
    find_forms,
    read_form,
    write_form,
)
from promptdag.sections.open_design import core
from promptdag.sections.open_design.core import DIRECTIONS

from .flows import flow

DIRECTION_IDS = (
    "editorial-monocle",
    "modern-minimal",
    "human-approachable",
    "tech-utility",
    "brutalist-experimental",
)


def _luminance(colour: str) -> float:
    """Return the relative luminance of an `oklch()` colour.

    Source: Björn Ottosson, "A perceptual color space for image processing"; WCAG 2.2.
    """
    lightness, chroma, hue = (float(n) for n in re.findall(r"[\d.]+", colour))
    a = chroma * math.cos(math.radians(hue))
    b = chroma * math.sin(math.radians(hue))
    level = lightness / 100
    long = (level + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (level - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (level - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    red, green, blue = (min(1.0, max(0.0, value)) for value in (red, green, blue))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_five_directions_have_their_ids() -> None:
    """Exact and in order."""
    assert tuple(one.id for one in DIRECTIONS) == DIRECTION_IDS


@pytest.mark.parametrize("one", DIRECTIONS, ids=DIRECTION_IDS)
def test_a_palette_is_readable(one: Any) -> None:
    """Text at 7:1, quiet text at 4.5:1, the accent at 3:1, on ground and surface."""
    for ground in (one.palette.bg, one.palette.surface):
        assert _contrast(one.palette.fg, ground) >= 7
        assert _contrast(one.palette.muted, ground) >= 4.5
        assert _contrast(one.palette.accent, ground) >= 3


@pytest.mark.parametrize("one", DIRECTIONS, ids=DIRECTION_IDS)
def test_a_font_stack_ends_in_a_generic_family(one: Any) -> None:
    """Whatever is installed, something fits."""
    for stack in (one.display_font, one.body_font, *one.mono_font):
        assert stack.rsplit(",", 1)[1].strip() in ("serif", "sans-serif", "monospace")


def test_the_library_and_the_question_say_the_same() -> None:
    """Both are made from one source, and hold all of it but what a card has no place for."""
    library = flow().compose({}).value("direction_library_text")
    form = QuestionForm("direction", "Pick", (direction_question("Which one?"),))
    (found,) = find_forms(write_form(form)).value
    assert read_form(found).value == form
    cards = found.content["questions"][0]["cards"]
    source = json.loads((Path(core.__file__).parent / "directions.json").read_bytes())
    assert len(cards) == len(source) == library.count("(id: ")
    for card, direction in zip(cards, source, strict=True):
        assert card == {
            "id": direction["id"],
            "label": direction["label"],
            "mood": direction["mood"],
            "references": direction["references"],
            "palette": list(direction["palette"].values()),
            "displayFont": direction["display_font"],
            "bodyFont": direction["body_font"],
        }
        told = library.partition(f"### {card['label']}  `(id: {card['id']})`")[2].partition("### ")[
            0
        ]
        for words in (card["mood"], ", ".join(card["references"]), *direction["posture"]):
            assert words in told
        for role, colour in direction["palette"].items():
            assert f"--{role}: {colour};" in told
        for use in ("display", "body"):
            assert f"--font-{use}: {card[f'{use}Font']};" in told


def test_the_sample_forms_parse() -> None:
    """Both forms of the discovery rules, with their stable ids and values."""
    text = flow().compose({}).value("discovery_text")
    forms = dict(
        re.findall(r'<question-form id="([a-z-]+)"[^>]*>(.*?)</question-form>', text, re.S)
    )
    assert list(forms) == ["task-type", "discovery"]
    parsed = {name: json.loads(body) for name, body in forms.items()}
    assert parsed["task-type"]["questions"][0]["options"] == [
        "Prototype",
        "Live artifact",
        "Slide deck",
        "Image",
        "Video",
        "HyperFrames",
        "Audio",
        "Other",
    ]
    for value in ("pick_direction", "brand_spec", "reference_match"):
        assert f'"{value}"' in forms["discovery"]


@pytest.mark.parametrize(
    "section", ["memory_intent_gateway", "memory_verify", "memory_rule_proposal"]
)
def test_the_cards_of_memory_parse(section: str) -> None:
    """Each card is one piece of JSON."""
    text = flow().compose({"memoryBody": "x"}).value(f"{section}_text")
    cards = re.findall(r'<od-card type="[a-z-]+">(.*?)</od-card>', text, re.S)
    assert cards
    for card in cards:
        json.loads(card)


class _Page(HTMLParser):
    """Collects open elements, scripts and slides."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.slides = 0
        self.script = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.slides += "slide" in (dict(attrs).get("class") or "").split()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.script += data


def _deck() -> _Page:
    text = flow().compose({"metadata": {"kind": "deck"}}).value("deck_framework_text")
    page = _Page()
    page.feed(text.split("```html\n", 1)[1].split("\n```", 1)[0])
    return page


def test_the_deck_skeleton_is_well_formed() -> None:
    """Every element is closed; it has slides and slots to fill."""
    page = _deck()
    assert page.open == []
    assert page.slides >= 4
    text = flow().compose({}).value("deck_framework_conditional_text")
    assert text.count("SLOT:") >= 8
    assert "1920px" in text


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the deck's script in node")
def test_the_deck_moves_by_keys(tmp_path: Path) -> None:
    """The script itself, on a page of four slides that node holds."""
    script = tmp_path / "deck.js"
    script.write_text(_STAGE + _deck().script + _ASK)
    done = subprocess.run(
        ["node", str(script)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "counts": ["1 / 4", "2 / 4", "4 / 4", "4 / 4", "3 / 4", "1 / 4", "1 / 4"],
        "on": [0],
        "hash": "#1",
        "transform": "translate(0px, 60px) scale(0.5)",
        "notes": [True, False],
    }


_STAGE = """
const element = (name) => ({
  name, style: {}, textContent: '', hidden: true, on: false, attributes: {},
  classList: { toggle: function (_, value) { this.owner.on = value; }, owner: null },
  setAttribute(key, value) { this.attributes[key] = value; },
  querySelector() { return null; }, querySelectorAll: () => slides,
});
const slides = Array.from({ length: 4 }, (_, i) => {
  const one = element('slide' + i); one.classList.owner = one; return one;
});
const parts = {};
for (const name of ['stage', 'bar', 'count', 'notes']) parts[name] = element(name);
const listeners = {};
globalThis.document = { getElementById: (id) => parts[id], documentElement: {} };
globalThis.location = { hash: '' };
globalThis.history = { replaceState: (a, b, hash) => { location.hash = hash; } };
globalThis.innerWidth = 960; globalThis.innerHeight = 660;
globalThis.addEventListener = (name, act) => { listeners[name] = act; };
"""
_ASK = """
const counts = [parts.count.textContent];
const press = (key) => listeners.keydown({ key, preventDefault() {} });
for (const key of ['ArrowRight', 'End', ' ', 'PageUp', 'Home', 'ArrowLeft']) {
  press(key); counts.push(parts.count.textContent);
}
const notes = [parts.notes.hidden]; press('N'); notes.push(parts.notes.hidden);
console.log(JSON.stringify({
  counts, on: slides.flatMap((one, i) => (one.on ? [i] : [])), hash: location.hash,
  transform: parts.stage.style.transform, notes,
}));
"""


def test_the_texts_carry_what_they_oblige() -> None:
    """Words that a host or another section relies on."""
    image = {"kind": "image", "imageModel": "gpt-image-2"}
    prompts = {
        "plain": flow().compose({"streamFormat": "plain"}).text,
        "codex": flow().compose({"agentId": "codex", "metadata": image}).text,
        "gemini": flow().compose({"agentId": "gemini"}).text,
        "mcp": flow().compose({"connectedExternalMcp": [{"id": "x", "label": "x"}]}).text,
        "pull": flow().compose({"designSystemPullIndex": "a"}).text,
    }
    for which, words in {
        "plain": ("<todo-list>", "<tool-call>", "[读取", '<artifact type="text/html">'),
        "codex": (
            "${CODEX_HOME:-$HOME/.codex}/generated_images/",
            "od media generate",
            "### Allowed model IDs (per surface)",
        ),
        "gemini": ("`TodoWrite`", "`write_todos`", "`description`", "`status`"),
        "mcp": (
            "- `x`\\n",
            "mcp__<server>__authenticate",
            "mcp__<server>__complete_authentication",
        ),
        "pull": ("tools design-systems read --path <path>",),
    }.items():
        for word in words:
            assert word.replace("\\n", "\n") in prompts[which], (which, word)


def test_a_design_system_leaves_no_direction_to_ask_for() -> None:
    """The prohibition stands behind a stage that asks, and no direction form is offered."""
    text = (
        flow()
        .compose({"designSystemBody": "b", "activeStageBlocks": ["\n\n## Active stage: direction"]})
        .text
    )
    assert text.index("## Active stage: direction") < text.index(
        "## Active design system visual direction"
    )
    assert '<question-form id="direction"' not in text
    assert "## Direction library" not in text


IMAGE = {"kind": "image"}


def test_another_host_has_its_own_names() -> None:
    """Product, commands and variables are signals."""
    host = {"product": "Atelier", "initials": "AT", "mediaCommand": "at make"}
    text = flow().compose({"host": host}).text
    assert "# AT core directives" in text
    assert "Atelier" in text
    assert "`at make --surface" in text
    assert "od media generate" not in text
    assert "Open Design" not in text
    contract = flow().compose({"host": host | {"commandVariable": "AT"}, "metadata": IMAGE}).text
    assert '"$OD_NODE_BIN" "$AT" make --surface' in contract
    assert "`at make`" in contract
