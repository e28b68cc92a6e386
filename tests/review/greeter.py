"""A small installed flow in a git repository of its own, with a past."""

import os
import subprocess
from pathlib import Path

NAME = "review_greeter"

FLOW = '''\
"""A flow that greets."""

from promptdag.dataflows import PromptFlow, block
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections.declare import gate, section


class Greeting(SessionSignals):
    """Who is greeted, and where."""

    name: Text = ""
    place: Text = ""


@gate
def has_place(place: str) -> bool:
    """Open when a place is given."""
    return place != ""


@section
def hello(name: str) -> None:
    """The greeting."""


@section(gate=has_place)
def place_note(place: str) -> None:
    """Where it happens."""


@section
def rules() -> None:
    """What always holds."""


def flow(texts: str = "default") -> PromptFlow:
    """Greets somebody somewhere."""
    blocks = (block("system", hello, place_note, rules, join="\\n", cache_control="ephemeral"),)
    return PromptFlow("review_greeter", blocks, session=Greeting, texts=texts, doc="It greets.")
'''

TEXTS = {
    "hello": "Hello {{ name }}, {% block wish %}have a good day.{% endblock %}\n",
    "place_note": "{% block you_are %}You are in{% endblock %} {{ place }}.\n",
    "rules": "{% block rules %}Be kind. Be brief.{% endblock %}\n",
}


def git(folder: Path, *arguments: str) -> str:
    """Run git with a name of its own."""
    who = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        who |= {f"GIT_{role}_NAME": "Test", f"GIT_{role}_EMAIL": "test@example.org"}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        env={**os.environ, **who},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def write(folder: Path, flow: str = FLOW, texts: dict[str, str] = TEXTS) -> None:
    """Write the package, with the entry point that an installation would give it."""
    package = folder / "src" / NAME
    (package / "texts").mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text(flow, encoding="utf-8")
    for name, text in texts.items():
        (package / "texts" / f"{name}.md.j2").write_text(text, encoding="utf-8")
    site = folder / "site" / f"{NAME}-1.dist-info"
    site.mkdir(parents=True, exist_ok=True)
    entry = f"[promptdag.flows]\n{NAME} = {NAME}:flow\n"
    (site / "entry_points.txt").write_text(entry, encoding="utf-8")
    (site / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1\n")


def past(flow: str = FLOW) -> tuple[str, dict[str, str]]:
    """Return the flow as it was: another gate, word and order, and a section that has gone."""
    old = (
        flow.replace("Open when a place is given.", "Open when the place is not blank.")
        .replace('return place != ""', 'return place.strip() != "" and place != "nowhere"')
        .replace("hello, place_note, rules, join", "rules, hello, place_note, farewell, join")
        .replace(
            "@section\ndef rules",
            '@section\ndef farewell() -> None:\n    """The end."""\n\n\n@section\ndef rules',
        )
    )
    texts = {
        **TEXTS,
        "hello": TEXTS["hello"].replace("good day", "nice day"),
        "farewell": "{% block bye %}Good bye.{% endblock %}\n",
    }
    return old, texts


def make_repository(folder: Path) -> Path:
    """Make the repository: the past is tagged `past`, the work tree is the flow of today."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    write(folder, *past())
    # What an archive would leave out is checked out all the same.
    (folder / ".gitattributes").write_text("*.j2 export-ignore\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=As it was")
    git(folder, "tag", "past")
    write(folder)
    (folder / "src" / NAME / "texts" / "farewell.md.j2").unlink()
    return folder
