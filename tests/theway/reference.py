"""theway's startup prompt as straight code: no graph, no templates, no escaping by pattern."""

from functools import cache
from pathlib import Path
from typing import Any

from promptdag.sections.theway import category

TAGS = ("harness", "tools", "environment", "memory", "lineage")
_TEXTS = Path(__file__).parents[2] / "sections" / "theway" / "texts"


@cache
def _harness_texts() -> tuple[str, str]:
    source = (_TEXTS / "harness.md.j2").read_text(encoding="utf-8")
    intro = source.split("{% block intro %}")[1].split("{% endblock %}")[0]
    body = source.split("{% block body %}\n")[1].split("{% endblock %}")[0]
    return intro, body.removesuffix("\n")


def _seen(text: str) -> str:
    """Return the text without what nobody sees, in lower case."""
    hidden = {0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0x200C, 0x200D, 0x2065}
    hidden |= {*range(0x180B, 0x1810), *range(0x200E, 0x2010), *range(0xFE00, 0xFE10)}
    hidden |= {*range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)}
    return "".join(one for one in text if ord(one) not in hidden).lower()


def _opens_a_tag(rest: str) -> bool:
    """Whether what follows a `<` is one of the tags."""
    seen = _seen(rest).lstrip().removeprefix("/").lstrip()
    for tag in TAGS:
        after = seen.removeprefix(tag)[:1]
        if seen.startswith(tag) and not (after.isalnum() or after in ("_", "-")):
            return True
    return False


def escaped(text: str) -> str:
    """Return the text with the `<` of each of theway's tags as `&lt;`."""
    out = []
    for position, one in enumerate(text):
        is_tag = one == "<" and _opens_a_tag(text[position + 1 :])
        out.append("&lt;" if is_tag else one)
    return "".join(out)


def _inventory(names: tuple[str, ...], order: str) -> str:
    kinds = list(dict.fromkeys(category(name) for name in names))
    if order == "canonical":
        listed = "Orchestration & planning,Session graph,Context & search,Files,Web,Execution,"
        kinds.sort(key=(listed + "Automation & skills,Other").split(",").index)
    lines = []
    for kind in kinds:
        own = sorted({name for name in names if category(name) == kind})
        lines.append(f"- {kind}: {', '.join(own)}")
    return "\n".join(lines) if lines else "no tools registered"


def startup_prompt(signals: Any) -> str:
    """Return the prompt under the default texts."""
    intro, body = _harness_texts()
    if signals.harness_intro is not None:
        intro = escaped(signals.harness_intro)
    inventory = escaped(_inventory(signals.tool_names, signals.tool_order))
    parts = [
        f"<harness>\n{intro}\n{body}\n</harness>",
        f"<tools>\n{inventory}\n</tools>",
    ]
    environment = f"Current working directory: {escaped(signals.cwd)}"
    if signals.memory:
        environment += f"\n<memory>\n{_cut_memory(signals)}\n</memory>"
    parts.append(f"<environment>\n{environment}\n</environment>")
    if signals.lineage is not None and signals.lineage.strip():
        parts.append(f"<lineage>\n{escaped(signals.lineage)}\n</lineage>")
    return "\n\n".join(parts)


def _cut_memory(signals: Any) -> str:
    memory, bound = signals.memory, signals.max_memory_chars
    if bound is None or len(memory) <= bound:
        return escaped(memory)
    ends = [at for at, one in enumerate(memory) if one == "\n" and at <= bound]
    kept = memory[: ends[-1]] if ends else ""
    left = len(memory) - len(kept)
    return f"{escaped(kept)}\n\n[memory is cut here; characters not shown: {left}]"
