"""The command `promptdag`: each command parses, calls the library and prints.

The prompt or the data goes to stdout, everything else to stderr. Exit code 1 is an error of ours,
told in one line; 2 is a wrong use of the command.
"""

import gc
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from ..inputs.errors import PromptdagError
from ..inputs.findings import Finding


class _Commands(click.Group):
    """Turns the errors that we raise on purpose into one line and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PromptdagError as error:
            raise click.ClickException(" ".join(str(error).split("\n"))) from None
        except ValidationError as error:
            raise click.ClickException(_one_line(error)) from None


def _one_line(error: ValidationError) -> str:
    found = [
        f"{'.'.join(map(str, one['loc'])) or 'signals'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    ]
    return f"{len(found)} wrong in the signals: " + "; ".join(found)


def _flow_argument(command: Callable[..., None]) -> Callable[..., None]:
    return click.argument("flow_name", metavar="FLOW")(command)


_TEXTS = click.option(
    "--texts",
    default="default",
    metavar="skeleton|DIR",
    help="Text pack: 'skeleton' shows every slot by its name, DIR is a folder of templates.",
)


def _build(name: str, texts: str = "default") -> Any:
    # The process is ours: without Hamilton's pandas extensions and without a collector that
    # finds nothing while modules load, a command starts a quarter sooner.
    os.environ.setdefault("HAMILTON_AUTOLOAD_EXTENSIONS", "0")
    gc.disable()
    try:
        from .registry import flow_named

        return flow_named(name)(texts=texts)
    finally:
        gc.enable()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="promptdag", prog_name="promptdag")
def main() -> None:
    r"""Compose the system prompts of LLM agents as a dataflow.

    \b
    promptdag flows                              what there is
    promptdag sections theway                    its sections, in order, and when each opens
    promptdag compose theway --here .            its prompt for this folder
    promptdag compose theway a.json --format json
    promptdag value theway a.json tool_inventory has_memory
    """


@main.command()
def flows() -> None:
    """List the installed flows, one line each."""
    from .registry import flow_builders

    for name, builder in flow_builders().items():
        first_line = (builder.__doc__ or "").strip().split("\n")[0]
        click.echo(f"{name}: {first_line}")


@main.command()
@_flow_argument
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def sections(flow_name: str, as_json: bool) -> None:
    r"""Show the sections of FLOW: order, gates in words, and what each reads.

    \b
    promptdag sections theway
    promptdag sections theway --json | jq '.[] | select(.tier == "constant").name'
    """
    from .catalogue import catalogue

    rows = [asdict(row) for row in catalogue(_build(flow_name))]
    if as_json:
        _print_json(rows)
        return
    columns = ("order", "name", "block", "target", "cache", "tier", "gate", "open_when", "signals")
    _print_table(columns, rows)


@main.command()
@_flow_argument
@click.argument("signals_file", metavar="[SIGNALS.json|-]", required=False)
@click.option(
    "--here",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Fill signals from a real folder; the file, then --set, win over it.",
)
@click.option("--set", "assignments", metavar="name=value", multiple=True, help="Set one signal.")
@_TEXTS
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "anthropic"]),
    default="text",
    show_default=True,
    help="The prompt alone, all there is to know of it, or the wire.",
)
@click.option("--table", is_flag=True, help="Show sections and fingerprint on stderr as well.")
def compose(
    flow_name: str,
    signals_file: str | None,
    here: Path | None,
    assignments: Sequence[str],
    texts: str,
    output: str,
    table: bool,
) -> None:
    r"""Compose the prompt of FLOW.

    SIGNALS.json is one object with session and turn signals together, in our names or the
    original system's own; '-' reads it from stdin.

    \b
    promptdag compose theway signals.json
    promptdag compose theway --here . --set 'tool_names=["bash", "read"]'
    promptdag compose theway signals.json --texts skeleton
    promptdag compose theway signals.json --format anthropic > request.json
    """
    flow = _build(flow_name, texts)
    prompt = flow.compose(_gathered(flow, signals_file, here, assignments))
    if output == "text":
        click.echo(prompt.text)
    elif output == "anthropic":
        wire = prompt.to_anthropic()
        _print_json({"system": wire["system"], "messages": wire["messages"]})
    else:
        _print_json(_everything(prompt))
    if table:
        _print_manifest(prompt)


@main.command()
@_flow_argument
@click.argument("signals_file", metavar="SIGNALS.json|-")
@click.argument("nodes", metavar="NODE...", nargs=-1, required=True)
def value(flow_name: str, signals_file: str, nodes: Sequence[str]) -> None:
    r"""Print the values of nodes of FLOW as one JSON object: facts, gates, sections, blocks.

    A file with an `input` key is unwrapped.

    \b
    promptdag value theway signals.json tool_inventory has_memory memory_text
    """
    flow = _build(flow_name)
    prompt = flow.compose(_gathered(flow, signals_file, None, ()))
    values = {name: prompt.value(name) for name in nodes}
    _print_json({name: getattr(one, "text", one) for name, one in values.items()})


def _gathered(
    flow: Any, signals_file: str | None, here: Path | None, assignments: Sequence[str]
) -> dict[str, Any]:
    from .signal_files import assigned, merged, parse_signals, read_signals

    layers: list[dict[str, Any]] = []
    if here is not None:
        found = flow.gather(here)
        _print_findings(found.findings)
        layers.append(found.value)
    if signals_file == "-":
        layers.append(parse_signals(sys.stdin.read(), "stdin"))
    elif signals_file is not None:
        layers.append(read_signals(Path(signals_file)))
    layers += [assigned(flow, one) for one in assignments]
    return merged(flow, *layers)


def _everything(prompt: Any) -> dict[str, Any]:
    manifest = prompt.manifest
    columns = ("name", "block", "target", "cache", "tier", "gate", "open", "start", "end", "text")
    wire = prompt.to_anthropic()
    return {
        "flow": manifest.flow,
        "fingerprint": manifest.fingerprint,
        "sections": [{name: getattr(row, name) for name in columns} for row in manifest.sections],
        "system": wire["system"],
        "messages": wire["messages"],
    }


def _print_json(data: Any) -> None:
    plain = to_jsonable_python(data, fallback=str)
    click.echo(json.dumps(plain, indent=2, ensure_ascii=False))


def _print_findings(findings: Sequence[Finding]) -> None:
    for finding in findings:
        click.echo(str(finding), err=True)


def _print_manifest(prompt: Any) -> None:
    columns = ("order", "name", "block", "cache", "tier", "gate", "open", "start", "end")
    sys.stdout.flush()
    _print_table(columns, [asdict(row) for row in prompt.manifest.sections], err=True)
    click.echo(f"fingerprint {prompt.fingerprint}", err=True)


def _print_table(columns: Sequence[str], rows: Sequence[dict[str, Any]], err: bool = False) -> None:
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
