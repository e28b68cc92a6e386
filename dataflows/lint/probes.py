"""Probes: a text signal gets a marker, and it is seen where that stands in the blocks."""

from collections import Counter
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
MAX_ATTEMPTS = 4
"""In how many made inputs a text is looked for in vain at most."""


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


def text_probes(study: Study) -> tuple[Probe, ...]:
    """Return a probe for each text signal of a session that shows in a block, once for its path.

    In the given and the richest inputs every text is tried; in the others those whose value can be
    seen in a block, which may be an accident and is then found out.
    """
    if "probes" not in study.kept:
        study.kept["probes"] = tuple(_text_probes(study))
    probes: tuple[Probe, ...] = study.kept["probes"]
    return probes


def _text_probes(study: Study) -> Iterator[Probe]:
    told: set[str] = set()
    attempts: Counter[str] = Counter()
    for tried in study.space.tried:
        shown_text = "\0".join(block.text for block in tried.prompt.blocks)
        thorough = tried.origin.startswith(("given", "every"))
        for spot in spots(study.flow.session_model, tried.signals):
            if spot.kind != "text" or spot.dotted in told or spot.path[0] == "tools":
                continue
            if not thorough:
                if not spot.value.strip() or spot.value not in shown_text:
                    continue
                if attempts[spot.dotted] == MAX_ATTEMPTS:
                    continue
                attempts[spot.dotted] += 1
            try:
                prompt = Probe(study, tried.signals, spot, ()).composed(MARKER)
            except (ValidationError, NodeError):
                continue  # a word is no value for it
            shown = tuple(_before(block.text) for block in prompt.blocks if MARKER in block.text)
            if shown:
                told.add(spot.dotted)
                yield Probe(study, tried.signals, spot, shown)


def _before(text: str) -> str:
    return text.partition(MARKER)[0]
