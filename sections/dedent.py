"""Takes off the indentation that all lines share, as theway does it with its harness."""


def dedent(text: str) -> str:
    r"""Return the text without the leading spaces that its non-blank lines share.

    Lines are split at `\n` alone and lose a `\r` before it; a final newline goes. Tabs are no
    indentation. A line that is not longer than the indentation loses its trailing blanks.

    Source: theway's `dedent`, except that it panics on a line of wider blanks, which is cut here.
    """
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    common = min(indents, default=0)
    return "\n".join(line[common:] if len(line) > common else line.rstrip() for line in lines)
