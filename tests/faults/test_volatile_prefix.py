"""Something volatile sits in the stable prefix."""

import re
from typing import Annotated, Any

import pytest
from promptdag.dataflows import Prompt, PromptFlow, block
from promptdag.dataflows.candidates import changed_prompt
from promptdag.dataflows.diff import diff_prompts
from promptdag.dataflows.lint import lint
from promptdag.dataflows.overrides import prepend
from promptdag.dataflows.providers import load_providers
from promptdag.inputs.errors import TurnLeakError
from promptdag.inputs.signals import Drifts, SessionSignals, TurnSignals
from promptdag.inputs.text import Text
from promptdag.inputs.tokens import default_counter
from promptdag.sections import gate, section
from pydantic import ValidationError

from ..answers.cases import full_case, valid_cases
from ..flows import FLOWS, FlowCase, built
from ..lint.samples import findings, flow_of, named, said
from .host import HOST, host, spoken


class Clocked(SessionSignals):
    """A clock where it should not be."""

    now: Text = ""
    date: Annotated[Text, Drifts("midnight passes")] = ""
    memory: Annotated[Text, Drifts("it grows")] = ""
    skills: Text = ""


def shows(signal: str) -> Any:
    """Return a section that shows one signal."""
    scope: dict[str, Any] = {}
    exec(f"def shown({signal}: str) -> None:\n    'Shows a signal.'\n", scope)
    return named(f"{signal}_part", scope["shown"], f"Here: {{{{ {signal} }}}}.")


RULES = said("rules", "Read a file before you change it. " * 40)
TOOLS = said("tools", "Use the tools that are listed.")


@pytest.mark.parametrize(
    ("first", "second", "changed"),
    [("2026-03-01T10:00:00", "2026-03-01T10:00:01", "1."), ("10:00", "10:01", "1.")],
    ids=["seconds", "minutes"],
)
def test_a_clock_in_the_prefix_is_an_error_and_re_reads_everything_behind_it(
    first: str, second: str, changed: str
) -> None:
    """Rounded to minutes it is the same fault: the lint names it, the diff counts what follows."""
    flow = flow_of(shows("now"), RULES, session=Clocked)
    (found,) = findings(flow, "PD002")
    assert (found.severity, found.subject) == ("error", "now_part")
    session = flow.session(now=first)
    moved = session.update(now=second)
    assert moved.change is not None
    assert (moved.change.fields, moved.change.changed) == (("now",), True)
    diff = diff_prompts(session.turnless(), moved.turnless())
    assert [one.name for one in diff.causes] == ["now"]
    text = moved.turnless().text
    assert diff.first_byte == text.index(changed)
    assert diff.rewritten_tokens == default_counter().count(text[text.index(changed) :])
    assert diff.rewritten_tokens > 300


def test_midnight_leaves_the_prefix_and_the_turn_brings_the_new_day() -> None:
    """No day is frozen into the prefix, so none goes stale there."""
    session = HOST.session()
    first, second = (session.turn(today=day) for day in ("2026-03-01", "2026-03-02"))
    assert first.blocks == second.blocks
    assert "2026-03" not in first.text
    assert "Today is 2026-03-01." in spoken(first)
    assert "Today is 2026-03-02." in spoken(second)
    assert "2026-03-01" not in spoken(second)


_DATES = re.compile(r"(^|_)(date|time|now|today|clock|time_zone)$")


def test_no_date_reaches_the_system_text_of_a_shipped_flow() -> None:
    """Of a turn it reaches no block; of a session it stands behind the system text, in messages."""
    seen = set()
    for case in FLOWS:
        flow = built(case.name)
        system = {block.name for block in flow.blocks if block.target == "system"}
        for leaf in flow.graph.signals.values():
            if _DATES.search(leaf.name):
                seen.add(leaf.dotted)
                below = set(flow.graph.downstream[leaf.name])
                assert below.isdisjoint(f"{name}_block" for name in system), leaf.dotted
                assert leaf.turn or below.isdisjoint({f"{name}_fingerprint" for name in system})
    assert seen == {"date", "time_zone", "current_date"}


def test_the_day_of_zcode_moves_no_block_of_its_system_text() -> None:
    """It is given once a session, and two sessions of two days share the system text."""
    prompt = built("zcode").compose(full_case("zcode"))
    other = changed_prompt(prompt, {"current_date": "2031-12-31"})
    kept = [one for one in prompt.blocks if one.target == "system"]
    assert kept == [one for one in other.blocks if one.target == "system"]
    assert "2031-12-31" in other.text
    with pytest.raises(ValidationError):
        prompt.session.turn(current_date="2031-12-31")


def test_a_date_in_front_of_rules_is_refused_or_an_error_with_a_better_order() -> None:
    """Of a turn it cannot be built; of a session that it may leave, the lint says where it goes."""

    class Day(TurnSignals):
        day: Text = ""

    with pytest.raises(TurnLeakError, match="'day'"):
        flow_of(shows("day"), RULES, TOOLS, turn=Day)
    flow = flow_of(shows("date"), RULES, TOOLS, session=Clocked)
    (found,) = findings(flow, "PD004")
    assert (found.severity, found.subject) == ("error", "date_part")
    assert found.do == "prefer the order rules, tools, date_part"


def test_memory_that_grows_is_told_to_stand_behind_skills() -> None:
    """What grows within a session invalidates what stands behind it."""
    flow = flow_of(RULES, shows("memory"), shows("skills"), session=Clocked)
    (found,) = findings(flow, "PD004")
    assert found.do == "prefer the order rules, skills_part, memory_part"
    assert (
        findings(flow_of(RULES, shows("skills"), shows("memory"), session=Clocked), "PD004") == []
    )


def test_a_folder_that_moves_is_fixed_in_the_session_and_named_by_the_lint() -> None:
    """A turn cannot change it; whoever reads it again is told what that rewrites."""
    session = HOST.session(cwd="/a")
    with pytest.raises(ValidationError, match="unknown signal"):
        session.turn(cwd="/a/b")
    change = session.update(cwd="/a/b").change
    assert change is not None
    assert (change.fields, change.sections) == (("cwd",), ("environment",))
    told = {one.subject: one.found for one in findings(HOST, "PD003")}
    assert "the user changes folders" in told["cwd"]


def test_the_state_of_a_repository_moves_only_the_turn() -> None:
    """One more changed file: all blocks stay, and one fragment of the turn says it."""
    session = HOST.session()
    before, after = session.turn(), session.turn(status=" M a.py\n M b.py")
    assert before.blocks == after.blocks
    assert before.fingerprint == after.fingerprint
    assert "M b.py" in spoken(after)
    assert spoken(after).replace("\n M b.py", "") == spoken(before)


def test_the_state_of_a_repository_leaves_what_zcode_shares() -> None:
    """The original reads it once a session; it stands behind the blocks that all sessions share."""
    prompt = built("zcode").compose(full_case("zcode"))
    other = changed_prompt(prompt, {"env_info_git_status_lines": ("M x.py", "M y.py")})
    shared = ("cli_prefix", "stable")
    assert [one for one in prompt.blocks if one.name in shared] == [
        one for one in other.blocks if one.name in shared
    ]
    assert prompt.fingerprint != other.fingerprint


def test_an_id_of_one_session_stays_out_of_what_sessions_share() -> None:
    """Two sessions that differ in it alone have one shared block, and the id is in the other."""
    scratch = ["/run/5f0c2d8e", "/run/9a7b3c1d"]
    prompts = [HOST.session(scratch=one).turnless() for one in scratch]
    shared, own = zip(*(prompt.blocks for prompt in prompts), strict=True)
    assert shared[0] == shared[1]
    assert own[0].fingerprint != own[1].fingerprint
    for prompt, name in zip(prompts, scratch, strict=True):
        assert name not in prompt.blocks[0].text
        assert name in prompt.blocks[1].text


def test_a_home_folder_stays_out_of_what_users_share_and_is_told() -> None:
    """Two users read one shared block; the lint warns of the section that shows the folder."""
    homes = ["/home/alice", "/home/bob"]
    prompts = [HOST.session(home=one).turnless() for one in homes]
    assert prompts[0].blocks[0] == prompts[1].blocks[0]
    assert "/home/" not in prompts[0].blocks[0].text
    (found,) = findings(HOST, "PD013", {"home": "/home/alice"})
    assert (found.severity, found.subject) == ("warning", "environment")
    assert "'home'" in found.found


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_a_home_folder_in_a_shipped_prompt_is_told(case: FlowCase) -> None:
    """Where a signal brings one into any block, the lint names a section of it."""
    flow, signals = built(case.name), full_case(case.name)
    key = {"zcode": "env_info_cwd", "open_design": "memory_body"}.get(case.name, "cwd")
    prompt = changed_prompt(flow.compose(signals), {key: "see /home/alice/work"})
    assert "/home/alice" in prompt.text
    given = dict(prompt.session.signals) | dict(prompt.turn or ())
    report = lint(flow, [given], max_inputs=0, allow=())
    told = {one.subject for one in report.findings if one.code == "PD013"}
    reached = {row.name for row in prompt.manifest.sections if "/home/alice" in row.text}
    assert reached <= told


def test_the_mark_ends_the_stable_part_on_both_wires() -> None:
    """The tail moves from session to session, and no mark covers it."""
    prompt = host().compose({})
    table = load_providers({"models": {"gpt-6-sol": {"min_cache_tokens": 0}}})
    anthropic = prompt.to_anthropic()
    assert [one["text"] for one in anthropic["system"] if "cache_control" in one] == [
        prompt.blocks[0].text
    ]
    openai = prompt.to_openai(model="gpt-6-sol", table=table)
    parts = openai["messages"][0]["content"]
    assert [one["text"] for one in parts if "prompt_cache_breakpoint" in one] == [
        prompt.blocks[0].text
    ]
    assert anthropic.marks == openai.marks == ("shared",)
    assert findings(host(mark=None, own_mark="ephemeral"), "PD024") == []
    one = flow_of(RULES, shows("memory"), session=Clocked, cache_control="ephemeral")
    assert [found.subject for found in findings(one, "PD024")] == ["only"]


class Noted(SessionSignals):
    """A notice that is rare."""

    notice: Text = ""


@gate
def has_notice(notice: str) -> bool:
    """Open when there is a notice."""
    return notice != ""


@section(gate=has_notice, text="{{ notice }}\n\n")
def rare(notice: str) -> None:
    """A rare text in front of all."""


@section(text="The rest.")
def rest() -> None:
    """What is always there."""


def test_a_rare_text_in_front_of_all_leaves_no_prefix_intact() -> None:
    """Fingerprints are of the bytes that are sent, from the first: logical parts do not count."""
    flow = PromptFlow("noted", (block("a", rare), block("b", rest)), session=Noted)
    plain, noted = flow.session().turnless(), flow.session(notice="Stop.").turnless()
    assert plain.blocks[-1].text == noted.blocks[-1].text
    assert plain.blocks[-1].fingerprint != noted.blocks[-1].fingerprint
    diff = diff_prompts(plain, noted)
    assert (diff.stable_changed, diff.first_byte) == (True, 0)


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_a_text_in_front_of_a_shipped_prompt_moves_every_fingerprint(case: FlowCase) -> None:
    """Whoever puts a word before the first section keeps no block of the cache."""
    plain = built(case.name).compose(full_case(case.name))
    first = next(row.name for row in plain.manifest.sections if row.open)
    flow = built(case.name).with_overrides(prepend(first, "Stop. ", who="ops", why="a test"))
    noted = flow.compose(full_case(case.name))
    pairs = list(zip(plain.blocks, noted.blocks, strict=True))
    assert all(one.fingerprint != other.fingerprint for one, other in pairs)
    assert diff_prompts(plain, noted).first_byte == len(
        noted.text[: noted.text.index("Stop. ")].encode()
    )


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_fingerprints_are_equal_exactly_where_the_wires_are(case: FlowCase) -> None:
    """Over all pairs of the golden cases: tools and block bytes decide, and nothing else."""
    prompts = [built(case.name).compose(signals) for signals in valid_cases(case.name)]
    wires = [_wire(one) for one in prompts]
    for one, wire in zip(prompts, wires, strict=True):
        for other, other_wire in zip(prompts, wires, strict=True):
            assert (one.fingerprint == other.fingerprint) is (wire == other_wire)


def _wire(prompt: Prompt) -> str:
    blocks = [(one.target, one.cache_control, one.text) for one in prompt.blocks]
    return repr((prompt.to_anthropic().get("tools"), blocks))
