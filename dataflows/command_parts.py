"""What the commands share: arguments, building a flow, reading signals, printing."""

import gc
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from pydantic_core import to_jsonable_python

from ..inputs.findings import Finding


def flow_argument(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command its FLOW argument, passed as `flow_name`."""
    return click.argument("flow_name", metavar="FLOW")(command)


texts_option = click.option(
    "--texts",
    default="default",
    metavar="skeleton|DIR",
    help="Text pack: 'skeleton' shows every slot by its name, DIR is a folder of templates.",
)


untrusted_option = click.option(
    "--untrusted",
    is_flag=True,
    help="Do not vouch for the folder: read nothing that could run code of its repository.",
)


providers_option = click.option(
    "--providers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON with prices and rules that replace a part of the built-in table.",
)


def build_flow(name: str, texts: str = "default") -> Any:
    """Return the flow of a name; Hamilton is imported here and not before."""
    # The process is ours: without Hamilton's pandas extensions and without a collector that
    # finds nothing while modules load, a command starts a quarter sooner.
    os.environ.setdefault("HAMILTON_AUTOLOAD_EXTENSIONS", "0")
    gc.disable()
    try:
        from .registry import flow_named

        return flow_named(name)(texts=texts)
    finally:
        gc.enable()


def gathered_signals(
    flow: Any,
    signals_file: str | None,
    here: Path | None,
    assignments: Sequence[str],
    trusted: bool = True,
) -> dict[str, Any]:
    """Return the signals of a folder, a file (`-` for stdin) and assignments; the later win."""
    from .signal_files import assigned, merged, parse_signals, read_signals

    layers: list[dict[str, Any]] = []
    if here is not None:
        found = flow.gather(here, trusted=trusted)
        print_findings(found.findings)
        layers.append(found.value)
    if signals_file == "-":
        layers.append(parse_signals(sys.stdin.read(), "stdin"))
    elif signals_file is not None:
        layers.append(read_signals(Path(signals_file)))
    layers += [assigned(flow, one) for one in assignments]
    return merged(flow, *layers)


def print_json(data: Any) -> None:
    """Print plain data, models and dataclasses as JSON on stdout."""
    plain = to_jsonable_python(data, fallback=str)
    click.echo(json.dumps(plain, indent=2, ensure_ascii=False))


def print_findings(findings: Sequence[Finding]) -> None:
    """Print findings on stderr, a line each."""
    for finding in findings:
        click.echo(str(finding), err=True)


def print_table(columns: Sequence[str], rows: Sequence[dict[str, Any]], err: bool = False) -> None:
    """Print rows as a table: of each row, the named columns."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        words = column in ("open_when", "signals")
        table.add_column(column.replace("_", " "), overflow="fold", no_wrap=not words)
    for row in rows:
        table.add_row(*(Text(_cell(row[column])) for column in columns))
    console = Console(stderr=err)
    if not console.is_terminal:
        console = Console(stderr=err, width=160)
    console.print(table)


def _cell(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case tuple() | list():
            return ", ".join(map(str, value)) or "-"
    return str(value)
