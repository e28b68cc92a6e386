"""The command that reviews: what a flow is, or what a change of it does."""

from pathlib import Path

import click

from .answer_commands import model_option
from .command_parts import build_flow, flow_argument, print_json, providers_option, texts_option


@click.command()
@flow_argument
@click.option("--base", "revision", metavar="REV", help="The flow as it was at a git revision.")
@click.option("--against", metavar="OTHER", help="Another flow, or a snapshot file (.json).")
@click.option(
    "--scenarios",
    "folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Signals: NAME.json or NAME/signals.json. Default: tests/golden/FLOW, else made ones.",
)
@model_option
@providers_option
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Ends in .html: a page. In .md: a comment. In .json: a snapshot for --against.",
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a comment for a pull request.")
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
@texts_option
def review(
    flow_name: str,
    revision: str | None,
    against: str | None,
    folder: Path | None,
    model: str | None,
    providers: Path | None,
    output: Path | None,
    as_markdown: bool,
    as_json: bool,
    texts: str,
) -> None:
    r"""Show what FLOW is, or what a change of it does: to whom, and what that costs.

    The page is one file: no network, no foreign script. A base is built from its own checkout, in
    a process of its own; your work tree stays as it is. Without an option the summary is printed.

    \b
    promptdag review theway -o review.html
    promptdag review theway --base main -o review.html
    promptdag review theway --base HEAD~1 --markdown
    promptdag review theway --base main --scenarios cases -o review.html
    promptdag review theway -o theway.json
    promptdag review theway --against theway.json
    """
    if revision is not None and against is not None:
        raise click.UsageError("--base or --against: name one thing to compare with")
    if output is not None and output.suffix not in (".html", ".md", ".json"):
        raise click.UsageError(f"{output}: end it in .html, .md or .json")
    from .price import DEFAULT_MODEL
    from .review import base_of, markdown, page, review_flow, scenarios_in, summary
    from .review.files import write_text

    flow = build_flow(flow_name, texts)
    golden = Path("tests/golden") / flow_name
    chosen = folder or (golden if golden.is_dir() else None)
    scenarios = scenarios_in(chosen) if chosen else ()
    if chosen is not None:
        click.echo(f"scenarios of {chosen}: {len(scenarios)}", err=True)
    with base_of(flow_name, revision, against, texts) as base:
        found = review_flow(
            flow,
            base,
            scenarios=scenarios,
            model=model or DEFAULT_MODEL,
            prices=providers,
            texts=texts,
            say=lambda words: click.echo(words, err=True),
        )
    if as_markdown:
        click.echo(markdown(found), nl=False)
    elif as_json:
        print_json(found)
    elif output is None:
        click.echo("\n".join(summary(found)))
    if output is not None:
        forms = {".html": lambda: page(found, flow), ".md": lambda: markdown(found)}
        write_text(output, forms.get(output.suffix, found.after.to_json)())
        click.echo(f"wrote {output}", err=True)
