"""Fills the templates of a new flow's folder."""

import keyword
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ...inputs.errors import PromptdagError

# Not Jinja: the files hold templates of their own, whose braces must stay as they are.
_NAME, _CLASS, _TITLE = "NEWFLOW", "NewFlow", "New Flow"
_ENDING = ".scaffold"
"""Each template ends so, so that no tool takes its code for the project's."""


class ScaffoldError(PromptdagError):
    """A folder that cannot be made."""


def make_scaffold(name: str, parent: Path) -> Path:
    """Make a folder with a whole flow, which installs and passes its tests; return it.

    Args:
        name: The flow's name, and its package's: small letters, digits, `_`.
        parent: The folder that it is made in.

    Raises:
        ScaffoldError: The name is no package name or is taken, or a file cannot be written.
    """
    _check(name)
    folder = parent / name
    words = {_NAME: name, _CLASS: _class_name(name), _TITLE: name.replace("_", " ")}
    try:
        folder.mkdir()
        for path, text in _templates(files("promptdag.dataflows.scaffold") / "files", ()):
            target = folder / _filled("/".join(path), words)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_filled(text, words), encoding="utf-8", newline="\n")
    except FileExistsError:
        raise ScaffoldError(f"{folder} exists; choose another name, or move it away") from None
    except OSError as error:
        raise ScaffoldError(f"{error.filename}: {error.strerror}; nothing more is made") from None
    return folder


def _check(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ScaffoldError(
            f"flow {name!r}: its name is a package's too; use small letters, digits and _"
        )
    if name in ("promptdag", "tests", "test"):
        raise ScaffoldError(f"flow {name!r}: that package is taken; choose another name")


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _templates(folder: Traversable, above: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    """Return each template as the path it is written to, and its text."""
    found: list[tuple[tuple[str, ...], str]] = []
    for one in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if one.is_dir():
            found += _templates(one, (*above, one.name))
        elif one.name.endswith(_ENDING):
            path = (*above, one.name.removesuffix(_ENDING))
            found.append((path, one.read_text(encoding="utf-8")))
    return found


def _filled(text: str, words: dict[str, str]) -> str:
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text
