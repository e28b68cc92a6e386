"""The command that draws."""

from pathlib import Path

import click

from .command_parts import build_flow, flow_argument, gathered_signals

_FORMS = (".svg", ".png", ".mmd", ".dot", ".html")


@click.command()
@flow_argument
@click.argument("signals_file", metavar="[SIGNALS.json|-]", required=False)
@click.option("--focus", metavar="NODE", help="Draw what reaches one node; of a signal, its reach.")
@click.option("--themes", is_flag=True, help="Draw one row for each theme, and no gates or facts.")
@click.option("--all", "every", is_flag=True, help="Draw each constant section, in long flows too.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Ends in .svg, .png, .mmd, .dot or .html; without it, DOT text goes to stdout.",
)
def graph(
    flow_name: str,
    signals_file: str | None,
    focus: str | None,
    themes: bool,
    every: bool,
    output: Path | None,
) -> None:
    r"""Draw FLOW: signals, facts, gates, and sections in the order of the prompt.

    With SIGNALS.json, gates and sections are shown open or closed. Text forms are the same in
    every run, so they can be committed. No Graphviz is needed.

    \b
    promptdag graph theway -o theway.svg
    promptdag graph zcode signals.json -o zcode.html
    promptdag graph zcode --focus env_info -o env_info.png
    promptdag graph open_design --themes -o open_design.svg
    promptdag graph theway > theway.dot
    """
    if output is not None and output.suffix not in _FORMS:
        raise click.UsageError(f"{output}: end it in {', '.join(_FORMS)}")
    if themes and (focus is not None or every or signals_file is not None):
        raise click.UsageError("--themes draws the whole flow: give it alone")
    from .pictures import by_theme, picture_of, to_dot
    from .pictures.files import write_picture

    flow = build_flow(flow_name)
    prompt = None
    if signals_file is not None:
        prompt = flow.compose(gathered_signals(flow, signals_file, None, ()))
    whole = every or themes
    picture = picture_of(flow, prompt, focus=focus, collapse_constants=False if whole else None)
    picture = by_theme(picture) if themes else picture
    if output is None:
        click.echo(to_dot(picture), nl=False)
    else:
        write_picture(picture, output)
        click.echo(f"wrote {output}", err=True)
