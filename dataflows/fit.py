"""The fit: which fragments of a turn stand in the bundle, whole or cut, within a token budget.

Fitting order: required fragments, then by falling priority, then as declared. Required ones are
kept whole. Of the others each is kept whole where that fits, else cut where it may be and a cut
fits, else dropped, and the next is tried. Bundle order: authority, falling priority, as declared.

Two laws, for any counter:

* Raise the budget, and the first fragment in fitting order whose kept length changes keeps more.
  What is left for a fragment depends on those before it alone, each costs what its own piece
  counts, and `cut.longest_cut` never answers more room with less text.
* The text counts at most the budget, or `over_budget` is set: it is set by a recount of the text.

The recount can exceed the sum of the pieces only for a counter by which a text counts more than
its parts, split after a newline and before `<`. For byte-pair encodings both are equal there
(`bundle_form`), for rounded-up estimates and for counters that add a frame to each text the sum
is higher: such a bundle uses a little less than it could, never more.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ..inputs.errors import PromptdagError
from ..inputs.tokens import TokenCounter, default_counter
from ..sections.fragment import AUTHORITIES, Fragment, check_ids
from .bundle_form import BundleForm
from .cut import Kept, longest_cut
from .fit_report import FitReport, Included, OmissionReason, Omitted

_PLAIN_FORM = BundleForm()


class BudgetError(PromptdagError):
    """A budget that is no number of tokens."""


class OverBudgetError(PromptdagError):
    """The required fragments alone exceed the budget.

    Attributes:
        ids: The required fragments, in fitting order.
        report: The whole report.
    """

    def __init__(self, report: FitReport) -> None:
        self.ids = report.over_budget_ids
        self.report = report
        cause = (
            f"required are {', '.join(map(repr, self.ids))}; raise the budget or shorten them"
            if self.ids
            else f"counter {report.counter_id!r} counts the text higher than its pieces; "
            f"use another one or a lower budget"
        )
        super().__init__(
            f"the bundle takes {report.used_tokens} tokens of a budget of "
            f"{report.budget_tokens}: {cause}"
        )


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the bundle's text.

    Attributes:
        fragment_id: Whose header, content and footer it is; `None` for the wrapper.
        text: Its bytes in the bundle.
    """

    fragment_id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """The fragments that fit, as text, and the report of what did not.

    Attributes:
        text: The wrapper with all pieces; empty when there is none.
        parts: In the order of the text; joined they are the text.
        report: What was kept, cut and dropped.
    """

    text: str
    parts: tuple[Part, ...]
    report: FitReport

    def _repr_html_(self) -> str:
        from .displays import bundle_html  # only in notebooks

        return bundle_html(self)


@dataclass(frozen=True, slots=True)
class _Piece:
    fragment: Fragment
    kept: Kept
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Measure:
    """Writes pieces, and counts each by itself."""

    form: BundleForm
    counter: TokenCounter
    min_cut_tokens: int

    def piece(self, fragment: Fragment, kept: Kept) -> _Piece:
        text = self.form.write(fragment, kept)
        tokens = self.counter.count(text)
        if not self.form.closing:
            # Should it come last, its final newline goes, and it may count differently.
            tokens = max(tokens, self.counter.count(text[:-1]))
        return _Piece(fragment, kept, text, tokens)

    def frame_tokens(self) -> int:
        # The newline that the closing starts with ends the last piece and is counted there.
        texts = (self.form.opening, self.form.closing[1:])
        return sum(self.counter.count(text) for text in texts if text)

    def cut_piece(self, fragment: Fragment, room: int) -> _Piece | None:
        if room < max(self.min_cut_tokens, 1):
            return None
        kept = longest_cut(
            fragment.content, fragment.cut, lambda kept: self.piece(fragment, kept).tokens <= room
        )
        return self.piece(fragment, kept) if kept else None


def fit(
    fragments: Iterable[Fragment],
    budget_tokens: int,
    *,
    counter: TokenCounter | None = None,
    form: BundleForm = _PLAIN_FORM,
    min_cut_tokens: int = 0,
    strict: bool = False,
) -> Bundle:
    """Return the bundle of the fragments that fit the budget; a pure function of its arguments.

    Time is linear in the characters of all fragments, but for sorting; each whole piece is counted
    once, and only what is cut is counted again, for O(log) cuts.

    Args:
        fragments: In the order of their declaration.
        budget_tokens: For the whole text: wrapper, headers, notices and footers included.
        counter: `default_counter()` when it is `None`.
        form: Wrapper and wording.
        min_cut_tokens: With less room than this nothing is cut.
        strict: Raise when the budget is exceeded, instead of saying so in the report.

    Raises:
        DuplicateFragmentError: Fragments share an id.
        BudgetError: The budget is negative.
        OverBudgetError: The budget is exceeded, and `strict` is set.
    """
    if budget_tokens < 0:
        raise BudgetError(f"budget_tokens is {budget_tokens}; give 0 or more")
    declared = tuple(fragments)
    check_ids(declared)
    measure = _Measure(form, counter or default_counter(), min_cut_tokens)
    pieces, omitted = _choose(declared, budget_tokens, measure)
    parts = _parts(_in_bundle_order(pieces, declared), form)
    text = "".join(part.text for part in parts)
    report = FitReport(
        counter_id=measure.counter.id,
        counter_exact=measure.counter.exact,
        budget_tokens=budget_tokens,
        used_tokens=measure.counter.count(text) if text else 0,
        frame_tokens=measure.frame_tokens() if text else 0,
        included=tuple(_included(piece) for piece in pieces),
        omitted=tuple(omitted),
    )
    if strict and report.over_budget:
        raise OverBudgetError(report)
    return Bundle(text, parts, report)


def _choose(
    declared: tuple[Fragment, ...], budget_tokens: int, measure: _Measure
) -> tuple[list[_Piece], list[Omitted]]:
    """Return what is kept and what is left out, both in fitting order."""
    pieces: list[_Piece] = []
    omitted: list[Omitted] = []
    room = budget_tokens - measure.frame_tokens()
    for fragment in sorted(declared, key=lambda one: (not one.required, -one.priority)):
        if not fragment.content.strip():
            omitted.append(_omitted(fragment, "empty", 0))
            continue
        whole = measure.piece(fragment, Kept(fragment.content, len(fragment.content)))
        fits = fragment.required or whole.tokens <= room
        piece = whole if fits else measure.cut_piece(fragment, room)
        if piece is None:
            omitted.append(_omitted(fragment, "budget", whole.tokens))
        else:
            pieces.append(piece)
            room -= piece.tokens
    return pieces, omitted


def _in_bundle_order(pieces: list[_Piece], declared: tuple[Fragment, ...]) -> list[_Piece]:
    places = {fragment.id: place for place, fragment in enumerate(declared)}

    def key(piece: _Piece) -> tuple[int, int, int]:
        one = piece.fragment
        return AUTHORITIES.index(one.authority), -one.priority, places[one.id]

    return sorted(pieces, key=key)


def _parts(pieces: list[_Piece], form: BundleForm) -> tuple[Part, ...]:
    if not pieces:
        return ()
    parts = [Part(piece.fragment.id, piece.text) for piece in pieces]
    # The closing has this newline, if it is there at all.
    parts[-1] = Part(parts[-1].fragment_id, parts[-1].text[:-1])
    framed = (Part(None, form.opening), *parts, Part(None, form.closing))
    return tuple(part for part in framed if part.text)


def _included(piece: _Piece) -> Included:
    fragment = piece.fragment
    return Included(
        id=fragment.id,
        kind=fragment.kind,
        authority=fragment.authority,
        priority=fragment.priority,
        required=fragment.required,
        estimated_tokens=fragment.estimated_tokens,
        tokens=piece.tokens,
        cut=piece.kept.rule != "no",
        kept_chars=piece.kept.chars,
        total_chars=len(fragment.content),
    )


def _omitted(fragment: Fragment, reason: OmissionReason, tokens: int) -> Omitted:
    return Omitted(
        id=fragment.id,
        kind=fragment.kind,
        authority=fragment.authority,
        priority=fragment.priority,
        required=fragment.required,
        estimated_tokens=fragment.estimated_tokens,
        reason=reason,
        tokens=tokens,
        total_chars=len(fragment.content),
    )
