"""Lines that read as the start of a turn, where a conversation is written as text."""

import re
from collections.abc import Iterable
from functools import cache

DEEPEST_HEADING = 6


@cache
def _role_line(deepest: int) -> re.Pattern[str]:
    # A heading that is a role and nothing else, and the line beginnings at which hosts cut a reply.
    return re.compile(
        rf"^([ \t]*)(?=#{{1,{deepest}}}[ \t]*(?i:user|assistant|system|human)[ \t]*(?::|$)"
        r"|##[ \t]+(?:user|assist|system))",
        re.MULTILINE,
    )


def without_role_lines(text: str, deepest: int = DEEPEST_HEADING) -> str:
    r"""Return text in which no line reads as the start of a turn: `## user` is `\## user`.

    Args:
        text: The text.
        deepest: The deepest level at which a heading such as `### User` counts as a turn.
    """
    return _role_line(deepest).sub(r"\1\\", text)


def written_turns(turns: Iterable[tuple[str, str]]) -> str:
    """Return roles and texts under `## user` and the like; no text can forge another turn."""
    return "\n\n".join(f"## {role}\n{without_role_lines(text)}" for role, text in turns)
