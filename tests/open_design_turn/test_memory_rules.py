"""From comments on a canvas to the rules that a check after the turn reads."""

from pathlib import Path

import pytest
from promptdag.inputs.canvas_rules import CandidateRule, Origin, kept_rules, stored_rules
from promptdag.inputs.memory_rules import Rule, rules_to_check, written_link, written_rule
from promptdag.inputs.open_design_memory import read_memory

ORIGIN = Origin("c1", "index.html", "e1")
TEXTS = (
    "Always use sentence case",
    '"Never" say [click here]: #1',
    "以后都用黑体",
    "--- \u2014 no rules",
)
RULES = stored_rules(CandidateRule(text, (ORIGIN, ORIGIN), ("rule",)) for text in TEXTS)


def stored(folder: Path, rules: tuple[Rule, ...], settings: str = "{}") -> Path:
    """Write rules as a host does once the user keeps them."""
    for rule in rules:
        (folder / f"{rule.id}.md").write_text(written_rule(rule), encoding="utf-8")
    links = "".join(f"{written_link(rule)}\n" for rule in rules)
    (folder / "MEMORY.md").write_text(f"# Index\n{links}", encoding="utf-8")
    (folder / ".config.json").write_text(settings, encoding="utf-8")
    return folder


def test_a_kept_candidate_is_what_the_check_reads(tmp_path: Path) -> None:
    """Written as files and read back, nothing of a rule is lost, and nothing is reported."""
    found = read_memory(stored(tmp_path, RULES))
    assert found.findings == ()
    assert rules_to_check(found.value) == RULES
    assert [rule.text for rule in RULES] == list(TEXTS)
    assert {rule.description for rule in RULES} == {"said of index.html"}


def test_only_what_the_user_keeps_gets_so_far() -> None:
    """A candidate that is not kept is no rule; equal words have one id."""
    candidates = [CandidateRule(text, (ORIGIN,), ("rule",)) for text in TEXTS]
    assert stored_rules(kept_rules(candidates, [TEXTS[2]])) == (RULES[2],)
    assert len({rule.id for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    ("settings", "checked"),
    [("{}", 4), ('{"enabled": false}', 0), ('{"verifyEnabled": false}', 4)],
)
def test_rules_are_active_while_memory_is_on(tmp_path: Path, settings: str, checked: int) -> None:
    """The hook speaks of the agent's own check."""
    memory = read_memory(stored(tmp_path, RULES, settings)).value
    assert len(rules_to_check(memory)) == checked


def test_other_entries_are_no_rules(tmp_path: Path) -> None:
    """Nor is a rule without a text, or one that the index does not link."""
    stored(tmp_path, (RULES[0], Rule("blank", "B", "", "")))
    (tmp_path / "lost.md").write_text(written_rule(Rule("lost", "L", "", "Lost")))
    (tmp_path / "u.md").write_text("---\ntype: user\n---\nAlways.\n")
    with (tmp_path / "MEMORY.md").open("a") as index:
        index.write("- [U](u.md)\n")
    assert rules_to_check(read_memory(tmp_path).value) == RULES[:1]
