"""Probes: a text signal gets a marker, and it is seen where that stands in the blocks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ...inputs.errors import NodeError
from ..prompt import Prompt
from .spots import Spot, spots, with_value
from .study import Study

MARKER = "qzmarkerqz"
"""A word that stands in no prose."""


@dataclass(frozen=True)
class Probe:
    """A text signal, and the input in which it is varied.

    Attributes:
        study: The study.
        signals: The input.
        spot: Where the text stands in it.
        before: For each place where it shows in a block: the block's text in front of it.
    """

    study: Study
    signals: Mapping[str, Any]
    spot: Spot
    before: tuple[str, ...]

    def composed(self, value: str) -> Prompt:
        """Return the prompt with another value there."""
        return self.study.flow.compose(with_value(self.signals, self.spot.path, value))


def text_probes(study: Study) -> Iterator[Probe]:
    """Yield a probe for each text signal of a session that shows in a block, once for its path."""
    told: set[str] = set()
    for tried in (*study.given, *study.space.tried):
        if tried.origin == "pairs of signals varied":
            continue
        for spot in spots(study.flow.session_model, tried.signals):
            if spot.kind != "text" or spot.dotted in told or spot.path[0] == "tools":
                continue
            probe = Probe(study, tried.signals, spot, ())
            try:
                prompt = probe.composed(MARKER)
            except (ValidationError, NodeError):
                continue  # a word is no value for it
            shown = tuple(_before(block.text) for block in prompt.blocks if MARKER in block.text)
            if shown:
                told.add(spot.dotted)
                yield Probe(study, tried.signals, spot, shown)


def _before(text: str) -> str:
    return text.partition(MARKER)[0]
