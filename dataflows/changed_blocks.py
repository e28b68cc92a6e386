"""Which blocks differ between two prompts, the tool table in front of them included."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .placed import tools_text
from .prompt import Prompt
from .update import first_difference


@dataclass(frozen=True, slots=True)
class BlockChange:
    """A block, or the tool table in front of all, whose wire bytes differ.

    Attributes:
        name: The block's name, or `tools`.
        first_byte: The first byte that differs, in the block; `None` when only its shape does.
        shape: Whether its target, cache mark or place differ.
        tokens_before: Its tokens before.
        tokens: Its tokens now.
    """

    name: str
    first_byte: int | None
    shape: bool
    tokens_before: int
    tokens: int


def block_changes(before: Prompt, after: Prompt, count: Callable[[str], int]) -> list[BlockChange]:
    """Return the blocks whose wire bytes differ: tools first, the others in their order now.

    Args:
        before: One prompt.
        after: The other.
        count: Counts the tokens of a text.
    """
    changes = []
    old_tools, new_tools = tools_text(before), tools_text(after)
    if old_tools != new_tools:
        first = first_difference(old_tools.encode(), new_tools.encode())
        changes.append(BlockChange("tools", first, False, count(old_tools), count(new_tools)))
    old = {block.name: block for block in before.blocks}
    new = {block.name: block for block in after.blocks}
    for name in dict.fromkeys((*new, *old)):
        texts = [side[name].text if name in side else "" for side in (old, new)]
        shapes = [_shape(name, side) for side in (old, new)]
        first = first_difference(*(text.encode() for text in texts))
        moved = name in old and name in new and shapes[0] != shapes[1]
        if first is not None or moved:
            changes.append(BlockChange(name, first, moved, count(texts[0]), count(texts[1])))
    if _common_order(old, new) != _common_order(new, old):
        known = {one.name for one in changes}
        for name in _common_order(new, old):
            if name not in known:
                tokens = count(new[name].text)
                changes.append(BlockChange(name, None, True, tokens, tokens))
    return changes


def _shape(name: str, side: dict[str, Any]) -> Any:
    block = side.get(name)
    return None if block is None else (block.target, block.cache_control)


def _common_order(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [name for name in one if name in other]
