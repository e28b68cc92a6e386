"""The commands `lint` and `coverage`."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from .command_parts import (
    build_flow,
    flow_argument,
    gathered_signals,
    print_json,
    print_table,
    providers_option,
    texts_option,
)

_path = click.Path(dir_okay=False, path_type=Path)


@click.command()
@flow_argument
@click.argument("signals_files", metavar="[SIGNALS.json|-]...", nargs=-1)
@texts_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--sarif", "as_sarif", is_flag=True, help="Print a SARIF 2.1.0 log.")
@click.option(
    "--allow",
    "allow_files",
    multiple=True,
    type=_path,
    help="An allow-list beside the flow's own; may be given again.",
)
@click.option("--baseline", "baseline_file", type=_path, help="Sizes that prose may not outgrow.")
@click.option("--update-baseline", is_flag=True, help="Write the present sizes to --baseline.")
@click.option("--model", metavar="NAME", help="Compare with this model's minimum size alone.")
@providers_option
@click.option(
    "--caller-marks",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    help="How many cache marks the caller adds to a request.",
)
@click.pass_context
def lint(
    ctx: click.Context,
    flow_name: str,
    signals_files: Sequence[str],
    texts: str,
    as_json: bool,
    as_sarif: bool,
    allow_files: Sequence[Path],
    baseline_file: Path | None,
    update_baseline: bool,
    model: str | None,
    providers: Path | None,
    caller_marks: int,
) -> None:
    r"""Say what is wrong with FLOW: caching, order, prose, untrusted values, reach, sizes.

    Exit code 1 when an error stands. What a flow allows is in `lint.allow` beside its sections,
    one entry a line: CODE SUBJECT # why. Some rules need signals as in your sessions.

    \b
    promptdag lint theway
    promptdag lint theway monday.json tuesday.json --model claude-sonnet-4.5
    promptdag lint theway --sarif > lint.sarif
    promptdag lint theway --baseline sizes.json --update-baseline
    promptdag lint theway --baseline sizes.json
    """
    if update_baseline and baseline_file is None:
        raise click.UsageError("--update-baseline writes the file of --baseline; name one")
    if as_json and as_sarif:
        raise click.UsageError("--json and --sarif are two formats; give one of them")
    report = _report(
        flow_name,
        signals_files,
        texts,
        allow_files,
        (baseline_file, update_baseline),
        model,
        providers,
        caller_marks,
    )
    _print(report, as_json, as_sarif)
    ctx.exit(report.exit_code)


def _report(
    flow_name: str,
    signals_files: Sequence[str],
    texts: str,
    allow: Sequence[Path],
    ratchet: tuple[Path | None, bool],
    model: str | None,
    providers: Path | None,
    caller_marks: int,
) -> Any:
    from ..inputs.errors import TurnLeakError
    from ..inputs.tokens import default_counter
    from .lint import allow_files, lint_study, read_baseline, studied, unbuildable, write_baseline
    from .mark_order import MarkOrderError

    try:
        flow = build_flow(flow_name, texts)
    except (TurnLeakError, MarkOrderError) as error:
        return unbuildable(flow_name, error)
    path, update = ratchet
    counter = default_counter()
    known = read_baseline(path, flow.name, counter.id) if path and not update else None
    given = [gathered_signals(flow, one, None, ()) for one in signals_files]
    study = studied(
        flow,
        given,
        counter=counter,
        model=model,
        caller_marks=caller_marks,
        baseline=known,
        table=providers,
    )
    if path and update:
        write_baseline(path, study)
        click.echo(f"{path}: written", err=True)
    return lint_study(study, (*allow_files(flow), *allow))


def _print(report: Any, as_json: bool, as_sarif: bool) -> None:
    from .lint import to_sarif

    if as_sarif:
        print_json(to_sarif(report))
    elif as_json:
        print_json(report.to_dict())
    else:
        click.echo(report.text())


@click.command()
@flow_argument
@click.argument("signals_file", metavar="[SIGNALS.json|-]", required=False)
@texts_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--most",
    metavar="N",
    type=click.IntRange(2),
    default=256,
    show_default=True,
    help="Up to so many combinations all are tried, else every pair of gates.",
)
@click.option(
    "--min-tokens",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    help="The fewest tokens up to a cache mark.",
)
@click.pass_context
def coverage(
    ctx: click.Context,
    flow_name: str,
    signals_file: str | None,
    texts: str,
    as_json: bool,
    most: int,
    min_tokens: int,
) -> None:
    r"""Open and close the gates of FLOW by override, and check what then stands beside what.

    SIGNALS.json should give text to as many sections as possible; without it signals are made up.
    Exit code 1 when there is a fault.

    \b
    promptdag coverage theway
    promptdag coverage theway full.json --min-tokens 1024
    promptdag coverage theway --json | jq '.faults[].kind'
    """
    from .gate_coverage import gate_coverage

    flow = build_flow(flow_name, texts)
    signals = gathered_signals(flow, signals_file, None, ()) if signals_file else None
    report = gate_coverage(flow, signals, max_combinations=most, min_tokens=min_tokens)
    if as_json:
        print_json(report.to_dict())
    else:
        print_table(("gate", "sections", "opened", "closed"), [asdict(row) for row in report.gates])
        click.echo("\n".join(report.text().split("\n")[len(report.gates) :]))
    ctx.exit(1 if report.faults else 0)
