"""The order of cache lifetimes within a flow, checked when it is built.

Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

from collections.abc import Iterable

from ..inputs.errors import FlowError
from .order import Block

_SECONDS = {"5m": 300, "1h": 3600}
_DEFAULT = "5m"


class MarkOrderError(FlowError):
    """A block whose cache mark lives longer than that of a block in front of it.

    Attributes:
        block: The block with the longer life.
        seconds: How long its mark lives.
        shorter: The block in front of it.
        shorter_seconds: How long that one's mark lives.
    """

    def __init__(
        self, flow: str, block: str, seconds: int, shorter: str, shorter_seconds: int
    ) -> None:
        self.block, self.seconds = block, seconds
        self.shorter, self.shorter_seconds = shorter, shorter_seconds
        super().__init__(
            f"flow {flow!r}: block {block!r} is cached for {seconds} seconds behind block "
            f"{shorter!r} with {shorter_seconds}; providers want longer lifetimes first, so "
            f"move it forward or give both one ttl"
        )


def check_mark_order(flow: str, blocks: Iterable[Block]) -> None:
    """Check that no block of the system channel is cached for longer than one in front of it.

    Raises:
        MarkOrderError: One is, which providers refuse.
    """
    shortest: tuple[int, str] | None = None
    for block in blocks:
        if block.target != "system" or not block.cache_control:
            continue
        seconds = _SECONDS.get(block.cache_control.get("ttl", _DEFAULT))
        if seconds is None:
            continue  # a lifetime of another provider, which its wire judges
        if shortest is not None and seconds > shortest[0]:
            raise MarkOrderError(flow, block.name, seconds, shortest[1], shortest[0])
        shortest = min(shortest or (seconds, block.name), (seconds, block.name))
