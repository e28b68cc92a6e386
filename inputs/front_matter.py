r"""YAML front matter of Markdown files, read so that nobody is surprised.

A fence is a line `---` at column 0 (spaces or tabs may follow). Only LF ends a line, after CRLF
and CR have become LF. Scalars stay the text that was written: `1.10` is not 1.1, `no` is not
False. Aliases, anchors, tags, repeated keys, control characters and more than 8 levels refuse the
file: what a reviewer reads must be what is used.

Codes of findings:

- refused: `invalid-utf-8`, `missing-frontmatter`, `unclosed-frontmatter`, `control-character`,
  `not-a-mapping`, `yaml-invalid`, `yaml-tag`, `yaml-anchor`, `yaml-alias`, `yaml-depth`,
  `yaml-key`, `duplicate-key:KEY`;
- read all the same, with a warning: `bom`, `lone-cr`, `leading-blank`, `line-separator`,
  `control-character` (in the body, where such characters are dropped), `comment-truncation`,
  `yaml-repaired`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from .findings import Finding, Found
from .front_matter_simple import simple_fields
from .front_matter_yaml import SEPARATORS, Refusal, Value, YamlReader, refuse_controls

__all__ = ["FrontMatter", "Value", "parse_front_matter"]

_BOM = b"\xef\xbb\xbf"
# C0 controls and DEL are single bytes in UTF-8, C1 controls begin with C2: a pass over the bytes,
# without a regular expression, clears nearly every file.
_CONTROL_BYTES = bytes([*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F])
_BODY_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
_LEADING_BLANK = re.compile(r"(?:[ \t]*\n)+(?=---[ \t]*(?:\n|\Z))")
_OPENING = re.compile(r"---[ \t]*(?:\n|\Z)")
_CLOSING = re.compile(r"\n---[ \t]*(?:\n|\Z)")
_DOCUMENT_END = re.compile(r"^\.\.\.[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a file's front matter, and the text below it.

    Attributes:
        fields: Values by key, in the order of the file: text, lists and mappings of text.
        lines: The 1-based line of each key of `fields`.
        body: What follows the closing fence, verbatim but for line ends and control characters.
    """

    fields: dict[str, Value]
    lines: dict[str, int]
    body: str


def parse_front_matter(
    data: bytes, path: str, *, prose_keys: Collection[str] = ("description",)
) -> Found[FrontMatter | None]:
    """Return the front matter and the body of a file; `None` when it was refused.

    Args:
        data: The bytes of the file.
        path: The file's name in findings; it is not opened.
        prose_keys: Top-level keys that hold prose. YAML ends an unquoted value at ` #`; in prose
            that is nearly always `issue #12`, so there the rest of the line is kept. Elsewhere
            YAML's value is taken. Both are a `comment-truncation` warning.
    """
    findings: list[Finding] = []
    try:
        value = _parsed(data, path, prose_keys, findings)
    except Refusal as refusal:
        findings.append(refusal.finding(path))
        return Found(None, tuple(findings))
    return Found(value, tuple(findings))


def _parsed(
    data: bytes, path: str, prose_keys: Collection[str], findings: list[Finding]
) -> FrontMatter:
    text = _decoded(data, path, findings)
    head, first_line, body = _split(text, path, findings)
    if simple := simple_fields(head):
        fields = simple[0]
        lines = {key: first_line + index for key, index in simple[1].items()}
    else:
        head = _one_line_separators(head, first_line, path, findings)
        reader = YamlReader(head, first_line, path, prose_keys, findings)
        fields, lines = reader.fields(), reader.lines
    if b"\xc2" in data or len(data.translate(None, _CONTROL_BYTES)) != len(data):
        body = _without_controls(body, text, path, findings)
    return FrontMatter(fields, lines, body)


def _decoded(data: bytes, path: str, findings: list[Finding]) -> str:
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
        findings.append(
            Finding("bom", "a byte order mark stands first; save the file without it", path, 1, 1)
        )
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"0x{data[error.start]:02x}"
        message = f"byte {byte} at offset {error.start} is not UTF-8; save the file as UTF-8"
        raise Refusal("invalid-utf-8", message, line) from error
    if "\r" not in text:
        return text
    text = text.replace("\r\n", "\n")
    if (position := text.find("\r")) >= 0:
        message = "a carriage return alone is read as a line end; use LF"
        line, column = _place(text, position)
        findings.append(Finding("lone-cr", message, path, line, column))
    return text.replace("\r", "\n")


def _split(text: str, path: str, findings: list[Finding]) -> tuple[str, int, str]:
    """Return the YAML between the fences, the line where it begins, and the body."""
    start = 0
    if not text.startswith("---") and (blank := _LEADING_BLANK.match(text)):
        start = blank.end()
        message = "blank lines stand before the opening '---'; remove them"
        findings.append(Finding("leading-blank", message, path, 1, 1))
    opening = _OPENING.match(text, start)
    fence_line = text.count("\n", 0, start) + 1
    if opening is None:
        message = "the file does not begin with a line '---'; front matter must stand first"
        raise Refusal("missing-frontmatter", message, 1)
    # The newline of the opening fence may be the one before the closing fence.
    closing = _CLOSING.search(text, opening.end() - 1)
    head = text[opening.end() : closing.start() + 1] if closing else text[opening.end() :]
    if closing is None or (head.find("...") >= 0 and _DOCUMENT_END.search(head)):
        message = "no line '---' at column 1 closes the front matter ('...' does not); add one"
        raise Refusal("unclosed-frontmatter", message, fence_line)
    return head, fence_line + 1, text[closing.end() :]


def _one_line_separators(head: str, first_line: int, path: str, findings: list[Finding]) -> str:
    """Return the YAML with a space for each line separator but LF, which YAML 1.1 would break at.

    A space keeps every column. Control characters refuse the file.
    """
    refuse_controls(head, first_line)
    separator = SEPARATORS.search(head)
    if separator is None:
        return head
    line, column = _place(head, separator.start())
    message = f"U+{ord(separator[0]):04X} stands in the front matter and is read as a space"
    findings.append(
        Finding("line-separator", message + "; remove it", path, first_line + line - 1, column)
    )
    return SEPARATORS.sub(" ", head)


def _without_controls(body: str, text: str, path: str, findings: list[Finding]) -> str:
    first = _BODY_CONTROLS.search(body)
    if first is None:
        return body
    line, column = _place(text, len(text) - len(body) + first.start())
    clean, count = _BODY_CONTROLS.subn("", body)
    message = f"{count} control character(s) dropped from the body, the first U+{ord(first[0]):04X}"
    findings.append(Finding("control-character", message, path, line, column))
    return clean


def _place(text: str, position: int) -> tuple[int, int]:
    """Return the 1-based line and column of a position."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
