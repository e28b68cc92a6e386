"""The metadata block: what it lists, what it asks, and what each bullet reads."""

import re
from typing import Any

import pytest

from .flows import CASES, GOLDEN, case, flow

FULL: dict[str, Any] = {
    "intent": "live-artifact",
    "platform": "responsive",
    "platformTargets": ["ios", "android"],
    "includeLandingPage": True,
    "includeOsWidgets": True,
    "inspirationDesignSystemIds": ["a", "b"],
    "brandId": "b1",
    "brandSourceUrl": "https://example.org",
    "brandDesignSystemId": "d1",
    "templateLabel": "Pricing",
    "imageStyle": "ink",
    "audioKind": "sfx",
    "contextPlugins": [{"id": "p", "title": "P", "description": "d"}, {"description": "lost"}],
    "contextMcpServers": [{"id": "m", "transport": "stdio"}],
    "contextConnectors": [
        {"id": "c", "name": "C", "provider": "x", "status": "on", "accountLabel": "me"}
    ],
    "promptTemplate": {
        "title": "T",
        "prompt": "p",
        "category": "c",
        "model": "m",
        "aspect": "1:1",
        "tags": ["x", "y"],
        "summary": "s",
        "source": {"repo": "r", "author": "a"},
    },
}
TEMPLATE = {"name": "T", "description": "d", "files": [{"name": "a.html", "content": "<p>"}]}
KINDS = ("prototype", "deck", "template", "other", "image", "video", "audio", "brand", None)


def _block(signals: dict[str, Any], texts: str = "default") -> str:
    rows = flow(texts).compose(signals).manifest.sections
    return "".join(
        row.text for row in rows if "project_metadata" in (row.name, row.parent) and row.open
    )


def _signals(kind: str | None, *, full: bool) -> dict[str, Any]:
    metadata = {**(FULL if full else {}), **({"kind": kind} if kind else {})}
    return {"metadata": metadata, "template": TEMPLATE}


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_the_listed_bullets_are_those_that_stand_there(kind: str | None, full: bool) -> None:
    """The facts that list bullets and headings equal what is read off the text."""
    signals = _signals(kind, full=full)
    prompt, block = flow().compose(signals), _block(signals)
    assert tuple(re.findall(r"^- \*\*([^*]+)\*\*:", block, re.MULTILINE)) == prompt.value(
        "metadata_bullets"
    )
    assert tuple(re.findall(r"^####? .*$", block, re.MULTILINE)) == prompt.value(
        "metadata_headings"
    )


@pytest.mark.parametrize("name", CASES)
def test_the_bullets_of_the_cases_stand_there(name: str) -> None:
    """The same for every recorded case."""
    signals, expected = case(name)
    found = re.findall(r"^- \*\*([^*]+)\*\*:", _block(signals), re.MULTILINE)
    assert found == expected["metadata_bullets"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_block_of_a_kind_equals_its_golden_file(kind: str | None) -> None:
    """With everything known that does not belong to the kind alone."""
    path = GOLDEN / "metadata" / f"{kind or 'none'}.md"
    assert _block(_signals(kind, full=True), "skeleton") == path.read_text(encoding="utf-8")


def test_an_empty_metadata_is_not_an_absent_one() -> None:
    """The block stands, asks the kind, and never says undefined."""
    assert _block({}) == ""
    block = _block({"metadata": {}})
    assert "- **kind**: (unknown — ask: " in block
    assert "undefined" not in block


def test_an_empty_field_is_unknown() -> None:
    """An empty text is asked for, as an absent one is."""
    fields = {"image": ("imageModel", "imageAspect"), "video": ("videoModel", "videoAspect")}
    for kind, (model, aspect) in fields.items():
        block = _block({"metadata": {"kind": kind, model: "", aspect: " "}})
        assert block == _block({"metadata": {"kind": kind}})
        assert block.count("(unknown — ask: ") >= 2


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ({"repo": "r", "author": "a", "license": "MIT"}, "Source: r by a — license MIT. "),
        ({"repo": "r"}, "Source: r — license unspecified. "),
        ({"author": "a"}, "Source: by a — license unspecified. "),
        ({"license": "MIT"}, None),
        (None, None),
    ],
)
def test_a_source_says_what_is_known(source: dict[str, str] | None, line: str | None) -> None:
    """A missing repository is not printed as undefined."""
    block = _block(
        {"metadata": {"kind": "image", "promptTemplate": {"prompt": "p", "source": source}}}
    )
    assert (line in block) if line else ("Source:" not in block)


@pytest.mark.parametrize("kind", ["image", "video", "audio"])
def test_a_disabled_policy_plans_only(kind: str) -> None:
    """The action says so, and forbids an artifact either way."""
    on = _block({"metadata": {"kind": kind}})
    off = _block({"metadata": {"kind": kind}, "mediaExecution": {"mode": "disabled"}})
    assert "plan only" in off
    assert "plan only" not in on
    assert "no `<artifact>`" in on
    assert "no `<artifact>`" in off


@pytest.mark.parametrize(
    ("bullet", "signals"),
    [
        ("speaker_notes_text", {"metadata_kind", "metadata_given", "metadata_speaker_notes"}),
        ("platform_text", {"metadata_given", "metadata_kind", "metadata_platform"}),
        ("cjx_ready_ux_rule_text", {"metadata_given", "metadata_kind"}),
        ("brand_id_text", {"metadata_given", "metadata_kind", "metadata_brand_id"}),
    ],
)
def test_lineage_sees_each_bullet(bullet: str, signals: set[str]) -> None:
    """A bullet reads its own fields, not the whole of metadata."""
    assert set(flow().graph.signals_of(bullet)) == signals


def test_the_voice_form_stands_behind_the_bullets() -> None:
    """A blank line before the form, and none inside the bullets."""
    block = _block(
        {
            "metadata": {"kind": "audio", "audioKind": "speech", "audioModel": "elevenlabs-v3"},
            "audioVoiceOptions": [{"name": "A", "voiceId": "v"}],
        }
    )
    assert re.search(r"\*\*ElevenLabs voice options\*\*: [^\n]+\n\n<question-form ", block)
