"""The command `promptdag fit`: where the budget of a turn went."""

from shutil import get_terminal_size
from typing import Any

import click

from ..inputs.errors import UnknownNameError
from .command_parts import build_flow, flow_argument, gathered_signals, print_json, print_table
from .fit_report import FitReport


@click.command()
@flow_argument
@click.argument("signals_file", metavar="SIGNALS.json|-")
@click.option(
    "--budget",
    "budget_tokens",
    type=click.IntRange(min=0),
    help="Tokens, in place of what the signals say.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every count and every fragment.")
def fit(flow_name: str, signals_file: str, budget_tokens: int | None, as_json: bool) -> None:
    r"""Show what of the turn context of FLOW was kept, cut and dropped, as a table and as bars.

    \b
    promptdag fit minimal_agent signals.json
    promptdag fit minimal_agent signals.json --budget 200
    promptdag fit minimal_agent signals.json --json | jq .used_tokens
    """
    flow = build_flow(flow_name)
    report = fitted(flow, gathered_signals(flow, signals_file, None, ()), budget_tokens)
    if as_json:
        print_json(report_as_json(report))
        return
    rows = report_rows(report)
    columns = ("id", "authority", "priority", "required", "outcome", "tokens", "estimated_tokens")
    print_table((*columns, "kept_chars", "total_chars"), rows)
    click.echo(report.bars(get_terminal_size((100, 24)).columns))


def fitted(flow: Any, signals: dict[str, Any], budget_tokens: int | None = None) -> FitReport:
    """Return the report of the fit of a flow's turn context.

    Args:
        flow: The flow.
        signals: Its signals.
        budget_tokens: In place of what the signals say; `None` keeps that.

    Raises:
        UnknownNameError: The flow has no turn context.
    """
    from .signal_files import merged

    if flow.transient is None:
        raise UnknownNameError(
            f"flow {flow.name!r} has no turn context that is fitted; give one with transient=..."
        )
    if budget_tokens is not None:
        signals = merged(flow, signals, {flow.transient.budget: budget_tokens})
    report: FitReport = flow.compose(signals).bundle.report
    return report


def report_rows(report: FitReport) -> list[dict[str, Any]]:
    """Return a row a fragment, in fitting order, those kept first; columns as `to_frame` has."""
    rows: list[dict[str, Any]] = report.to_frame().astype(object).to_dict("records")
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


def report_as_json(report: FitReport) -> dict[str, Any]:
    """Return everything that a report holds, as plain data."""
    return {
        "counter_id": report.counter_id,
        "counter_exact": report.counter_exact,
        "budget_tokens": report.budget_tokens,
        "used_tokens": report.used_tokens,
        "frame_tokens": report.frame_tokens,
        "over_budget": report.over_budget,
        "over_budget_ids": list(report.over_budget_ids),
        "fragments": report_rows(report),
    }


def _plain(value: Any) -> Any:
    import pandas

    return None if pandas.isna(value) else value
