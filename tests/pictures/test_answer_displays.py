"""How answers show themselves in a notebook, and how Hamilton draws without a Graphviz."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from graphviz.backend import dot_command
from promptdag.dataflows import Prompt, PromptFlow, theway
from promptdag.dataflows.cost import estimate
from promptdag.dataflows.diff import diff_prompts
from promptdag.dataflows.explain import explain
from promptdag.dataflows.fields import fields
from promptdag.dataflows.lint import lint
from promptdag.dataflows.replay import replay
from promptdag.dataflows.replay_log import read_log
from promptdag.dataflows.what_if import what_if
from promptdag.inputs.errors import UnknownNameError

from .test_displays import shown

SIGNALS = {"cwd": "/app", "memory": "</td><script>a & b", "tool_names": ["read", "bash"]}


DRAWINGS: tuple[Callable[[Any], Any], ...] = (
    lambda driver: driver,  # as the last line of a cell
    lambda driver: driver.display_all_functions(),
    lambda driver: driver.display_upstream_of("memory_text"),
    lambda driver: driver.display_downstream_of("memory"),
    lambda driver: driver.visualize_path_between("memory", "system_fingerprint"),
    lambda driver: driver.visualize_execution(["system_block"], inputs=flow().inputs(**SIGNALS)),
)


@cache
def flow() -> PromptFlow:
    """A flow with a memory and tools."""
    return theway.flow()


def prompt(**changes: Any) -> Prompt:
    """A prompt of it."""
    return flow().compose(SIGNALS | changes)


def rows(html: str) -> list[list[str]]:
    """Return the cells of each row of a table's body."""
    found = re.findall(r"<tr>(<td.*?)</tr>", html)
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in found]


def widths(html: str) -> list[float]:
    """Return the lengths of all bars."""
    return [float(width) for width in re.findall(r'class="bar" style="width:([\d.]+)em"', html)]


def test_a_difference_shows_its_cause_and_the_lines_that_differ() -> None:
    """What came from outside is text in it."""
    found = diff_prompts(prompt(), prompt(memory="</td><script>a & c"))
    html = shown(found)
    assert f"<b>{found.rewritten_tokens} of {found.prefix_tokens} tokens</b>" in html
    assert [row[:2] for row in rows(html)] == [["field", "memory"]]
    assert "<ins>+&lt;/td&gt;&lt;script&gt;a &amp; c</ins>" in html
    assert "<del>-&lt;/td&gt;&lt;script&gt;a &amp; b</del>" in html
    assert "<script" not in html


def test_a_difference_of_nothing_says_so() -> None:
    """There is no table then."""
    html = shown(diff_prompts(prompt(), prompt()))
    assert f"the prefix is the same: <code>{prompt().fingerprint[:12]}</code>" in html
    assert rows(html) == []


def test_fields_show_what_a_change_writes_anew_the_longest_bar_first() -> None:
    """Bars are in proportion to tokens; what stands in front of all bytes says so."""
    found = fields(flow(), SIGNALS)
    html = shown(found)
    ordered = sorted(found.rows, key=lambda one: -(one.tokens_after or 0))
    assert [row[0] for row in rows(html)] == [one.name for one in ordered]
    assert rows(html)[0][:1] + rows(html)[0][2:3] == ["tools", "before all"]
    drawn, most = widths(html), ordered[0].tokens_after or 0
    assert drawn == pytest.approx(
        [14 * (one.tokens_after or 0) / most for one in ordered], abs=0.01
    )


def test_fields_without_signals_and_what_if_show_themselves_too() -> None:
    """The one has no bytes, the other has the tokens of a change that was tried."""
    assert set(widths(shown(fields(flow())))) == {0.0}
    found = what_if(flow(), SIGNALS)
    first = rows(shown(found))[0]
    assert first[3] == str(found.row("tools").rewritten_tokens)


def test_a_lint_shows_what_stands_and_folds_what_is_allowed() -> None:
    """With severity, rule and what to do; errors stand first."""
    clocked = SIGNALS | {"harness_intro": "It is 2026-01-31 09:00."}
    report = lint(flow(), [clocked])
    stand, _, allowed = shown(report).partition("<details>")
    assert report.summary in stand
    assert [row[:2] for row in rows(stand)] == [
        [one.severity, f"{one.code} {one.subject}"] for one in report.findings
    ]
    assert rows(stand)[0][0] == "error"
    assert [row[4] for row in rows(allowed)] == [
        reason.replace('"', "&quot;") for _, reason in report.allowed
    ]


def test_an_estimate_shows_each_scenario_as_a_bar() -> None:
    """Cold is the longest where every turn writes."""
    found = estimate(prompt(), "claude-opus-5", turns=20)
    html = shown(found)
    names = ["cold", "warm", "mixed", "plain"]
    assert [row[0] for row in rows(html)][:4] == names
    sums = [found.usd(name) for name in ("cold", "warm", "mixed", "plain")]
    assert widths(html)[:4] == pytest.approx([14 * one / max(sums) for one in sums], abs=0.01)
    assert all(f"<li>{hint.message}</li>" in html for hint in found.hints)


def test_a_replay_shows_what_was_paid_and_why() -> None:
    """Each cause has its row."""
    turns = [
        json.dumps({"time": turn, "signals": SIGNALS | {"lineage": str(turn // 2)}})
        for turn in range(4)
    ]
    report = replay(flow(), read_log(turns), "claude-opus-5")
    html = shown(report)
    assert [row[0] for row in rows(html)][3:] == [cause.name for cause in report.causes]
    assert {"lineage", "first turn"} <= {row[0] for row in rows(html)}
    assert f"{report.hits} hits" in html


def test_a_figure_shows_itself_without_pyplot() -> None:
    """A notebook draws only figures of pyplot by itself."""
    pytest.importorskip("matplotlib")
    turn = json.dumps({"time": 0, "signals": SIGNALS})
    figure: Any = replay(flow(), read_log([turn]), "claude-opus-5").plot()
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_an_explanation_shows_its_reason_and_what_it_depends_on() -> None:
    """And what would open the section."""
    found = explain(flow(), "lineage", SIGNALS)
    html = shown(found)
    assert f"<b>lineage</b>: {found.reason}" in html
    assert "opened by <code>lineage = " in html
    assert [row[1] for row in rows(html)] == [one.name for one in found.answers]


def test_a_flow_gives_its_fields_as_a_table_and_its_picture() -> None:
    """Each as the function that it stands for."""
    table = flow().fields(SIGNALS, reaching="memory")
    assert list(table.index) == [one.name for one in fields(flow(), reaching="memory").rows]
    assert table["tokens_after"].notna().all()
    html = shown(flow().picture(prompt(), focus="memory"))
    assert html.count("<svg") == 1
    assert "has_memory" in html
    assert "tool_inventory" not in html
    with pytest.raises(UnknownNameError, match="did you mean 'memory'"):
        flow().picture(focus="memry")


@pytest.mark.parametrize("draw", DRAWINGS)
def test_hamilton_draws_where_no_graphviz_is(
    draw: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its own objects and files, by the renderer that we bring."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(dot_command, "DOT_BINARY", Path("dot"))
    drawn = draw(flow().driver)
    assert "memory_text" in drawn._repr_mimebundle_()["image/svg+xml"]


def test_hamilton_writes_its_drawing_where_no_graphviz_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As the kind of file that the name asks for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(dot_command, "DOT_BINARY", Path("dot"))
    flow().driver.display_all_functions(str(tmp_path / "flow.png"))
    assert (tmp_path / "flow.png").read_bytes().startswith(b"\x89PNG")


def test_hamilton_draws_by_the_graphviz_that_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever has one chose it."""
    (tmp_path / "dot").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(dot_command, "DOT_BINARY", Path("dot"))
    flow().driver.display_all_functions()
    assert Path("dot") == dot_command.DOT_BINARY
