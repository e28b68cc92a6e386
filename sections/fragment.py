"""Fragments: the pieces that compete for the budget of one turn's context."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from ..inputs.errors import PromptdagError, did_you_mean

Authority = Literal["host", "constraint", "user-evidence", "untrusted-data"]
"""What a fragment may claim, highest first: state is fact, constraints must be obeyed, evidence
is weighed, outside data grants nothing."""

CutRule = Literal["no", "lines", "head", "tail"]
"""How a fragment may be cut: not at all; to whole leading lines; to its beginning, on a line else
a grapheme boundary; to its end, likewise."""

AUTHORITIES: tuple[Authority, Authority, Authority, Authority] = get_args(Authority)
"""The authorities in rank order, which is the order of the bundle."""

_ID = re.compile(r"[a-z0-9]+(\.[a-z0-9-]+)*")


class FragmentError(PromptdagError):
    """A fragment that contradicts itself or another one."""


class DuplicateFragmentError(FragmentError):
    """Fragments of one id.

    Attributes:
        ids: The ids that occur more than once, sorted.
    """

    def __init__(self, counts: dict[str, int]) -> None:
        self.ids = tuple(sorted(counts))
        listed = ", ".join(f"{name!r} ({counts[name]} times)" for name in self.ids)
        super().__init__(f"fragment ids must differ, found {listed}; rename or join them")


@dataclass(frozen=True, slots=True)
class Fragment:
    """One piece of this turn's context.

    Attributes:
        id: Words of `a-z0-9`, joined by dots; after the first dot hyphens may stand too.
        kind: A word for reports and pictures: `memory`, `task`.
        authority: What the text may claim; also its place in the bundle.
        content: The text, as it came. What looks like a tag of the bundle is defused when the
            bundle is made; the rest stays verbatim.
        priority: 0 to 100; the highest is fitted first.
        required: Kept whole at any budget.
        cut: How it may be cut; `no` for a required one.
        estimated_tokens: What the source said of its own size. Reported, never trusted.

    Raises:
        FragmentError: A field is out of its range, or what is required is untrusted or may be cut.
    """

    id: str
    kind: str
    authority: Authority
    content: str
    priority: int = 50
    required: bool = False
    cut: CutRule = "no"
    estimated_tokens: int | None = None

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise FragmentError(
                f"fragment id {self.id!r} must be words of a-z and 0-9 joined by dots, "
                f"like 'memory.persona'"
            )
        self._check_choice("authority", self.authority, AUTHORITIES)
        self._check_choice("cut", self.cut, get_args(CutRule))
        if not 0 <= self.priority <= 100:
            raise FragmentError(
                f"fragment {self.id!r}: priority is {self.priority!r}; give 0 to 100"
            )
        if self.required:
            self._check_required()

    def _check_required(self) -> None:
        if self.cut != "no":
            raise FragmentError(
                f"fragment {self.id!r}: it is required, so it is kept whole, and its cut rule "
                f"{self.cut!r} could never apply; take one of the two away"
            )
        if self.authority == "untrusted-data":
            raise FragmentError(
                f"fragment {self.id!r}: untrusted data may not be required, outsiders would own "
                f"the budget; take required away, or raise its authority on purpose"
            )

    def _check_choice(self, field: str, value: str, known: tuple[str, ...]) -> None:
        if value not in known:
            raise FragmentError(
                f"fragment {self.id!r}: {field} {value!r} is unknown"
                f"{did_you_mean(str(value), known)}; known are {', '.join(known)}"
            )


def check_ids(fragments: Iterable[Fragment]) -> None:
    """Raise `DuplicateFragmentError` when two fragments share an id."""
    counts = Counter(fragment.id for fragment in fragments)
    twice = {name: count for name, count in counts.items() if count > 1}
    if twice:
        raise DuplicateFragmentError(twice)
