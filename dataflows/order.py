"""The order of a prompt as data: blocks, groups and places, with their joiners beside them.

Glue in front of a section (a join, a lead, an opening wrapper) belongs to that section; a closing
wrapper belongs to the section before it. What has no text emits no glue either.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..inputs.errors import OrderError
from ..sections.declare import Frame, Section

Target = Literal["system", "meta_user"]
CacheControl = dict[str, str] | None


@dataclass(frozen=True, slots=True)
class Wrap:
    """Text around others.

    Attributes:
        opening: The text in front.
        closing: The text behind.
        tag: The tag that the wrapper is made of; outside text cannot open or close it.
    """

    opening: str
    closing: str
    tag: str | None = None


def tag(name: str) -> Wrap:
    r"""Return the wrapper `<name>\n … \n</name>`."""
    return Wrap(f"<{name}>\n", f"\n</{name}>", name)


@dataclass(frozen=True, slots=True)
class Place:
    """Where one section stands.

    Attributes:
        section: The section.
        before: Text in front of it in place of the group's join or before; `None` keeps that.
        after: Text behind it in place of the group's after; `None` keeps that.
        wrap: What frames the section and its parts.
        cache: The cache hint, where it is not the block's.
        parts: Places nested in this one, open only while it is, listed under it.
        join: The text between the section and its parts.
        always: Whether it is kept, with its parts, by an override that replaces the whole prompt.
    """

    section: Section
    before: str | None = None
    after: str | None = None
    wrap: Wrap | Frame | None = None
    cache: str | None = None
    parts: tuple["Place", ...] = ()
    join: str = "\n"
    always: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Items joined to one text.

    Attributes:
        items: Places and groups in reading order.
        join: The text between two items that have text.
        before: Text in front of each item, in place of the join.
        after: Text behind each item.
        wraps: What frames the whole, from the inside out; nothing is framed when no item has text.
        lead: Text in front of this group, in place of the join of the group around it.
    """

    items: tuple["Item", ...]
    join: str = ""
    before: str | None = None
    after: str = ""
    wraps: tuple[Wrap | Frame, ...] = ()
    lead: str | None = None


@dataclass(frozen=True, slots=True)
class OneOf:
    """Places of which exactly one is open, whatever the signals; proven when a flow is built."""

    places: tuple[Place, ...]


Item = Place | Group | OneOf


@dataclass(frozen=True, slots=True)
class Block:
    """One wire block: a cache unit.

    Attributes:
        name: Names its nodes: `{name}_block` and `{name}_fingerprint`.
        content: What stands in it.
        target: `system`, or `meta_user` for a message of the harness in the user's role.
        cache: The cache hint of its sections.
        cache_control: The provider's cache mark, such as `{"type": "ephemeral"}`, or `None`.
    """

    name: str
    content: Group
    target: Target = "system"
    cache: str = "stable"
    cache_control: CacheControl = None


def place(
    section: Section,
    *parts: Section | Place,
    before: str | None = None,
    after: str | None = None,
    wrap: Wrap | Frame | None = None,
    cache: str | None = None,
    join: str = "\n",
    always: bool = False,
) -> Place:
    """Return the place of a section, with what its neighbours and its frame are like."""
    nested = tuple(one if isinstance(one, Place) else Place(one) for one in parts)
    return Place(section, before, after, wrap, cache, nested, join, always)


def group(
    *items: Section | Item,
    join: str = "",
    before: str | None = None,
    after: str = "",
    wrap: Wrap | Frame | tuple[Wrap | Frame, ...] = (),
    lead: str | None = None,
) -> Group:
    """Return items with the glue between them."""
    wraps = wrap if isinstance(wrap, tuple) else (wrap,)
    listed = tuple(Place(one) if isinstance(one, Section) else one for one in items)
    return Group(listed, join, before, after, wraps, lead)


def one_of(*places: Section | Place) -> OneOf:
    """Return alternatives: exactly one of them is open, whatever the signals."""
    return OneOf(tuple(one if isinstance(one, Place) else Place(one) for one in places))


def block(
    name: str,
    *items: Section | Item,
    join: str = "",
    lead: str = "",
    wrap: Wrap | Frame | tuple[Wrap | Frame, ...] = (),
    target: Target = "system",
    cache: str = "stable",
    cache_control: str | CacheControl = None,
) -> Block:
    """Return one wire block.

    Args:
        name: The block's name.
        items: Sections, places, groups and alternatives in reading order.
        join: The text between two of them.
        lead: Text in front of the whole, inside the block.
        wrap: What frames the whole, from the inside out.
        target: `system`, or `meta_user` for a message of the harness in the user's role.
        cache: The cache hint of the sections in it.
        cache_control: A cache mark; `"ephemeral"` is short for `{"type": "ephemeral"}`.

    Raises:
        OrderError: The name is no identifier.
    """
    if not name.isidentifier():
        raise OrderError(f"block {name!r}: its name makes nodes; use letters, digits and _")
    wraps = wrap if isinstance(wrap, tuple) else (wrap,)
    if lead:
        wraps = (*wraps, Wrap(lead, ""))
    mark = {"type": cache_control} if isinstance(cache_control, str) else cache_control
    return Block(name, group(*items, join=join, wrap=wraps), target, cache, mark)


class Position(NamedTuple):
    """Where a section stands in a flow, read from the top."""

    place: Place
    block: Block
    parent: Place | None


def positions(blocks: tuple[Block, ...]) -> Iterator[Position]:
    """Yield every place in reading order, parts behind the place that holds them."""
    for one in blocks:
        for spot, parent in places_in(one.content):
            yield Position(spot, one, parent)


def places_in(item: Item) -> Iterator[tuple[Place, Place | None]]:
    """Yield each place of an item in reading order, with the place that it is a part of."""
    match item:
        case Place():
            yield item, None
            for part in item.parts:
                for nested, parent in places_in(part):
                    yield nested, parent or item
        case Group():
            for one in item.items:
                yield from places_in(one)
        case OneOf():
            for one in item.places:
                yield from places_in(one)


def alternatives(blocks: tuple[Block, ...]) -> Iterator[OneOf]:
    """Yield every `one_of` of the order."""
    stack: list[Item] = [one.content for one in reversed(blocks)]
    while stack:
        item = stack.pop()
        if isinstance(item, OneOf):
            yield item
        elif isinstance(item, Group):
            stack.extend(reversed(item.items))


def wraps_of(blocks: tuple[Block, ...]) -> Iterator[Wrap | Frame]:
    """Yield every wrapper and frame of the order."""
    for one in blocks:
        yield from _wraps(one.content)


def _wraps(item: Item) -> Iterator[Wrap | Frame]:
    match item:
        case Place():
            if item.wrap is not None:
                yield item.wrap
            for part in item.parts:
                yield from _wraps(part)
        case Group():
            yield from item.wraps
            for one in item.items:
                yield from _wraps(one)
        case OneOf():
            for one in item.places:
                yield from _wraps(one)
