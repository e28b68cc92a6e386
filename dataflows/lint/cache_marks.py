"""Cache marks against the rules of the providers, with their minimum sizes.

Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching (seen 2026-08-21).
The providers' own pages and what users measured disagree in places, so messages say 'may'.
"""

from collections.abc import Iterator

from ...inputs.errors import UnknownNameError, did_you_mean
from ...inputs.signals import canonical_json, canonical_tools
from ..node_functions import block_node, text_node
from ..order import Block
from .cache_order import DRIFTS, STEP, volatility
from .finding import LintFinding
from .study import Study

MOST_MARKS = 4
LOOK_BACK = 20
"""How many positions a mark looks back at most, itself included."""
BREAK_EVEN = 0.217
"""The share of reads from which a 5-minute mark pays: (1.25 - 1) / (1.25 - 0.1)."""

MINIMUM_TOKENS: dict[str, int] = {
    "claude-opus-5": 512,
    "claude-fable-5": 512,
    "claude-mythos-5": 512,
    "claude-opus-4.8": 1024,
    "claude-opus-4.1": 1024,
    "claude-opus-4": 1024,
    "claude-sonnet-5": 1024,
    "claude-sonnet-4.6": 1024,
    "claude-sonnet-4.5": 1024,
    "claude-sonnet-4": 1024,
    "claude-opus-4.7": 2048,
    "claude-mythos-preview": 2048,
    "claude-haiku-3.5": 2048,
    "claude-opus-4.6": 4096,
    "claude-opus-4.5": 4096,
    "claude-haiku-4.5": 4096,
}
"""The fewest tokens of a prefix that is cached, by model; less is passed over in silence."""


def below_minimum(study: Study) -> Iterator[LintFinding]:
    """Yield the marks whose prefix of the richest prompt is shorter than a model's minimum.

    Raises:
        UnknownNameError: The model is not in the table.
    """
    if study.model is not None and study.model not in MINIMUM_TOKENS:
        hint = did_you_mean(study.model, MINIMUM_TOKENS) or f"; known are {_models(MINIMUM_TOKENS)}"
        raise UnknownNameError(f"no cache minimum is known for model {study.model!r}{hint}")
    asked = {m: n for m, n in MINIMUM_TOKENS.items() if study.model in (None, m)}
    total = study.tokens(_tools(study))
    for block in study.flow.blocks:
        total += study.tokens_of_rows(row for row in study.rows if row.block == block.name)
        short = {model: least for model, least in asked.items() if total < least}
        if not block.cache_control or not short:
            continue
        yield LintFinding(
            "PD020",
            "info" if study.model is None else "warning",
            block.name,
            f"block {block.name!r}, {study.space.richest.origin}",
            f"up to its mark there are about {total} tokens, less than the minimum of "
            + ", ".join(f"{model} ({least})" for model, least in short.items())
            + ": it may not be cached",
            "spend the mark elsewhere, or put more of the stable text in front of it",
        )


def _tools(study: Study) -> str:
    tools = canonical_tools(study.space.richest.prompt.session.signals.tools)
    return canonical_json(tools) if tools else ""


def _models(table: dict[str, int]) -> str:
    return ", ".join(sorted(table))


def mark_rules(study: Study) -> Iterator[LintFinding]:
    """Yield marks that are too many, out of order, on nothing, or on what changes."""
    marked = [block for block in study.flow.blocks if block.cache_control]
    yield from _too_many(study, marked)
    yield from _lifetimes(marked)
    yield from _on_empty(study, marked)
    yield from _on_varying_tail(study)


def _too_many(study: Study, marked: list[Block]) -> Iterator[LintFinding]:
    if len(marked) + study.caller_marks > MOST_MARKS:
        beside = f" and the caller's {study.caller_marks}" if study.caller_marks else ""
        yield LintFinding(
            "PD021",
            "error",
            marked[-1].name if marked else "caller",
            "the blocks",
            f"{len(marked)} marks{beside} are more than the {MOST_MARKS} that a request takes",
            "take the marks away that stand nearest to each other",
        )


def _lifetimes(marked: list[Block]) -> Iterator[LintFinding]:
    short = ""
    for block in marked:
        if (block.cache_control or {}).get("ttl", "5m") != "1h":
            short = short or block.name
        elif short:
            yield LintFinding(
                "PD022",
                "error",
                block.name,
                f"block {block.name!r}",
                f"its mark lives 1 hour and stands behind the 5 minutes of block {short!r}",
                "put the longer-lived marks first",
            )


def _on_empty(study: Study, marked: list[Block]) -> Iterator[LintFinding]:
    for block in marked:
        empty = [
            one
            for one in study.space.tried
            if not one.prompt.value(block_node(block.name)).text.strip()
        ]
        if empty:
            always = len(empty) == len(study.space.tried)
            yield LintFinding(
                "PD023",
                "error" if always else "warning",
                block.name,
                f"block {block.name!r}, input '{empty[0].origin}'",
                f"it has no text for {len(empty)} of {len(study.space.tried)} inputs, and its mark "
                "goes with it: what stands before is then without this mark",
                "mark the last block that always has text",
            )


def _on_varying_tail(study: Study) -> Iterator[LintFinding]:
    covered = False  # whether a mark stands since the last section that cannot move
    for block in study.flow.blocks:
        ranks = {
            p.place.section.name: volatility(study.flow.graph, text_node(p.place.section))
            for p in study.flow.positions
            if p.block is block
        }
        if not ranks:
            continue
        moving = [name for name, rank in ranks.items() if rank >= DRIFTS]
        if len(moving) < len(ranks):
            covered = False
        if block.cache_control and moving and not covered and len(moving) < len(ranks):
            yield _varying(block, moving)
        if block.cache_control and max(ranks.values()) == STEP:
            yield _never_read(block, [name for name, rank in ranks.items() if rank == STEP])
        covered = covered or bool(block.cache_control)


def _varying(block: Block, moving: list[str]) -> LintFinding:
    return LintFinding(
        "PD024",
        "warning",
        block.name,
        f"block {block.name!r}",
        f"its mark covers {', '.join(moving)}, which may move within a session, and no mark "
        "ends the part before that stays",
        "give what stays a block and a mark of its own",
    )


def _never_read(block: Block, sections: list[str]) -> LintFinding:
    return LintFinding(
        "PD026",
        "warning",
        block.name,
        f"block {block.name!r}",
        f"its mark is written anew at every step because of {', '.join(sections)}; writing pays "
        f"only when more than {BREAK_EVEN:.1%} of the requests read it",
        "move the mark in front of these sections",
    )


def far_from_mark(study: Study) -> Iterator[LintFinding]:
    """Yield the given inputs whose messages hold more unmarked positions than a mark looks back."""
    for tried in study.given:
        positions = 0
        for message in tried.prompt.messages:
            content = message.get("content")
            for part in content if isinstance(content, list) else [content]:
                positions += 1
                if isinstance(part, dict) and part.get("cache_control"):
                    positions = 0
        if positions > LOOK_BACK:
            yield LintFinding(
                "PD025",
                "warning",
                "messages",
                tried.origin,
                f"{positions} positions stand behind the last mark; a later mark looks back "
                f"{LOOK_BACK} at most and may miss what was cached",
                "set a mark in the messages at least every 20 positions",
            )
            return
