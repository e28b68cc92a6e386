"""The report of a fit: where the budget went, as objects, a table, text bars or a figure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..sections.fragment import Authority

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

OmissionReason = Literal["empty", "budget"]
"""Why a fragment is not in the bundle: its content is blank, or neither it nor a cut fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    id: str
    kind: str
    authority: Authority
    priority: int
    required: bool
    estimated_tokens: int | None
    tokens: int
    total_chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Included(_Entry):
    """A fragment that stands in the bundle.

    Attributes:
        id, kind, authority, priority, required: As the fragment has them.
        estimated_tokens: What its source said, for comparison; never used.
        tokens: What its piece counts by itself, header, wrapper, notice and footer included.
        total_chars: Length of its content.
        kept_chars: How many of these stand in the bundle.
        cut: Whether it was cut.
    """

    cut: bool
    kept_chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted(_Entry):
    """A fragment that does not stand in the bundle.

    Attributes:
        id, kind, authority, priority, required: As the fragment has them.
        estimated_tokens: What its source said, for comparison; never used.
        tokens: What its whole piece would have counted; 0 when it is empty.
        total_chars: Length of its content.
        reason: Why.
    """

    reason: OmissionReason


Entry: TypeAlias = Included | Omitted

_COLUMNS = {
    "id": "string",
    "kind": "string",
    "authority": "string",
    "priority": "int64",
    "required": "bool",
    "outcome": "string",
    "tokens": "int64",
    "estimated_tokens": "Int64",
    "kept_chars": "int64",
    "total_chars": "int64",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FitReport:
    """What a fit kept, cut and dropped.

    Attributes:
        counter_id: What counted, with its version.
        counter_exact: False when all counts here are estimates.
        budget_tokens: What was allowed.
        used_tokens: A count of the whole text of the bundle. It may be less than the sum of the
            pieces and the frame, for counters that round up.
        frame_tokens: The part of the wrapper around all fragments.
        included: In fitting order.
        omitted: In fitting order.
    """

    counter_id: str
    counter_exact: bool
    budget_tokens: int
    used_tokens: int
    frame_tokens: int
    included: tuple[Included, ...]
    omitted: tuple[Omitted, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The included, then the omitted."""
        return (*self.included, *self.omitted)

    @property
    def over_budget(self) -> bool:
        """Whether the text counts more than the budget."""
        return self.used_tokens > self.budget_tokens

    @property
    def over_budget_ids(self) -> tuple[str, ...]:
        """The required fragments, when they alone exceed the budget; else empty."""
        required = [entry for entry in self.included if entry.required]
        needed = self.frame_tokens + sum(entry.tokens for entry in required)
        if not self.over_budget or needed <= self.budget_tokens:
            return ()
        return tuple(entry.id for entry in required)

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnostics under minimal-agent's keys; ready for JSON."""
        return {
            "budgetTokens": self.budget_tokens,
            "usedTokens": self.used_tokens,
            "overBudget": self.over_budget,
            "included": [
                {"id": entry.id, "tokens": entry.tokens, "clipped": entry.cut}
                for entry in self.included
            ],
            "omitted": [
                {"id": entry.id, "reason": entry.reason, "tokens": entry.tokens}
                for entry in self.omitted
            ],
        }

    def to_frame(self) -> "pandas.DataFrame":
        """Return one row a fragment, in fitting order, those kept first.

        | column | dtype | what |
        |---|---|---|
        | `id`, `kind`, `authority` | string | as the fragment has them |
        | `priority` | int64 | 0 to 100 |
        | `required` | bool | |
        | `outcome` | string | `whole`, `cut`, `empty` or `budget` (dropped: did not fit) |
        | `tokens` | int64 | of its piece; of the whole piece where it was dropped |
        | `estimated_tokens` | Int64 | what the source said, or `<NA>` |
        | `kept_chars` | int64 | 0 when dropped |
        | `total_chars` | int64 | of the content |
        """
        import pandas

        rows = [{name: _cell(entry, name) for name in _COLUMNS} for entry in self.entries]
        return pandas.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)

    def bars(self, width: int = 80) -> str:
        """Return a line for the budget and one a fragment, none longer than `width` columns.

        A bar's length is in proportion to the budget, or to what is used where that is more.
        Included fragments have full blocks, dropped ones light ones; an id too long is shortened.

        Args:
            width: Columns of the terminal, at least 40.
        """
        width = max(width, 40)
        notes = [_note(entry) for entry in self.entries]
        id_width = min(max((len(entry.id) for entry in self.entries), default=0), width // 3)
        note_width = min(max(map(len, notes), default=0), width // 3)
        bar_width = width - id_width - note_width - 2
        scale = max(self.budget_tokens, self.used_tokens, 1)
        lines = [_shortened(self._headline(), width)]
        for entry, note in zip(self.entries, notes, strict=True):
            name = _shortened(entry.id, id_width).ljust(id_width)
            length = min(-(-entry.tokens * bar_width // scale), bar_width)
            bar = ("█" if isinstance(entry, Included) else "░") * length
            lines.append(f"{name} {bar.ljust(bar_width)} {_shortened(note, note_width)}".rstrip())
        return "\n".join(lines)

    def plot(self) -> "Figure":
        """Return a matplotlib figure: one bar a fragment, and the budget as a line.

        Raises:
            MissingLibraryError: matplotlib is not installed.
        """
        from .figures import blank_figure

        height = 1.5 + 0.3 * len(self.entries)
        figure = blank_figure("FitReport.plot()", ".bars() or .to_frame()", 8, height)
        axes = figure.subplots()
        left = self.frame_tokens
        for place, entry in enumerate(self.entries):
            kept = isinstance(entry, Included)
            colour = "tab:blue" if kept else "lightgrey"
            axes.barh(place, entry.tokens, left=left, color=colour)
            left += entry.tokens if kept else 0
        axes.set_yticks(
            range(len(self.entries)), [f"{one.id}: {_note(one)}" for one in self.entries]
        )
        axes.invert_yaxis()
        axes.axvline(self.budget_tokens, color="tab:red", label="budget")
        axes.set_xlabel(f"tokens ({self.counter_id})")
        axes.set_title(self._headline())
        return figure

    def _headline(self) -> str:
        over = " OVER BUDGET" if self.over_budget else ""
        sign = "" if self.counter_exact else "about "
        return (
            f"{sign}{self.used_tokens} of {self.budget_tokens} tokens{over}, "
            f"frame {self.frame_tokens} ({self.counter_id})"
        )


def _cell(entry: Entry, column: str) -> object:
    if column == "outcome":
        if isinstance(entry, Omitted):
            return entry.reason
        return "cut" if entry.cut else "whole"
    if column == "kept_chars" and isinstance(entry, Omitted):
        return 0
    return getattr(entry, column)


def _note(entry: Entry) -> str:
    if isinstance(entry, Omitted):
        return "empty" if entry.reason == "empty" else f"{entry.tokens} dropped"
    cut = f" cut {entry.kept_chars}/{entry.total_chars}" if entry.cut else ""
    return f"{entry.tokens}{cut}"


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
