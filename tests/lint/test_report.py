"""Allow-lists, reports, SARIF and the commands."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from promptdag.dataflows import theway
from promptdag.dataflows.command_line import main
from promptdag.dataflows.lint import RULES, allow_files, lint, read_allow_list, to_sarif
from promptdag.inputs.errors import ReadError

from .samples import COUNTER, flow_of, said

GOLDEN = Path(__file__).parents[1] / "golden" / "theway"
CASES = [path for path in sorted(GOLDEN.glob("*/signals.json")) if "error" not in path.parent.name]
BAD = flow_of(said("one", "It is 2026-03-01."), said("two", "Show the page.  \nNow."))


def allowing(folder: Path, text: str) -> Path:
    """Return an allow-list with this text."""
    path = folder / "lint.allow"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_allowed_finding_keeps_its_reason_and_fails_nothing(tmp_path: Path) -> None:
    """What is allowed is listed apart."""
    path = allowing(tmp_path, "# Facts.\n\nPD010 one  # the example's own date\n")
    given = {"tools": []}
    report = lint(BAD, [given], counter=COUNTER, allow=[path])
    assert [(one.code, reason) for one, reason in report.allowed] == [
        ("PD010", "the example's own date")
    ]
    assert report.exit_code == 0
    assert lint(BAD, counter=COUNTER, allow=()).exit_code == 1


ENTRIES = [
    ("PD010 one", "PD090", "error"),
    ("PD010 one #  ", "PD090", "error"),
    ("PD042 one # no such thing", "PD091", "error"),
    ("PD010 two # no such thing", "PD091", "warning"),
    ("PD999 one # why", "PD092", "error"),
    ("PD010 # why", "PD092", "error"),
    ("whatever", "PD092", "error"),
]


@pytest.mark.parametrize(("line", "code", "severity"), ENTRIES)
def test_an_entry_that_is_wrong_is_a_finding(
    tmp_path: Path, line: str, code: str, severity: str
) -> None:
    """Without a reason, without a match, or not readable; what depends on cases only warns."""
    path = allowing(tmp_path, f"# one\n{line}\n")
    report = lint(BAD, [{}], counter=COUNTER, allow=[path])
    found = [one for one in report.findings if one.code.startswith("PD09")]
    assert [(one.code, one.severity) for one in found] == [(code, severity)]
    assert found[0].where.endswith("lint.allow:2")


def test_an_entry_is_judged_only_when_its_rule_had_what_it_needs(tmp_path: Path) -> None:
    """Without given signals nobody knows whether a value looks volatile."""
    path = allowing(tmp_path, "PD010 two # in the values of our users\nPD080 two # grows\n")
    report = lint(BAD, counter=COUNTER, allow=[path])
    assert not [one for one in report.findings if one.code == "PD091"]
    assert {"PD010", "PD080"} <= set(report.skipped)


def test_a_missing_allow_list_is_an_error(tmp_path: Path) -> None:
    """A name that is mistyped would allow nothing in silence."""
    with pytest.raises(ReadError, match="No such file"):
        read_allow_list(tmp_path / "none.allow")


def test_the_allow_list_of_a_flow_stands_beside_its_sections() -> None:
    """Other flows put theirs into their own folders."""
    (path,) = allow_files(theway.flow())
    assert path.parts[-3:] == ("sections", "theway", "lint.allow")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_theway_has_no_error(case: Path) -> None:
    """What its original does is allowed with a reason."""
    flow = theway.flow()
    given = json.loads(case.read_text(encoding="utf-8"))
    for cases in ([], [given]):
        report = lint(flow, cases, counter=COUNTER)
        assert report.errors == ()
    assert lint(flow, [given], counter=COUNTER, allow=()).errors


def test_a_report_is_text_data_and_a_table() -> None:
    """Errors stand first; the last line counts."""
    report = lint(BAD, counter=COUNTER, allow=())
    assert [one.severity for one in report.findings] == ["error", "warning"]
    lines = report.text().split("\n")
    assert lines[-1].startswith("sample: 1 errors, 1 warnings, 0 notes, 0 allowed; 7 inputs tried")
    assert "error [PD010 one]" in lines[0]
    assert report.to_dict()["findings"][0]["code"] == "PD010"
    frame = report.to_frame()
    assert list(frame["subject"]) == ["one", "two"]
    assert set(report.to_dict()["skipped"]) == {
        code for code, rule in RULES.items() if rule.needs != "flow"
    }


def test_sarif_points_to_the_template_and_keeps_what_is_suppressed(tmp_path: Path) -> None:
    """Code hosts show findings beside the lines, and reasons beside what is allowed."""
    given = json.loads((GOLDEN / "full" / "signals.json").read_text(encoding="utf-8"))
    (run,) = to_sarif(lint(theway.flow(), [given], counter=COUNTER))["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
    named = next(one for one in run["results"] if one["ruleId"] == "PD052")
    place = named["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "sections/theway/texts/harness.md.j2"
    assert place["region"]["startLine"] == 2
    assert named["suppressions"][0]["justification"].startswith("the original")


def run(*arguments: str) -> tuple[int, str]:
    """Return the exit code and stdout of a command."""
    done = CliRunner().invoke(main, list(arguments))
    return done.exit_code, done.stdout


def test_the_command_prints_text_json_and_sarif() -> None:
    """The exit code tells whether an error stands."""
    full = str(GOLDEN / "full" / "signals.json")
    code, text = run("lint", "theway", full)
    assert code == 0
    assert "theway: 0 errors" in text
    code, text = run("lint", "theway", full, "--json")
    assert json.loads(text)["flow"] == "theway"
    code, text = run("lint", "theway", full, "--sarif")
    assert json.loads(text)["version"] == "2.1.0"
    assert run("lint", "theway", "--json", "--sarif")[0] == 2
    assert run("lint", "theway", "--update-baseline")[0] == 2


def test_the_command_takes_allow_lists_and_fails_on_errors(tmp_path: Path) -> None:
    """An entry that matches nothing is an error of the list that holds it."""
    path = allowing(tmp_path, "PD001 nothing # why not\n")
    code, text = run("lint", "theway", "--allow", str(path))
    assert code == 1
    assert "error [PD091 nothing]" in text


def test_the_command_writes_a_baseline_and_holds_it(tmp_path: Path) -> None:
    """A section that grew fails the command until the baseline is written anew."""
    path = tmp_path / "sizes.json"
    assert run("lint", "theway", "--baseline", str(path))[0] == 1
    assert run("lint", "theway", "--baseline", str(path), "--update-baseline")[0] == 0
    assert run("lint", "theway", "--baseline", str(path))[0] == 0
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["sections"]["harness"] -= 1
    path.write_text(json.dumps(stored), encoding="utf-8")
    code, text = run("lint", "theway", "--baseline", str(path))
    assert code == 1
    assert "error [PD080 harness]" in text


def test_the_command_covers_gates() -> None:
    """A table of gates, and the faults."""
    full = str(GOLDEN / "full" / "signals.json")
    code, text = run("coverage", "theway", full)
    assert code == 0
    assert "0 faults in 16 combinations" in text
    code, text = run("coverage", "theway", full, "--json", "--min-tokens", "100000")
    assert code == 1
    assert {one["kind"] for one in json.loads(text)["faults"]} == {"below minimum"}
