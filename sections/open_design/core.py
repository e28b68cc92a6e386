"""The core: discovery, directions, frames and the charter."""

from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from ..declare import fact, gate, section


class Palette(NamedTuple):
    """Colours as CSS takes them."""

    bg: str
    surface: str
    fg: str
    muted: str
    border: str
    accent: str


class Direction(NamedTuple):
    """One visual direction.

    Attributes:
        id: Its stable name.
        label: Its name for people.
        mood: One sentence.
        references: What it is like, each by a few words.
        palette: Its colours.
        display_font: The stack for headings.
        body_font: The stack for text.
        mono_font: The stack for code, as the list of none or one.
        posture: Rules of composition, one line each.
    """

    id: str
    label: str
    mood: str
    references: tuple[str, ...]
    palette: Palette
    display_font: str
    body_font: str
    mono_font: tuple[str, ...]
    posture: tuple[str, ...]

    @property
    def likeness(self) -> str:
        """What it is like, in one line."""
        return ", ".join(self.references)

    @property
    def css(self) -> str:
        """The custom properties: colours, a blank line, fonts."""
        colours = [f"--{name}: {value};" for name, value in self.palette._asdict().items()]
        stacks = {"display": self.display_font, "body": self.body_font}
        fonts = [f"--font-{use}: {stack};" for use, stack in stacks.items()]
        fonts += [f"--font-mono: {stack};" for stack in self.mono_font]
        return "\n".join((*colours, "", *fonts))


DIRECTIONS: tuple[Direction, ...] = TypeAdapter(tuple[Direction, ...]).validate_json(
    Path(__file__).with_name("directions.json").read_bytes()
)


@gate
def may_discover(early_media: bool) -> bool:
    """Open when neither the kind nor the skill's own mode is image, video or audio.

    Under consistent gates: when the exclusive surface is none of these.
    """
    return not early_media


@section(gate=may_discover)
def discovery(host_initials: str, writes_files: bool) -> None:
    """The core directives: when to ask, how to bind a brand, how to plan, build and check."""


@gate
def needs_direction(has_design_system: bool) -> bool:
    """Open when there is no active design system."""
    return not has_design_system


@fact
def directions() -> tuple[Direction, ...]:
    """The five visual directions."""
    return DIRECTIONS


@section(gate=(may_discover, needs_direction))
def direction_library(directions: tuple[Direction, ...]) -> None:
    """The directions to offer, each with palette, fonts and posture."""


@gate
def has_many_screens(
    metadata_platform: str | None, metadata_platform_targets: tuple[str, ...] | None
) -> bool:
    """Open when platform or a target is `responsive`, or there is more than one target."""
    targets = metadata_platform_targets or ()
    return "responsive" in (metadata_platform, *targets) or len(targets) > 1


@section(gate=(may_discover, has_many_screens))
def shared_frames() -> None:
    """Device frames to show screens in."""


@section
def identity_charter(host_product: str, writes_files: bool) -> None:
    """Who the agent is and how it works; where work goes follows from the profile."""
