"""minimal_agent against the structure of the original, fed with the original's own calls."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows import Prompt, minimal_agent
from promptdag.inputs.minimal_agent import DEFAULT_BUDGET_TOKENS
from promptdag.inputs.tokens import default_counter
from promptdag.sections import Fragment

from ..flows import built

FOLDER = Path(__file__).parent / "cases"


def case(name: str) -> dict[str, Any]:
    """Return a case by the beginning of its name."""
    (path,) = FOLDER.glob(f"{name}-*.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def composed(call: Mapping[str, Any], texts: str = "default") -> Prompt:
    """Return the prompt of a call."""
    return built("minimal_agent", texts).compose(call)


def fragments(prompt: Prompt) -> tuple[Fragment, ...]:
    """Return the fragments as they were given to the fit."""
    found: tuple[Fragment, ...] = prompt.value("context_fragments")
    return found


def content(prompt: Prompt, name: str) -> str | None:
    """Return a fragment's content, or nothing."""
    return next((one.content for one in fragments(prompt) if one.id == name), None)


def as_recorded(one: Fragment) -> dict[str, Any]:
    """Return a fragment as the cases write it: what is false or absent is left out."""
    told = {"id": one.id, "kind": one.kind, "authority": one.authority, "priority": one.priority}
    told |= {"required": True} if one.required else {}
    told |= {"clippable": True} if one.cut != "no" else {}
    return told | ({"estimatedTokens": one.estimated_tokens} if one.estimated_tokens else {})


def test_every_case_is_there() -> None:
    """A case that is lost is noticed."""
    names = [path.stem[:3] for path in sorted(FOLDER.glob("*.json"))]
    assert names == ["m01", "m02", "m03", "m05", "m06", "m09", "m12"]


def test_m01_the_base_without_tools() -> None:
    """Headings in order, fields of the environment, an empty list of tools, a final newline."""
    expected = case("m01")["expect"]
    prompt = composed(case("m01")["input"] | {"platform": "linux"})
    places = [prompt.text.index(f"\n\n{heading}\n") for heading in expected["heading_order"]]
    assert places == sorted(places)
    assert "\n".join(expected["env_fields"]) in prompt.text
    assert f"\n{expected['tool_line']}\n" in prompt.text
    assert prompt.text.endswith(expected["base_ends_with"])
    assert [as_recorded(one) for one in fragments(prompt)] == expected["fragments"]
    assert sorted(prompt.value("envelope_manifest")) == expected["manifest_keys"]
    assert ("transient" in prompt.value("envelope")) is expected["has_transient_key"]


def test_m01_the_layers_are_joined_by_a_blank_line() -> None:
    """The skeleton shows the four layers and nothing else."""
    prompt = composed(case("m01")["input"] | {"platform": "linux"}, "skeleton")
    layers = [
        "⟦policy.stable⟧\n\n⟦policy.engineer⟧\n\n⟦policy.evidence⟧\n\n⟦policy.answers⟧\n\n"
        "⟦policy.consent⟧\n\n⟦policy.scope⟧\n\n⟦policy.midway_messages⟧",
        "# 当前环境\n- 宿主: cli\n- 工作目录: /w\n- 平台: linux\n\n⟦env.note⟧",
        "# 运行时提示标签\n⟦reminder.what⟧\n⟦reminder.ranks⟧",
        "# 工具编排\n可用工具：。\n\n⟦tools.rules⟧跨工具规则：\n",  # noqa: RUF001 - Chinese
    ]
    assert prompt.text == case("m01")["expect"]["base_join"].join(layers)
    assert len(layers) == len(case("m01")["expect"]["base_layers"])


def test_m02_every_fragment_as_it_is_given_to_the_bundle() -> None:
    """Order, kind, authority, priority, required, cut, the source's estimate; contents."""
    expected = case("m02")["expect"]
    prompt = composed(case("m02")["input"])
    assert [as_recorded(one) for one in fragments(prompt)] == expected["fragments"]
    assert prompt.value("transient_budget_tokens") == DEFAULT_BUDGET_TOKENS
    assert list(prompt.value("memory_query")) == expected["memory_call"]
    assert prompt.value("tasks_query") == expected["tasks_query"]
    assert content(prompt, "tasks.active") == expected["tasks_content"]
    assert content(prompt, "diagnostic.advisor") == expected["advisor_content"]
    project = content(prompt, "project.instructions") or ""
    assert project.startswith(expected["project_content_starts"])
    assert project.endswith(expected["project_content_ends"])
    assert project.count("\n") == 3


def test_m03_a_subagent_has_no_plugins_and_no_advisor() -> None:
    """The rest of the context stays, and the surface is its own."""
    expected = case("m03")["expect"]
    prompt = composed(case("m03")["input"])
    assert [one.id for one in fragments(prompt)] == expected["fragment_ids"]
    assert f"\n{expected['surface_line']}\n" in prompt.text


CALLS = case("m05")["calls"]


@pytest.mark.parametrize("source", CALLS)
@pytest.mark.parametrize("place", ["beside the call", "in fix"])
def test_m05_a_source_that_fails_takes_only_its_own_fragments_along(
    source: str, place: str
) -> None:
    """And is reported; the advisor has a line for it. A late failure is like an early one."""
    told = case("m05")
    expected = told["right"].get(source, told["expect"]["by_source"][source])
    call = dict(told["input"])
    if place == "in fix":
        call["fix"] = call["fix"] | CALLS[source]
    else:
        call |= CALLS[source]
    prompt = composed(call)
    assert [one.id for one in fragments(prompt)] == expected["fragment_ids"]
    if expected.get("advisor"):
        assert content(prompt, "diagnostic.advisor") == expected["advisor"]
    (finding,) = prompt.value("source_findings")
    name = {"project": "project_instructions"}.get(source, source).split()[0]
    assert finding.code == f"source-failed:{name}"
    assert CALLS[source]["fails"] in finding.message
    assert composed(told["input"]).value("source_findings") == ()


def test_m06_the_state_of_the_host_has_a_line_more_for_each_special_thing() -> None:
    """None of it touches the base."""
    told = case("m06")
    hashes = set()
    for row in told["expect"]["table"]:
        runtime = {name: row[name] for name in ("supervisedBrowser", "interactiveAsk")}
        options = told["input"]["options"] | {"runtime": runtime}
        prompt = composed(told["input"] | {"options": options})
        state = content(prompt, "runtime.host-state") or ""
        assert len(state.split("\n")) == row["lines"]
        assert all(line.strip() for line in state.split("\n"))
        hashes.add(prompt.value("base_hash"))
    assert len(hashes) == 1


def test_m09_the_manifest_is_the_originals() -> None:
    """Version, hash, tokens, policies in registry order, capabilities sorted, diagnostics."""
    told = case("m09")
    prompt = composed(told["input"])
    manifest = prompt.value("envelope_manifest")
    assert list(manifest) == told["expect"]["keys"]
    assert manifest["version"] == told["expect"]["version"]
    assert manifest["baseHash"] == sha256(prompt.text.encode()).hexdigest()
    assert manifest["baseTokens"] == default_counter().count(prompt.text)
    assert manifest["enabledCapabilities"] == sorted(manifest["enabledCapabilities"])
    assert manifest["enabledCapabilities"][:3] == ["advisor", "files.edit", "files.read"]
    registry = [one.id for one in minimal_agent.POLICIES]
    assert manifest["enabledPolicyIds"] == [
        one for one in registry if one in manifest["enabledPolicyIds"]
    ]
    open_sections = {row.name for row in prompt.manifest.sections if row.open}
    assert manifest["enabledPolicyIds"] == [
        one.id for one in minimal_agent.POLICIES if one.section.name in open_sections
    ]
    assert prompt.bundle is not None
    assert manifest["transientBudget"] == prompt.bundle.report.to_dict()
    assert set(prompt.value("envelope")) == set(told["expect"]["envelope_keys"])
    assert prompt.value("envelope")["base"] == prompt.text
    gone = composed(told["input"] | {"fix": {}})
    assert gone.value("base_hash") == manifest["baseHash"]
    json.dumps(prompt.value("envelope"))


def test_m12_base_and_context_joined() -> None:
    """A blank line between them; the tools as they are given, repeats included."""
    told = case("m12")
    prompt = composed(told["input"])
    joined = prompt.value("joined_text")
    assert joined == f"{prompt.text}\n\n{prompt.value('transient_text')}"
    assert told["expect"]["catalog"] in joined
    assert "<system-reminder>\n" not in prompt.value("transient_text")


def test_the_smaller_entries_are_requests_for_fewer_nodes() -> None:
    """Each gives what the whole gives, from a call as well as from signals."""
    flow, call = built("minimal_agent"), case("m02")["input"] | {"date": "2026-03-01"}
    prompt = flow.compose(call)
    assert minimal_agent.base_text(flow, call) == prompt.text
    assert minimal_agent.transient_text(flow, call) == prompt.value("transient_text")
    assert minimal_agent.transient_bundle(flow, call) == prompt.bundle
    assert minimal_agent.joined_text(flow, call) == prompt.value("joined_text")
    assert "base_block" not in flow.graph.upstream["transient_text"]
    assert "bundle" not in flow.graph.upstream["base_block"]


def test_nothing_that_may_change_every_turn_reaches_the_base() -> None:
    """The proof runs when the flow is built; this is what it says."""
    flow = built("minimal_agent")
    assert set(flow.graph.signals_of("base_block")) == {
        *("cwd", "profile", "surface", "platform", "tool_names")
    }
    assert [name for name, leaf in flow.graph.signals.items() if leaf.drifts] == [
        "tools",
        "tool_names",
    ]
