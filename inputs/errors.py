"""The errors that promptdag raises on purpose.

::

    PromptdagError
    ├── FlowError            a flow that cannot be built
    │   ├── TurnLeakError    a path from a turn signal to a block
    │   ├── CycleError       nodes that need each other
    │   ├── NameClashError   two nodes, or a signal and a node, of one name
    │   ├── OrderError       a section that stands nowhere, or twice
    │   ├── GateError        a gate that does not return bool, or does not say when it opens
    │   ├── MissingNodeError a parameter that names no signal, fact or gate
    │   ├── TemplateError    a template that does not fit its section
    │   └── PackError        a text pack that overrides what does not exist
    ├── NodeError            a node that failed while a prompt was composed
    ├── UnknownNameError     a flow, node or section that does not exist
    └── ReadError            a folder or file that cannot be read at all

Wrong signals are not in this tree: they are one `pydantic.ValidationError` that lists them all.
Each message says where, what was found, and what to do.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class PromptdagError(Exception):
    """The base of every error that promptdag raises on purpose."""


class FlowError(PromptdagError):
    """A flow that cannot be built."""


class TurnLeakError(FlowError):
    """A turn signal reaches a block of the cached prefix.

    Attributes:
        field: The turn signal.
        path: Node names from the signal to the block, both ends included.
        block: The name of the block.
    """

    def __init__(self, flow: str, path: tuple[str, ...], block: str) -> None:
        self.field = path[0]
        self.path = path
        self.block = block
        super().__init__(
            f"flow {flow!r}: turn signal {self.field!r} reaches block {block!r} "
            f"by the path {' -> '.join(path)}; make it a session signal, "
            f"or move what uses it to the turn side"
        )


class CycleError(FlowError):
    """Nodes that need each other.

    Attributes:
        path: The names along the cycle; the first is repeated at the end.
    """

    def __init__(self, flow: str, path: tuple[str, ...]) -> None:
        self.path = path
        super().__init__(
            f"flow {flow!r}: the nodes {' -> '.join(path)} form a cycle; "
            f"take one of these parameters away"
        )


class NameClashError(FlowError):
    """Two nodes of one name, or a signal that is named like a node."""


class OrderError(FlowError):
    """A section that stands nowhere in the order, or in more than one place."""


class GateError(FlowError):
    """A gate that does not return bool, or whose docstring does not say when it opens."""


class MissingNodeError(FlowError):
    """A parameter that names no signal, fact or gate."""


class TemplateError(FlowError):
    """A template that does not fit its section."""


class PackError(FlowError):
    """A text pack that overrides a slot or a section that does not exist."""


class NodeError(PromptdagError):
    """A node failed while a prompt was composed.

    The message holds no signal values, so it is safe to log; the cause is chained.

    Attributes:
        node: The name of the node that failed.
    """

    def __init__(self, flow: str, node: str, cause: BaseException) -> None:
        self.node = node
        super().__init__(
            f"flow {flow!r}, node {node!r}: {type(cause).__name__} was raised; "
            f"its cause is chained to this error"
        )


class UnknownNameError(PromptdagError):
    """A flow, node or section that does not exist."""


class ReadError(PromptdagError):
    """A folder or file that cannot be read at all."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest known name, or an empty string."""
    near = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
