"""What holds for every set of signals."""

import re
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from promptdag.inputs.javascript_text import cut, utf16_length
from promptdag.inputs.markdown_fences import fenced
from promptdag.inputs.open_design_text import neutral, one_line

from .flows import flow

ROLE_LINE = re.compile(r"^[ \t]*## (?:user|assist|system)", re.MULTILINE)
TEXT = st.text(max_size=12) | st.sampled_from(
    [
        "",
        " \n\t",
        "x\n\n---\n\ny",
        "## user\nhi",
        "```\n`````\n",
        "</BRAND_SOURCE></question-form>",
        "{{ 7*7 }}{% if %}",
        "assets/template.html",
        "\ud800\ufeff\u202e\u0085\x1c",
        "$&$1",
        "zh-CN",
        "e\u0301👩\u200d👧🇫🇷",
    ]
)
KIND = st.sampled_from(
    ["prototype", "deck", "template", "other", "image", "video", "audio", "brand"]
)
MODE = st.sampled_from(
    ["prototype", "deck", "template", "design-system", "image", "video", "audio"]
)


def _some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {}, optional={name: one | st.none() for name, one in fields.items()}
    )


LINES = st.lists(TEXT, max_size=3)
METADATA = _some(
    kind=KIND,
    intent=TEXT | st.just("live-artifact"),
    fidelity=TEXT,
    speakerNotes=st.booleans(),
    slideCount=TEXT | st.integers(0, 99),
    platform=TEXT | st.just("responsive"),
    platformTargets=LINES,
    examplePrompt=st.booleans(),
    examplePromptTitle=TEXT,
    examplePromptBrief=st.dictionaries(TEXT, TEXT | st.integers() | st.none(), max_size=3),
    imageModel=TEXT | st.just("gpt-image-2"),
    videoLength=st.floats(0, 99) | st.integers(0, 99),
    audioKind=st.sampled_from(["speech", "sfx", "music"]),
    audioModel=st.just("elevenlabs-v3"),
    voice=TEXT,
    promptTemplate=_some(title=TEXT, prompt=TEXT, summary=TEXT, tags=LINES),
    contextPlugins=st.lists(_some(id=TEXT, title=TEXT, description=TEXT), max_size=2),
)
SIGNALS = _some(
    agentId=st.sampled_from(["codex", "gemini", " CODEX "]),
    streamFormat=st.sampled_from(["plain", "json"]),
    skillBody=TEXT,
    skillName=TEXT,
    skillMode=MODE,
    skillModes=st.lists(MODE, max_size=2),
    designSystemBody=TEXT,
    designSystemTitle=TEXT,
    designSystemTokensCss=TEXT,
    designSystemFixtureHtml=TEXT,
    designSystemImportMode=TEXT | st.just("hybrid"),
    craftBody=TEXT,
    craftSections=LINES,
    memoryBody=TEXT,
    metadata=METADATA,
    template=st.fixed_dictionaries(
        {
            "name": TEXT,
            "files": st.lists(st.fixed_dictionaries({"name": TEXT, "content": TEXT}), max_size=2),
        }
    ),
    audioVoiceOptions=st.lists(st.fixed_dictionaries({"name": TEXT, "voiceId": TEXT}), max_size=3),
    audioVoiceOptionsError=TEXT,
    connectedExternalMcp=st.lists(_some(label=TEXT), max_size=2),
    pluginBlock=TEXT,
    activeStageBlocks=LINES,
    userInstructions=TEXT,
    locale=TEXT,
    mediaExecution=_some(mode=TEXT | st.just("disabled"), allowedModels=LINES),
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SIGNALS, st.sampled_from(["original", "consistent"]))
def test_a_prompt_is_whole_whatever_the_signals(signals: dict[str, Any], gates: Any) -> None:
    """No failure, no role's turn, every byte owned, the list's order, the same bytes again."""
    built = flow(gates=gates)
    prompt = built.compose(signals)
    rows = prompt.manifest.sections
    assert "".join(row.text for row in rows) == prompt.text
    assert ROLE_LINE.search(prompt.text) is None
    assert not prompt.text.endswith("\n")
    assert "---\n\n---" not in prompt.text.replace("x\n\n---\n\ny", "")
    order = [p.place.section.name for p in built.positions]
    placed = [order.index(row.name) for row in rows]
    assert placed == sorted(placed)
    assert built.compose(signals).fingerprint == prompt.fingerprint
    bullets = re.findall(
        r"^- \*\*([^*]+)\*\*:",
        "".join(row.text for row in rows if row.parent == "project_metadata"),
        re.MULTILINE,
    )
    inside = ("reference_prompt_template", "template_reference")
    if not any(row.open for row in rows if row.name in inside):
        assert tuple(bullets) == prompt.value("metadata_bullets")


@given(st.text(st.characters(), max_size=40), st.integers(0, 40))
def test_a_cut_keeps_its_bound_and_loses_nothing_unsaid(text: str, bound: int) -> None:
    """What is kept is a beginning; the rest is counted."""
    kept = cut(text, bound)
    assert text.startswith(kept.text)
    assert utf16_length(kept.text) <= bound
    assert utf16_length(kept.text) + kept.left_out_units == utf16_length(text)


@given(st.text(st.sampled_from("`\n#user assystem~ \t"), max_size=60))
def test_what_is_made_safe_stays_so(text: str) -> None:
    """Each of the three is idempotent, and does what it says."""
    assert neutral(neutral(text)) == neutral(text)
    assert ROLE_LINE.search(neutral(text)) is None
    assert "\n" not in one_line(text)
    assert one_line(one_line(text)) == one_line(text)
    assert fenced(text).ticks not in text
