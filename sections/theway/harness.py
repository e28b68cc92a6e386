"""Who the agent is, and the rules of the harness that it runs in."""

from ..declare import gate, section


@gate
def custom_intro(harness_intro: str | None) -> bool:
    """Open when the host gives an intro of its own, an empty one included."""
    return harness_intro is not None


@section
def harness(custom_intro: bool, harness_intro: str | None) -> None:
    """Identity, session graph, exploration, orchestration and rules of behaviour."""
