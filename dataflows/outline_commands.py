"""The command that shows a prompt without a session."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from .answer_commands import json_option
from .command_parts import build_flow, flow_argument, print_json, print_table, texts_option


@click.command("outline")
@flow_argument
@click.option("--closed", metavar="GATE", multiple=True, help="A gate that is closed.")
@click.option("--table", is_flag=True, help="Print the sizes of the sections, not the text.")
@texts_option
@json_option
def outline_command(
    flow_name: str, closed: Sequence[str], table: bool, texts: str, as_json: bool
) -> None:
    r"""Show the prompt of FLOW without signals: each value is a placeholder, each gate is open.

    \b
    promptdag outline theway
    promptdag outline theway --table
    promptdag outline zcode --closed has_skills --texts skeleton --json
    """
    from .outline import outline

    found = outline(build_flow(flow_name, texts), closed=closed)
    if as_json:
        print_json(found.to_dict())
    elif table:
        columns = ("order", "name", "block", "tier", "gate", "tokens", "characters", "bytes")
        total = dict.fromkeys(columns) | {"name": "total", **found.total}
        print_table(columns, [*(asdict(row) for row in found.rows), total])
    else:
        click.echo(found.text)
