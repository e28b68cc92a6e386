"""The commands that answer: explain, fields, what-if and diff."""

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

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
case_option = click.option(
    "--case",
    "case_files",
    metavar="SIGNALS.json",
    multiple=True,
    help="Other signals, whose values are tried as well.",
)


model_option = click.option(
    "--model", metavar="MODEL", help="Whose price of tokens holds.  [default: claude-opus-5]"
)


@click.command("explain")
@flow_argument
@click.argument("section")
@click.argument("signals_file", metavar="[SIGNALS.json|-]", required=False)
@case_option
@click.option("--max-tried", default=500, show_default=True, help="How many changes are tried.")
@texts_option
@json_option
def explain_command(
    flow_name: str,
    section: str,
    signals_file: str | None,
    case_files: Sequence[str],
    max_tried: int,
    texts: str,
    as_json: bool,
) -> None:
    r"""Say why SECTION of FLOW is there or not, and where its text comes from.

    \b
    promptdag explain theway memory
    promptdag explain theway memory signals.json
    promptdag explain theway memory signals.json --case other.json --json
    """
    from .explain import explain

    flow = build_flow(flow_name, texts)
    signals = gathered_signals(flow, signals_file, None, ()) if signals_file else None
    cases = [gathered_signals(flow, one, None, ()) for one in case_files]
    found = explain(flow, section, signals, cases=cases, max_tried=max_tried)
    if as_json:
        print_json(found.to_dict())
        return
    _print_explanation(found)


def _print_explanation(found: Any) -> None:
    click.echo(f"{found.section}: {found.reason}")
    between = f"behind {found.before or 'nothing'}, in front of {found.after or 'nothing'}"
    where = "" if found.start is None else f", bytes {found.start} to {found.end}"
    click.echo(f"block {found.block}, place {found.order}, {between}, tier {found.tier}{where}")
    if found.flip is not None:
        flip = found.flip
        changes = ", ".join(f"{name} = {value!r}" for name, value in flip.changes.items())
        said = (
            f"{changes} would {'close' if found.open else 'open'} it"
            if flip.found
            else ("no change was found that would flip it, which does not make it impossible")
        )
        click.echo(f"{said} ({flip.tried} tried, {flip.refused} refused)")
    print_table(("kind", "name", "value", "words"), [asdict(one) for one in found.answers])
    if found.spans:
        columns = ("start", "end", "kind", "source", "place", "signals")
        print_table(columns, [asdict(one) for one in found.spans])


@click.command("fields")
@flow_argument
@click.argument("signals_file", metavar="[SIGNALS.json|-]", required=False)
@click.option(
    "--reaching", metavar="NODE", help="Only what reaches a section, a node or 'fingerprint'."
)
@json_option
def fields_command(
    flow_name: str, signals_file: str | None, reaching: str | None, as_json: bool
) -> None:
    r"""Show what each signal of FLOW reaches, and with SIGNALS.json what a change rewrites.

    \b
    promptdag fields theway
    promptdag fields theway signals.json
    promptdag fields theway --reaching fingerprint --json | jq -r '.rows[].name'
    """
    from .fields import fields

    flow = build_flow(flow_name)
    signals = gathered_signals(flow, signals_file, None, ()) if signals_file else None
    found = fields(flow, signals, reaching=reaching)
    if as_json:
        print_json(found.to_dict())
        return
    columns = ["name", "tier", "drifts", "gates", "sections", "blocks"]
    columns += ["first_byte", "tokens_after"] if signals is not None else []
    columns += ["path"] if reaching else []
    # Why a signal drifts is in --json; a table has no room for it.
    rows = [asdict(row) | {"drifts": row.drifts is not None} for row in found.rows]
    print_table(columns, rows)
    click.echo("no turn signal reaches a block: proven when the flow was built", err=True)


@click.command("what-if")
@flow_argument
@click.argument("signals_file", metavar="SIGNALS.json|-")
@case_option
@model_option
@providers_option
@json_option
def what_if_command(
    flow_name: str,
    signals_file: str,
    case_files: Sequence[str],
    model: str | None,
    providers: Path | None,
    as_json: bool,
) -> None:
    r"""Show what changing each session signal of FLOW would rewrite, by trying values.

    \b
    promptdag what-if theway signals.json
    promptdag what-if theway signals.json --case other.json --model claude-sonnet-4-6 --json
    """
    from .price import price_of
    from .what_if import what_if

    flow = build_flow(flow_name)
    signals = gathered_signals(flow, signals_file, None, ())
    cases = [gathered_signals(flow, one, None, ()) for one in case_files]
    price = price_of(model, providers)
    found = what_if(flow, signals, cases=cases, price=price)
    if as_json:
        print_json(found.to_dict())
        return
    columns = ("name", "sections", "first_byte", "rewritten_tokens", "extra_usd", "tried")
    rows = [asdict(row) | {"extra_usd": f"{row.extra_usd:.6f}"} for row in found.rows]
    print_table((*columns, "refused"), rows)


@click.command("diff")
@flow_argument
@click.argument("before_file", metavar="A.json")
@click.argument("after_file", metavar="B.json")
@click.option(
    "--fail-on",
    type=click.Choice(["stable", "any"]),
    help="Exit with 1 when the cached prefix differs, or when anything does.",
)
@model_option
@providers_option
@texts_option
@click.option("--texts-after", metavar="skeleton|DIR", help="Another text pack for B.")
@json_option
def diff_command(
    flow_name: str,
    before_file: str,
    after_file: str,
    fail_on: str | None,
    model: str | None,
    providers: Path | None,
    texts: str,
    texts_after: str | None,
    as_json: bool,
) -> None:
    r"""Say what differs between the prompts of two sets of signals, why, and what it costs.

    \b
    promptdag diff theway a.json b.json
    promptdag diff theway a.json b.json --fail-on stable
    promptdag diff theway a.json a.json --texts-after my-texts
    """
    from .diff import diff_prompts
    from .price import price_of

    before = build_flow(flow_name, texts)
    after = build_flow(flow_name, texts_after) if texts_after else before
    prompts = [
        flow.compose(gathered_signals(flow, file, None, ()))
        for flow, file in ((before, before_file), (after, after_file))
    ]
    price = price_of(model, providers)
    found = diff_prompts(*prompts, price=price)
    if as_json:
        print_json(found.to_dict())
    else:
        _print_diff(found)
    if (fail_on and found.stable_changed) or (fail_on == "any" and found.messages_changed):
        raise click.exceptions.Exit(1)


def _print_diff(found: Any) -> None:
    if not found.stable_changed:
        click.echo(f"the prefix is the same: {found.fingerprint[:12]}")
    else:
        click.echo(
            f"{found.rewritten_tokens} of {found.prefix_tokens} tokens are rewritten from byte "
            f"{found.first_byte}: {found.extra_usd:.6f} USD more than reading them; up to cache "
            f"marks {found.rewritten_block_tokens} tokens, {found.extra_block_usd:.6f} USD"
        )
    if found.messages_changed:
        click.echo("the messages of the turn differ")
    columns = ("kind", "name", "tier", "before", "after", "sections", "blocks")
    print_table(columns, [asdict(one) for one in found.causes])
    print_table(("change", "name", "block"), [asdict(one) for one in found.sections])
    click.echo(found.text_diff())


COMMANDS = (explain_command, fields_command, what_if_command, diff_command)
