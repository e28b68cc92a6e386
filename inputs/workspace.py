"""The folder an agent works in, and the machine around it."""

import os
import platform
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import ReadError
from .findings import Finding, Found
from .text import clean

_LINE_BREAKS = re.compile("[\t\n\u2028\u2029]+")
# How Python keeps the bytes of a path that are not UTF-8 (PEP 383).
_ESCAPED_BYTES = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder an agent works in, and the machine around it.

    Attributes:
        cwd: Absolute; links in it are kept.
        additional_directories: Absolute, in the order given, each once.
        platform: As Node.js names it: `linux`, `darwin`, `win32`.
        shell: The name of the program, such as `bash`, or `unknown`.
        os_version: System and release: `Linux 6.6.0`.
    """

    cwd: str
    additional_directories: tuple[str, ...]
    platform: str
    shell: str
    os_version: str


def read_workspace(
    directory: str | os.PathLike[str],
    *,
    additional_directories: Iterable[str | os.PathLike[str]] = (),
    environ: Mapping[str, str] | None = None,
) -> Found[Workspace]:
    r"""Read where an agent works.

    Paths are cleaned and on one line; bytes that are not UTF-8 are shown as `\xNN`. A finding tells
    where the text is therefore not the path itself. `<` and `&` are left to the section that
    prints the text.

    Args:
        directory: The folder the agent works in.
        additional_directories: More folders; a relative one starts at `directory`. One that is
            named twice, by whatever path, or is `directory` itself, or is no folder, is left out.
        environ: Where `SHELL`, or else `COMSPEC`, is looked up; `os.environ` by default.

    Raises:
        ReadError: `directory` is not a folder.
    """
    cwd = os.path.abspath(directory)
    if not os.path.isdir(cwd):
        raise ReadError(f"{path_text(cwd)}: not a folder; name the folder that the agent works in")
    kept, findings = _additional_directories(cwd, additional_directories)
    findings = [finding for path in (cwd, *kept) for finding in _changed_path(path)] + findings
    shell = _shell(os.environ if environ is None else environ)
    if shell is None:
        message = "neither SHELL nor COMSPEC is set; the shell is given as 'unknown'"
        findings.append(Finding("unknown-shell", message))
    os_version = f"{platform.system()} {platform.release()}".strip()
    if not os_version:
        message = "the system tells neither its name nor its release; it is given as 'unknown'"
        findings.append(Finding("unknown-os-version", message))
    workspace = Workspace(
        cwd=path_text(cwd),
        additional_directories=tuple(path_text(path) for path in kept),
        platform=_node_platform(sys.platform),
        shell=shell or "unknown",
        os_version=os_version or "unknown",
    )
    return Found(workspace, tuple(findings))


def path_text(path: str | bytes) -> str:
    r"""Return a path as one line of clean text, with `\xNN` for bytes that are not UTF-8.

    Tabs and line breaks become one space; other spaces stay, so that the path stays usable.
    """
    if isinstance(path, bytes):
        text = path.decode("utf-8", "backslashreplace")
    else:
        text = _ESCAPED_BYTES.sub(lambda match: f"\\x{ord(match[0]) - 0xDC00:02x}", path)
    return _LINE_BREAKS.sub(" ", clean(text))


def _changed_path(path: str) -> list[Finding]:
    text = path_text(path)
    if text == path:
        return []
    message = "the path holds characters that a prompt cannot show; what is shown is not the path"
    return [Finding("changed-text:path", message, path=text)]


def _additional_directories(
    cwd: str, directories: Iterable[str | os.PathLike[str]]
) -> tuple[list[str], list[Finding]]:
    kept: list[str] = []
    findings: list[Finding] = []
    known = {os.path.realpath(cwd)}
    for directory in directories:
        path = os.path.abspath(os.path.join(cwd, directory))
        if not os.path.isdir(path):
            message = "an additional directory that is not a folder; it was left out"
            findings.append(Finding("not-a-directory", message, path_text(path), severity="error"))
        elif os.path.realpath(path) in known:
            message = "an additional directory that was named already; it was left out"
            findings.append(Finding("duplicate-directory", message, path_text(path)))
        else:
            known.add(os.path.realpath(path))
            kept.append(path)
    return kept, findings


def _shell(environ: Mapping[str, str]) -> str | None:
    """Return the name of the shell program, or `None` when the environment does not tell."""
    for variable in ("SHELL", "COMSPEC"):
        program = path_text(environ.get(variable, "")).strip()
        name = re.split(r"[/\\]", program)[-1]
        if name:
            return re.sub(r"\.exe$", "", name, flags=re.IGNORECASE)
    return None


def _node_platform(name: str) -> str:
    """Return Python's name of a platform as Node.js gives it: `freebsd14` is `freebsd`."""
    return name if name == "win32" else re.sub(r"\d+$", "", name)
