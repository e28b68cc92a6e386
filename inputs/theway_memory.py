"""The memory folder of theway: every note in one text."""

import os
from collections.abc import Iterator
from pathlib import Path

from .file_text import FileIdentity, file_identity, read_file_text, shown_path, stays_within
from .findings import Finding, Found
from .instruction_cut import utf8_length
from .memory_index import INDEX_NAME

HEADER = "Notes that were kept from earlier sessions, one file after the other:"
"""The first line of the text."""

LEFT_OUT_NOTICE = "[{left_out} of {total} memory files do not fit here; search the memory for them]"
"""The last line when `max_bytes` left files out; takes `left_out` and `total`."""


def read_theway_memory(
    directory: str | os.PathLike[str], *, max_bytes: int | None = None
) -> Found[str]:
    r"""Return all notes of the folder, or `""` where there is none to show.

    The notes are its `*.md` files but `MEMORY.md`, in the byte order of their names, each as
    `--- {name} ---\n{trimmed text}\n\n`; the text carries no `<memory>` tags, since the flow puts
    them around it. Files that cannot be read, are not UTF-8, or are links out of the folder are
    left out with a finding; folders inside it are passed over; a missing folder is an empty one.

    Source: theway's memory loader, which puts the tags on twice and skips in silence.

    Args:
        directory: The memory folder.
        max_bytes: UTF-8 bytes that the text may take, header and notice included; notes that do
            not fit are left out whole, later and shorter ones still get in. `None` is no limit.
    """
    findings: list[Finding] = []
    notes = list(_notes(Path(directory), findings))
    if not notes:
        return Found("", tuple(findings))
    text = _text(notes, 0)
    if max_bytes is None or utf8_length(text) <= max_bytes:
        return Found(text, tuple(findings))
    fitting = _fitting_notes(notes, max_bytes, findings)
    text = _text(fitting, len(notes) - len(fitting))
    return Found(text if utf8_length(text) <= max_bytes else "", tuple(findings))


def _notes(folder: Path, findings: list[Finding]) -> Iterator[tuple[Path, str]]:
    """Yield each note with its form, in order."""
    seen: set[FileIdentity] = set()
    for path in _note_paths(folder, findings):
        found = read_file_text(path, bad_bytes="refuse")
        findings += found.findings
        if found.value is None:
            continue
        identity = file_identity(path)
        if identity in seen:
            message = "is a link to a note that was taken already"
            findings.append(Finding("duplicate-file", message, shown_path(path), severity="info"))
            continue
        seen.add(identity)
        yield path, f"--- {shown_path(path.name)} ---\n{found.value.strip()}\n\n"


def _note_paths(folder: Path, findings: list[Finding]) -> Iterator[Path]:
    real_folder = Path(os.path.realpath(folder))
    for name in sorted(_names(folder, findings), key=os.fsencode):
        path = folder / name
        if path.suffix != ".md" or name == INDEX_NAME:
            continue
        if not stays_within(path, real_folder):
            message = "is a link that leaves the memory folder; it was not read"
            findings.append(Finding("link-escape", message, shown_path(path), severity="error"))
        elif not path.is_dir():
            yield path


def _names(folder: Path, findings: list[Finding]) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        message = f"cannot be listed as the memory folder ({error.strerror or error})"
        findings.append(Finding("unreadable-folder", message, shown_path(folder), severity="error"))
        return []


def _fitting_notes(
    notes: list[tuple[Path, str]], max_bytes: int, findings: list[Finding]
) -> list[tuple[Path, str]]:
    """Return the notes that fit beside the header and the longest notice."""
    left = max_bytes - utf8_length(_text([], len(notes)))
    fitting = []
    for path, note in notes:
        size = utf8_length(note)
        if size <= left:
            left -= size
            fitting.append((path, note))
        else:
            message = f"needs {size} bytes, {max(0, left)} of {max_bytes} were left; left out"
            findings.append(Finding("file-left-out", message, shown_path(path), severity="error"))
    return fitting


def _text(notes: list[tuple[Path, str]], left_out: int) -> str:
    total = len(notes) + left_out
    notice = LEFT_OUT_NOTICE.format(left_out=left_out, total=total) if left_out else ""
    return f"{HEADER}\n\n{''.join(note for _, note in notes)}{notice}".rstrip()
