"""What a wire returns, and how a prompt's parts are read for it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...inputs.findings import Finding
from ..node_functions import block_node
from ..transient import BUNDLE

if TYPE_CHECKING:
    from ..flow import PromptFlow
    from ..prompt import Prompt, PromptBlock


class Wire(dict[str, Any]):
    """The arguments of a request, to be passed as `client.….create(model=…, **wire)`.

    It is a plain dict of plain data, with what could not be said beside it.

    Attributes:
        provider: Whose format it is.
        findings: What was left out, moved or said in another way, in the order of the wire;
            empty when the request says all that the prompt says.
        marks: The blocks that carry a cache mark of ours.
    """

    def __init__(
        self,
        body: Mapping[str, Any],
        provider: str,
        findings: Iterable[Finding] = (),
        marks: Iterable[str] = (),
    ) -> None:
        super().__init__(body)
        self.provider = provider
        self.findings = tuple(findings)
        self.marks = tuple(marks)


def system_blocks(prompt: "Prompt") -> list["PromptBlock"]:
    """Return the blocks of the system channel that have more than white space."""
    return [one for one in prompt.blocks if one.target == "system" and one.text.strip()]


def unsent(prompt: "Prompt", provider: str) -> Iterator[Finding]:
    """Yield what a prompt holds and no wire sends: blank blocks, and what no message takes up."""
    flow = prompt.session.flow
    taken = _taken(flow)
    for block in prompt.blocks:
        if block.target == "system" and not block.text.strip():
            yield Finding(
                f"blank-block:{block.name}",
                f"block {block.name!r} is white space alone, which providers refuse; it is left "
                f"out of the request",
                path=provider,
            )
        elif block.target == "meta_user" and block_node(block.name) not in taken:
            yield Finding(
                f"unsent-block:{block.name}",
                f"block {block.name!r} stands in the user's role and no message holds it; name "
                f"{block_node(block.name)} as a parameter of the flow's messages",
                path=provider,
                severity="error",
            )
    if flow.transient is not None and BUNDLE not in taken:
        yield Finding(
            "unsent-bundle",
            f"the turn context is fitted and no message holds it; name {BUNDLE!r} as a parameter "
            f"of the flow's messages",
            path=provider,
            severity="error",
        )


def _taken(flow: "PromptFlow") -> frozenset[str]:
    """Return every node that the flow's messages are made from."""
    if flow.messages_node is None:
        return frozenset()
    return frozenset(flow.graph.upstream[flow.messages_node])


def content_blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the content of a message in Anthropic's form as a list of blocks."""
    content = message["content"]
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [dict(one) for one in content]


def copied(value: Any) -> Any:
    """Copy JSON data: a host writes into its request, and a prompt must not change with it."""
    match value:
        case dict():
            return {key: copied(one) for key, one in value.items()}
        case list() | tuple():
            return [copied(one) for one in value]
    return value


def lost(provider: str, place: str, what: str, why: str, severity: Any = "warning") -> Finding:
    """Return the finding for something that a wire cannot say.

    Args:
        provider: Whose format it is.
        place: Where it stands in the prompt, such as `messages[2]`.
        what: The kind of thing: the subject of the code.
        why: What was done about it, as the rest of a sentence that begins with the place.
        severity: `error` where it is left out.
    """
    return Finding(f"not-expressed:{what}", f"{place}: {why}", path=provider, severity=severity)
