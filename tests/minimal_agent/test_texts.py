"""The two text packs of minimal_agent: what they oblige to, and that each is whole."""

import json
import re
from pathlib import Path

import pytest
from promptdag.dataflows import minimal_agent
from promptdag.sections import minimal_agent as sections

from ..flows import built
from ..readme_tables import readme_path, with_table
from ..signal_sets import SignalSets
from .values import ALL_TOOLS, ONLY, POOLS

TEXTS = Path(next(iter(sections.__path__))) / "texts"
FULL = Path(__file__).parents[1] / "golden" / "minimal_agent" / "full" / "signals.json"
HAN = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")

OBLIGATIONS = {
    "an engineer, no flatterer": ("工程师", "flatterer"),
    "evidence": ("证据", "evidence"),
    "where it ends": ("不知道", "I don't know"),
    "verified, inferred, guessed": ("已验证的、推断出来的、猜测的", "verified, what you inferred"),
    "premises": ("质疑前提", "premise"),
    "root cause": ("根因", "root cause"),
    "trade-offs": ("取舍", "trade-offs"),
    "errors admitted": ("自己错了就直说", "say so plainly"),
    "nothing twice": ("不重读，也不重验", "neither read nor verified again"),  # noqa: RUF001
    "the user's language": ("用户的语言", "language of the user"),
    "briefly": ("简短", "briefly"),
    "cause first": ("先讲原因", "cause before its message"),
    "leave": ("未经许可", "without leave"),
    "missing information": ("缺少信息且无法推断", "cannot be inferred"),
    "real trade-offs": ("真实的利弊", "real trade-offs"),
    "irreversible": ("无法撤回", "cannot be undone"),
    "discuss or change": ("要讨论就讨论", "asked to discuss, discuss"),
    "a new task": ("不沿用旧任务的结论", "does not inherit"),
    "messages midway": ("新任务、哪些是补充、哪些是更正", "new tasks, additions and corrections"),
    "read before edit": ("先用 Read", "Use Read"),
    "search before shell": ("再用 Bash", "take Bash"),
    "parallel reads": ("并行", "parallel"),
    "serial writes": ("逐个进行", "follow one another"),
    "briefs": ("自成一体", "stands by itself"),
    "results": ("收回来", "collect the result"),
    "advisor early": ("方案定下之前", "before a plan is fixed"),
    "advisor late": ("卡住的时候、收尾之前", "when you are stuck, and before you finish"),
    "ask only then": ("AskUserQuestion 只用于", "AskUserQuestion only"),
    "dates": ("写明日期", "date or year"),
    "fetch first": ("先用 WebFetch", "with WebFetch first"),
    "a human's step": ("验证码、登录", "captcha or a login"),
}


@pytest.mark.parametrize("obligation", OBLIGATIONS)
def test_both_packs_oblige_the_agent_to_each_rule(obligation: str) -> None:
    """The policies carry every obligation, in either language."""
    signals = {"cwd": "/w", "tool_names": ALL_TOOLS}
    for pack, words in zip(("default", "english"), OBLIGATIONS[obligation], strict=True):
        assert words in built("minimal_agent", pack).compose(signals).text


def test_the_second_pack_replaces_every_text() -> None:
    """Of sections and fragments; what has no template has no prose."""
    flow = built("minimal_agent", "english")
    names = {position.place.section.name for position in flow.positions}
    assert flow.transient is not None
    names |= {one.name for one in flow.transient.fragments if not one.section.many}
    for folder in (TEXTS, TEXTS / "english"):
        assert {path.name.removesuffix(".md.j2") for path in folder.glob("*.j2")} == names
    assert flow.texts == "english"


@pytest.mark.parametrize("case", ["full", "bare"])
def test_the_second_pack_is_english_throughout(case: str) -> None:
    """Labels and notices of the bundle too; the first one is Chinese."""
    signals = json.loads((FULL.parents[1] / case / "signals.json").read_text("utf-8"))
    signals |= {"transient_budget_tokens": 620}
    prompts = [built("minimal_agent", pack).compose(signals) for pack in ("default", "english")]
    for prompt, foreign in zip(prompts, (True, False), strict=True):
        assert prompt.bundle is not None
        assert bool(HAN.search(prompt.text)) is foreign
        assert bool(HAN.search(prompt.bundle.text)) is foreign
    assert prompts[0].value("context_fragments")[0].id == "runtime.host-state"


def test_a_cut_is_told_in_the_language_of_the_pack() -> None:
    """The notice belongs to the form that goes with the pack."""
    signals = {"cwd": "/w", "skills": [f"skill-{n}" for n in range(200)], "date": "2026-03-01"}
    for pack, words in (("default", "[已截断"), ("english", "[cut: the first ")):
        prompt = built("minimal_agent", pack).compose(signals | {"transient_budget_tokens": 300})
        assert prompt.bundle is not None
        assert words in prompt.bundle.text
        assert prompt.bundle.report.used_tokens <= 300


def test_no_change_of_turn_signals_moves_a_byte_of_the_base() -> None:
    """For any turn, the base and its hash are those of the session."""
    flow = built("minimal_agent")
    session = flow.session(cwd="/w", platform="linux", tool_names=ALL_TOOLS)
    base = session.turnless().text
    source = SignalSets(flow.turn_model, POOLS, 7, ONLY)
    contexts = set()
    for _ in range(150):
        try:
            prompt = session.turn(**source.one())
        except (ValueError, TypeError):  # one in twenty is wrong on purpose
            continue
        assert prompt.text == prompt.value("envelope")["base"] == base
        assert prompt.value("base_hash") == session.turnless().value("base_hash")
        contexts.add(prompt.value("transient_text"))
    assert len(contexts) > 50


def fragment_table() -> str:
    """Return the fragments as a Markdown table."""
    flow = built("minimal_agent")
    assert flow.transient is not None
    lines = [
        "| fragment | kind | authority | priority | required | cut | open when |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in flow.transient.fragments:
        (words,) = [" ".join(gate.doc.split()) for gate in flow.gates_of(one.name)] or ["always"]
        rules = (one.id, one.kind, one.authority, str(one.priority), "yes" if one.required else "")
        listed = ("`memory.*`", "as listed below", "", "", "") if one.section.many else rules
        cells = (*listed, "" if one.cut == "no" else one.cut, words.removeprefix("Open when "))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def test_the_fragment_table_of_the_page_is_not_stale(accept: bool) -> None:
    """`pytest --accept` writes it anew."""
    page = readme_path("minimal_agent")
    text = page.read_text(encoding="utf-8")
    wanted = with_table(text, "fragments", fragment_table())
    if accept:
        page.write_text(wanted, encoding="utf-8")
    assert wanted == text or accept, "run pytest --accept and read the diff"


def test_the_flow_is_one_of_those_that_are_installed() -> None:
    """With what it is in its first line."""
    assert (minimal_agent.flow.__doc__ or "").startswith("A stable base with typed policies")
