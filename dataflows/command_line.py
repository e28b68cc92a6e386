"""The command `promptdag`: each command parses, calls the library and prints.

The prompt or the data goes to stdout, everything else to stderr. Exit code 1 is an error of ours,
told in one line; 2 is a wrong use of the command.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from ..inputs.errors import PromptdagError
from .answer_commands import COMMANDS as ANSWERS
from .command_parts import (
    build_flow,
    flow_argument,
    gathered_signals,
    print_findings,
    print_json,
    print_table,
    texts_option,
    untrusted_option,
)
from .cost_commands import cost, replay
from .fit_commands import fit
from .lint_commands import coverage, lint
from .outline_commands import outline_command
from .picture_commands import graph
from .printed_wires import WIRES, print_wire
from .review_commands import review
from .scaffold_commands import new


class _Commands(click.Group):
    """Turns the errors that we raise on purpose into one line and exit code 1."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.help = _with_line_breaks(self.help)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        cmd.help = _with_line_breaks(cmd.help)
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PromptdagError as error:
            raise click.ClickException(" ".join(str(error).split("\n"))) from None
        except ValidationError as error:
            raise click.ClickException(_one_line(error)) from None


def _with_line_breaks(text: str | None) -> str | None:
    """Return a help text with click's mark for lines to keep, which raw docstrings spell out."""
    return text and text.replace("\\b\n", "\b\n")


def _one_line(error: ValidationError) -> str:
    found = [
        f"{'.'.join(map(str, one['loc'])) or 'signals'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    ]
    return f"{len(found)} wrong in the signals: " + "; ".join(found)


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
    promptdag fit minimal_agent a.json --budget 500
    promptdag explain theway memory a.json       why a section is there or not
    promptdag diff theway a.json b.json          what differs, why, and what it costs
    promptdag cost theway a.json --model claude-opus-5
    promptdag lint theway                        what could break its cache
    promptdag review theway --base HEAD -o review.html
    promptdag new desk                           a flow of your own
    """


@main.command()
def flows() -> None:
    """List the installed flows, one line each."""
    from .registry import flow_builders

    for name, builder in flow_builders().items():
        first_line = (builder.__doc__ or "").strip().split("\n")[0]
        click.echo(f"{name}: {first_line}")


@main.command()
@flow_argument
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def sections(flow_name: str, as_json: bool) -> None:
    r"""Show the sections of FLOW: order, gates in words, and what each reads.

    \b
    promptdag sections theway
    promptdag sections theway --json | jq '.[] | select(.tier == "constant").name'
    """
    from .catalogue import catalogue

    rows = [asdict(row) for row in catalogue(build_flow(flow_name))]
    if as_json:
        print_json(rows)
        return
    columns = ("order", "name", "block", "target", "cache", "tier", "gate", "open_when", "signals")
    print_table(columns, rows)


@main.command()
@flow_argument
@click.argument("signals_file", metavar="[SIGNALS.json|-]", required=False)
@click.option(
    "--here",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Fill signals from a real folder; the file, then --set, win over it.",
)
@untrusted_option
@click.option("--set", "assignments", metavar="name=value", multiple=True, help="Set one signal.")
@texts_option
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "anthropic", *WIRES, "user_message"]),
    default="text",
    show_default=True,
    help="The prompt alone, all there is to know of it, the wire, or one message of the user.",
)
@click.option("--table", is_flag=True, help="Show sections and fingerprint on stderr as well.")
def compose(
    flow_name: str,
    signals_file: str | None,
    here: Path | None,
    untrusted: bool,
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
    flow = build_flow(flow_name, texts)
    prompt = flow.compose(gathered_signals(flow, signals_file, here, assignments, not untrusted))
    if output == "text":
        click.echo("\n\n".join(_texts(prompt)))
    elif output == "anthropic":
        wire = prompt.to_anthropic()
        print_findings(wire.findings)
        print_json({"system": wire["system"], "messages": wire["messages"]})
    elif output in WIRES:
        print_wire(prompt, output)
    elif output == "user_message":
        print_json(prompt.to_user_message())
    else:
        print_json(_everything(prompt))
    if table:
        _print_manifest(prompt)


@main.command()
@flow_argument
@click.argument(
    "directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@untrusted_option
def gather(flow_name: str, directory: Path, untrusted: bool) -> None:
    r"""Print the signals that a real folder gives for FLOW, as JSON to edit and compose from.

    What was left out or changed is told on stderr.

    \b
    promptdag gather zcode . > signals.json
    promptdag compose zcode signals.json
    """
    found = build_flow(flow_name).gather(directory, trusted=not untrusted)
    print_findings(found.findings)
    print_json(found.value)


@main.command()
@flow_argument
@click.argument("signals_file", metavar="SIGNALS.json|-")
@click.argument("nodes", metavar="NODE...", nargs=-1, required=True)
def value(flow_name: str, signals_file: str, nodes: Sequence[str]) -> None:
    r"""Print the values of nodes of FLOW as one JSON object: facts, gates, sections, blocks.

    A file with an `input` key is unwrapped.

    \b
    promptdag value theway signals.json tool_inventory has_memory memory_text
    """
    flow = build_flow(flow_name)
    prompt = flow.compose(gathered_signals(flow, signals_file, None, ()))
    values = {name: prompt.value(name) for name in nodes}
    print_json({name: getattr(one, "text", one) for name, one in values.items()})


def _texts(prompt: Any) -> Iterator[str]:
    """Yield the system text, then the text of each message."""
    system = [block.text for block in prompt.blocks if block.target == "system"]
    if system:
        yield "".join(system)
    for message in prompt.messages:
        content = message["content"]
        blocks = [{"text": content}] if isinstance(content, str) else content
        yield "".join(block.get("text", f"[{block.get('type')}]") for block in blocks)


def _everything(prompt: Any) -> dict[str, Any]:
    manifest = prompt.manifest
    wire = prompt.to_anthropic()
    return {
        "flow": manifest.flow,
        "fingerprint": manifest.fingerprint,
        "sections": manifest.nested(prompt.session.flow.bucket),
        "system": wire["system"],
        "messages": wire["messages"],
    }


def _print_manifest(prompt: Any) -> None:
    columns = ("order", "name", "block", "cache", "tier", "gate", "open", "start", "end")
    sys.stdout.flush()
    print_table(columns, [asdict(row) for row in prompt.manifest.sections], err=True)
    click.echo(f"fingerprint {prompt.fingerprint}", err=True)


for _command in (
    *(fit, graph, new, review, lint, coverage, cost, replay, outline_command),
    *ANSWERS,
):
    main.add_command(_command)
