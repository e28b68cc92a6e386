"""A review in plain sentences: what differs, for whom, and what it costs.

Names stand between backticks, for Markdown and for the page alike.
"""

from collections.abc import Iterable, Iterator, Sequence

from .change import DeclaredChange, FunctionChange, Review, ScenarioChange, Sign
from .declarations import TURN
from .flips import Flip
from .signs import effect_words
from .wording import word_pieces

_MAX_NAMES = 4
PER = 1_000
"""Costs are told of so many requests or sessions: that of one is a small fraction of a cent."""


def summary(review: Review) -> tuple[str, ...]:
    """Return the review in sentences, the most telling first."""
    if review.before is None:
        return tuple(_flow_sentences(review))
    if not review.changed:
        return (
            f"Nothing differs from `{review.before.label}`: declarations, code and the prompts of "
            f"all {len(review.scenarios)} scenarios are the same.",
        )
    return (
        *(line for one in review.gates for line in _gate_sentences(one, review)),
        *(line for one in review.functions if one.kind == "fact" for line in _fact_sentence(one)),
        *(line for one in review.sections for line in _section_sentences(one, review)),
        *_prompt_sentences(review),
        *_edge_sentence(review),
        *_cost_sentences(review),
    )


def _flow_sentences(review: Review) -> Iterator[str]:
    flow = review.after
    sections = [one for one in flow.sections if one.block != TURN]
    tiers = [one.tier for one in sections]
    yield (
        f"{_count(len(sections), 'section')} in {_count(len(flow.blocks), 'block')}: "
        f"{tiers.count('constant')} never change, {tiers.count('session')} are fixed in a session, "
        f"{tiers.count('turn')} may change every turn. "
        f"{_count(sum(one.kind == 'gate' for one in flow.functions), 'gate')} decide what appears, "
        f"{_count(len(flow.signals), 'signal')} feed them."
    )
    if beside := len(flow.sections) - len(sections):
        yield f"{_count(beside, 'fragment')} of turn context beside them, in no cached block."
    drifts = [f"`{one.dotted}`" for one in flow.signals if one.drifts]
    if drifts:
        yield f"The source of {_listed(drifts)} can move within a session."
    priced = [one for one in review.scenarios if one.after.cost is not None]
    if priced:
        most = max(priced, key=lambda one: one.after.tokens)
        cost = most.after.cost
        assert cost is not None
        yield (
            f"The longest prompt is `{most.name}` with {most.after.tokens:,} tokens: "
            f"{usd(cost.cold_usd)} for {PER:,} requests when cold, {usd(cost.warm_usd)} when warm "
            f"({cost.model})."
        )
    shown = {one.section for scenario in review.scenarios for one in scenario.after.sections}
    never = [f"`{one.name}`" for one in flow.sections if one.name not in shown]
    if never and review.scenarios:
        yield f"No scenario shows {_listed(never)}."


def _gate_sentences(change: FunctionChange, review: Review) -> Iterator[str]:
    name = f"Gate `{change.name}`"
    opened = _listed([f"`{one}`" for one in change.sections]) or "no section"
    if change.before is None:
        assert change.after is not None
        yield f"{name} is new and decides over {opened}: {_lower(change.after.words)}"
        return
    if change.after is None:
        yield f"{name} is gone; it decided over {opened}: {_lower(change.before.words)}"
        return
    for flip in change.flips:
        does = "now also opens" if flip.effect == "opens" else "no longer opens"
        yield f"{name} {does}{_when(flip)} {_effect(change, flip, review)}"
    if not change.flips:
        what = "words" if change.before.words != change.after.words else "code"
        yield (
            f"{name}: its {what} differ{'s' if what == 'code' else ''}; it opened the same in all "
            f"{review.tried} tried inputs."
        )


def _effect(change: FunctionChange, flip: Flip, review: Review) -> str:
    """Say what becomes of the sections that a gate reaches when it flips."""
    told = [
        f"`{name}` {effect_words(one.effect)} in {one.count}"
        for name in change.sections
        for one in review.flips.get(name, ())
    ]
    if told:
        return (
            f"Of what it reaches, {_listed(told)} of the tried inputs; a section may need more "
            "than this gate."
        )
    reached = _listed([f"`{one}`" for one in change.sections]) or "no section"
    return f"It reaches {reached}, and the prompt of every tried input stays the same there."


def _when(flip: Flip) -> str:
    seen = f"{flip.count} of {flip.tried} tried inputs, which are made and not your users'"
    return f" when {flip.words} ({seen})." if flip.conditions else f" in {seen}."


def _fact_sentence(change: FunctionChange) -> Iterator[str]:
    does = "is new" if change.before is None else "is gone" if change.after is None else "differs"
    reached = _listed([f"`{one}`" for one in change.sections])
    yield f"Fact `{change.name}` {does}" + (f"; it reaches {reached}." if reached else ".")


def _section_sentences(change: DeclaredChange, review: Review) -> Iterator[str]:
    name = f"Section `{change.name}`"
    if change.before is None or change.after is None:
        shown = change.after or change.before
        assert shown is not None
        gates = _listed([f"`{one}`" for one in shown.gates])
        opened = f", opened by {gates}" if gates else ", always open"
        state = "new" if change.before is None else "gone"
        yield f"{name} is {state} (block `{shown.block}`{opened})."
        return
    if "moved" in change.kinds:
        yield f"{name} moved: it stands {_stands(review, change.name)}."
    if "reworded" in change.kinds:
        gone, new = _word_counts(change.before.template, change.after.template)
        yield f"{name} is reworded: {_count(new, 'word')} in, {_count(gone, 'word')} out."
    if "gate" in change.kinds:
        both = [
            _listed([f"`{one}`" for one in side.gates]) or "nothing (always open)"
            for side in (change.before, change.after)
        ]
        yield f"{name} is opened by {both[1]}; it was {both[0]}."
    if "place" in change.kinds:
        places = [f"`{s.block}` ({s.target}, {s.cache})" for s in (change.before, change.after)]
        where = "" if places[0] == places[1] else f" from {places[0]} to {places[1]}"
        yield f"{name} changed its place{where}."


def _stands(review: Review, name: str) -> str:
    names = [one.name for one in review.after.sections]
    at = names.index(name)
    return f"behind `{names[at - 1]}`" if at else "first"


def _word_counts(before: str, after: str) -> tuple[int, int]:
    """Return how many words have gone, and how many are new."""
    counts = {"gone": 0, "new": 0}
    for piece in word_pieces(before, after):
        if piece.kind != "same":
            counts[piece.kind] += len(piece.text.split())
    return counts["gone"], counts["new"]


def _prompt_sentences(review: Review) -> Iterator[str]:
    """Say of each section in which scenarios it appears, disappears or reads otherwise."""
    compared = [one for one in review.scenarios if one.before is not None]
    told: dict[tuple[Sign, tuple[str, ...]], list[str]] = {}
    for sign in ("appears", "disappears", "reworded"):
        for name in review.rows:
            where = tuple(one.name for one in compared if one.cells[name].sign == sign)
            if where:
                told.setdefault((sign, where), []).append(f"`{name}`")
    words = {
        "appears": ("stands in the prompt", "stand in the prompt", " where it did not"),
        "disappears": ("is missing", "are missing", " where it stood"),
        "reworded": ("reads otherwise", "read otherwise", ""),
    }
    for (sign, where), names in told.items():
        one, many, rest = words[sign]
        rest = (
            rest
            if len(names) == 1
            else rest.replace("it did", "they did").replace("it stood", "they stood")
        )
        yield (
            f"{_listed(names)} {one if len(names) == 1 else many} in {len(where)} of "
            f"{len(compared)} scenarios{rest}: {_listed([f'`{one}`' for one in where])}."
        )


def _edge_sentence(review: Review) -> Iterator[str]:
    gained, lost = len(review.edges_gained), len(review.edges_lost)
    if gained or lost:
        yield f"Lineage: {_count(gained, 'edge')} gained, {_count(lost, 'edge')} lost."


def _cost_sentences(review: Review) -> Iterator[str]:
    changed = [one for one in review.scenarios if one.changed and one.first_byte is not None]
    if not changed:
        yield "The cached prefix is the same in every scenario: no cache is lost."
        return
    most = max(changed, key=lambda one: (one.rewritten_usd or 0, one.rewritten_tokens))
    tokens = _count(most.rewritten_tokens, "token")
    yield (
        f"The prefix differs in {len(changed)} of {len(review.scenarios)} scenarios. Most of them "
        f"in `{most.name}`: {tokens} from byte {most.first_byte:,} on "
        f"{'is' if most.rewritten_tokens == 1 else 'are'} written again{_once(most)}."
    )
    yield from _request_sentence(changed)


def _once(change: ScenarioChange) -> str:
    """Say what the first request after the change costs, in a phrase that ends a sentence."""
    if change.rewritten_usd is None or change.after.cost is None:
        return ""
    if not change.after.cost.cached_tokens:
        return "; no cache held them, since the prefix is too short or has no mark"
    billed = (
        f", billed as {change.billed_tokens:,} of what is cached"
        if change.billed_tokens != change.rewritten_tokens
        else ""
    )
    return (
        f"{billed}; once, {usd(change.rewritten_usd)} more than reading them, for {PER:,} sessions "
        f"that are under way"
    )


def _request_sentence(changed: Sequence[ScenarioChange]) -> Iterator[str]:
    """Say how the cost of a request moves, of the scenario where it moves most."""
    priced = [
        (one, was, now)
        for one in changed
        if (was := one.cost("before")) is not None and (now := one.cost("after")) is not None
    ]
    if not priced:
        return
    one, was, now = max(priced, key=lambda row: abs(row[2].cold_usd - row[1].cold_usd))
    yield (
        f"After that, {PER:,} requests in `{one.name}` cost {usd(now.cold_usd)} when cold (was "
        f"{usd(was.cold_usd)}) and {usd(now.warm_usd)} when warm (was {usd(was.warm_usd)}), "
        f"{now.model} at prices of {now.prices_date}."
    )


def usd(amount: float) -> str:
    """Return the cost of `PER` requests in words."""
    return f"${amount * PER:,.2f}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _listed(names: Iterable[str]) -> str:
    """Return names in a row, the later of many only counted."""
    names = list(names)
    if len(names) > _MAX_NAMES:
        names = [*names[: _MAX_NAMES - 1], f"{len(names) - _MAX_NAMES + 1} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]
