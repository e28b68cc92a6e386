"""The commands `promptdag cost` and `promptdag replay`: what a cache costs and saves."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from .command_parts import (
    build_flow,
    flow_argument,
    gathered_signals,
    print_findings,
    print_json,
    print_table,
    providers_option,
)

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def _duration(ctx: click.Context, param: click.Parameter, value: str) -> float:
    """Return seconds for a time as `90s`, `3m` or `1h`; a plain number is seconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd]?)", value)
    if found is None:
        raise click.BadParameter(f"{value!r} is no duration; write 90s, 3m or 1h", ctx, param)
    return float(found[1]) * _UNITS[found[2]]


_model_option = click.option(
    "--model", required=True, metavar="MODEL", help="A model of the provider table."
)
_lifetime_option = click.option(
    "--lifetime", metavar="5m|1h|...", help="The lifetime of every mark, in place of the flow's."
)


@click.command()
@flow_argument
@click.argument("signals_file", metavar="SIGNALS.json|-")
@_model_option
@click.option("--turns", type=click.IntRange(min=1), default=10, show_default=True)
@click.option(
    "--gap", callback=_duration, default="3m", show_default=True, help="The time between two turns."
)
@click.option(
    "--hit-rate", type=click.FloatRange(0, 1), help="In place of the one that the gap gives."
)
@_lifetime_option
@providers_option
@click.option("--blocks", is_flag=True, help="A row for each block, not for each section.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: all rows, sums and hints.")
def cost(
    flow_name: str,
    signals_file: str,
    model: str,
    turns: int,
    gap: float,
    hit_rate: float | None,
    lifetime: str | None,
    providers: Path | None,
    blocks: bool,
    as_json: bool,
) -> None:
    r"""Estimate what the prompt of FLOW costs over a conversation, in USD of input.

    cold: every turn writes the cache. warm: every turn reads it. mixed: as the gap and the
    lifetime say, or with --hit-rate. plain: without a cache. change: what one change costs.

    \b
    promptdag cost theway signals.json --model claude-opus-5 --turns 20 --gap 3m
    promptdag cost theway signals.json --model claude-opus-5 --gap 20m --lifetime 1h
    promptdag cost theway signals.json --model gpt-6-sol --json | jq .usd
    """
    from .cost import SCENARIOS, estimate

    flow = build_flow(flow_name)
    found = estimate(
        flow.compose(gathered_signals(flow, signals_file, None, ())),
        model,
        turns=turns,
        gap_seconds=gap,
        hit_rate=hit_rate,
        lifetime=lifetime,
        table=providers,
    )
    if as_json:
        print_json(found.to_dict())
        return
    rows = [_shown(row, SCENARIOS) for row in (found.blocks if blocks else found.sections)]
    total = {"name": "total", "block": None, "tokens": found.tokens, "change_usd": None}
    total["cached_tokens"] = sum(row.cached_tokens for row in found.sections)
    total |= {f"{one}_usd": f"{found.usd(one):.6f}" for one in SCENARIOS}
    print_table(tuple(rows[0] if rows else total), [*rows, total])
    rate = f"hit rate of mixed {found.hit_rate:.0%}"
    click.echo(f"{found.model}, prices of {found.prices_date}, {turns} turns, {rate}", err=True)
    print_findings(found.hints)


def _shown(row: Any, scenarios: tuple[str, ...]) -> dict[str, Any]:
    plain = {name: getattr(row, name) for name in ("name", "block", "tokens", "cached_tokens")}
    sums = [f"{one}_usd" for one in scenarios] + ["change_usd"]
    return plain | {name: f"{getattr(row, name):.6f}" for name in sums}


@click.command()
@flow_argument
@click.argument("log_file", metavar="LOG.jsonl|-", type=click.File("r", encoding="utf-8"))
@_model_option
@_lifetime_option
@providers_option
@click.option(
    "--turns",
    "turns_file",
    type=click.File("w", encoding="utf-8", lazy=True),
    metavar="FILE",
    help="Write a JSON line for each turn: outcome, causes, tokens, USD.",
)
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.png",
    help="Draw money over time and by cause; needs matplotlib.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: sums, causes and orders.")
def replay(
    flow_name: str,
    log_file: IO[str],
    model: str,
    lifetime: str | None,
    providers: Path | None,
    turns_file: IO[str] | None,
    plot_file: Path | None,
    as_json: bool,
) -> None:
    r"""Replay a log of turns through FLOW and a simulated cache: hits, misses, why, and money.

    A line of LOG.jsonl is {"time": "2026-01-31T12:00:00Z", "signals": {...}}, with "session"
    where conversations are mixed. The log is read a line at a time, so it may be of any size.

    \b
    promptdag replay theway log.jsonl --model claude-opus-5
    promptdag replay theway log.jsonl --model claude-opus-5 --turns turns.jsonl --plot money.png
    promptdag replay theway - --model gemini-2.5-pro --json < log.jsonl | jq .causes
    """
    from .replay import replay as replayed
    from .replay_log import read_log

    flow = build_flow(flow_name)
    with _progress(log_file) as lines:
        report = replayed(
            flow,
            read_log(lines, log_file.name),
            model,
            on_turn=None if turns_file is None else lambda one: _write(turns_file, one),
            lifetime=lifetime,
            table=providers,
        )
    if plot_file is not None:
        report.plot().savefig(plot_file)
    if as_json:
        print_json(report.to_dict())
    else:
        _print_report(report)


@contextmanager
def _progress(log_file: IO[str]) -> Iterator[Iterator[str]]:
    """Give the lines of a log, and show on stderr how far they are read."""
    from rich.console import Console
    from rich.progress import Progress

    path = Path(log_file.name)
    total = path.stat().st_size if path.is_file() else None
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("replay", total=total)

        def lines() -> Iterator[str]:
            for line in log_file:
                yield line
                progress.advance(task, len(line.encode()))

        yield lines()


def _write(turns_file: IO[str], outcome: Any) -> None:
    turns_file.write(json.dumps(outcome.to_dict(), ensure_ascii=False) + "\n")


def _print_report(report: Any) -> None:
    rows = [
        {
            "cause": cause.name,
            "turns": cause.turns,
            "written_tokens": round(cause.written_tokens),
            "usd": f"{cause.usd:.6f}",
        }
        for cause in report.causes
    ]
    print_table(("cause", "turns", "written_tokens", "usd"), rows)
    click.echo(
        f"{report.turns} turns: {report.hits} hits, {report.partial} partial, "
        f"{report.misses} misses\n"
        f"USD {report.usd:.6f}; without a cache {report.usd_without_cache:.6f}; "
        f"all read {report.usd_all_read:.6f}\n"
        f"the best order saves USD {report.best_order_saves_usd:.6f}: "
        f"{', '.join(report.order.best_order)}"
    )
    click.echo(f"{report.model}, prices of {report.prices_date}", err=True)
