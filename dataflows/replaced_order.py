"""The order of a prompt that an override replaces as a whole."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..sections.declare import Section
from .assembly import Assembly
from .graph import Node
from .node_functions import block_function, block_node, text_node
from .order import Block, Group, Item, OneOf, Place, Wrap, places_in


def replace_all() -> None:
    """The whole prompt, as an override gives it."""


REPLACEMENT = Section(replace_all, text="")


def replaced_blocks(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks with the replacement in the first of them that is for the system.

    Behind it, and in the other blocks, stand the places that are always kept, with the glue and
    wrappers around them.
    """
    first = next((one for one in blocks if one.target == "system"), blocks[0])
    return tuple(
        replace(
            one,
            content=Group(
                (*((Place(REPLACEMENT),) if one is first else ()), *_kept(one.content)),
                one.content.join,
            ),
        )
        for one in blocks
    )


def _kept(item: Item) -> tuple[Item, ...]:
    """Return what is kept of an item: nothing, or the item with only what is always kept."""
    match item:
        case Place(always=True):
            return (item,)
        case Place():
            return _group(Group((), item.join), item.parts)
        case OneOf():
            if all(one.always for one in item.places):
                return (item,)
            return _group(Group(()), item.places)
        case Group():
            return _group(item, item.items)


def _group(around: Group, items: tuple[Item, ...]) -> tuple[Item, ...]:
    kept = tuple(one for item in items for one in _kept(item))
    return (replace(around, items=kept),) if kept else ()


def replaced_nodes(
    blocks: tuple[Block, ...], frames: Mapping[str, Wrap], text: Node
) -> Iterator[Node]:
    """Yield the node of the replacement, and those of the blocks that hold it and what is kept.

    Args:
        blocks: What `replaced_blocks` returned.
        frames: The wrapper that each frame's template makes, by the frame's name.
        text: The node of the replacement's text.
    """
    yield text
    for one in blocks:
        names = tuple(text_node(spot.section) for spot, _ in places_in(one.content))
        function: Any = block_function(block_node(one.name), names, Assembly(one.content, frames))
        yield Node(block_node(one.name), "block", function, names, "the order")
