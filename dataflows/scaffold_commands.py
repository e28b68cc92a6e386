"""The command that starts a flow of one's own."""

from pathlib import Path

import click


@click.command()
@click.argument("name")
@click.option(
    "--in",
    "parent",
    metavar="DIR",
    default=".",
    show_default=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the folder is made.",
)
def new(name: str, parent: Path) -> None:
    r"""Make a folder NAME with a flow of your own: inputs, sections, order, tests, a notebook.

    \b
    promptdag new my_agent
    pip install -e 'my_agent[test]' && pytest my_agent
    promptdag flows
    """
    from .scaffold import make_scaffold

    folder = make_scaffold(name, parent)
    click.echo(str(folder))
    click.echo(f"next: pip install -e '{folder}[test]' && pytest {folder}", err=True)
