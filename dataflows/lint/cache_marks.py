"""Cache marks against the rules of the providers, with their minimum sizes.

Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching (seen 2026-08-21).
The providers' own pages and what users measured disagree in places, so messages say 'may'.
"""

from collections.abc import Iterator, Mapping

from ..cache_arithmetic import break_even_hit_rate
from ..node_functions import block_node, text_node
from ..order import Block
from ..placed import tools_text
from ..providers import ModelRow
from .cache_order import DRIFTS, STEP, volatility
from .finding import LintFinding
from .study import Study

MARKS_OF = "anthropic"
"""The provider whose marks a flow's blocks carry."""


def below_minimum(study: Study) -> Iterator[LintFinding]:
    """Yield the marks whose prefix of the richest prompt is shorter than a model's minimum.

    Without a model it is compared with all of the provider that reads these marks.

    Raises:
        UnknownNameError: The model is not in the table.
    """
    asked = (
        {name: row.min_cache_tokens for name, row in study.table.models.items() if _marks(row)}
        if study.model is None
        else {study.model: study.table.model(study.model).min_cache_tokens}
    )
    total = study.tokens(tools_text(study.space.richest.prompt))
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
            + _models(short)
            + ": it may not be cached",
            "spend the mark elsewhere, or put more of the stable text in front of it",
        )


def _marks(row: ModelRow) -> bool:
    return row.provider == MARKS_OF


def _models(short: Mapping[str, int]) -> str:
    """Return the models by their minimum, the smallest first."""
    return "; ".join(
        f"{least} of {_few([name for name, one in short.items() if one == least], most=2)}"
        for least in sorted(set(short.values()))
    )


def mark_rules(study: Study) -> Iterator[LintFinding]:
    """Yield marks that are too many, out of order, on nothing, or on what changes."""
    marked = [block for block in study.flow.blocks if block.cache_control]
    yield from _too_many(study, marked)
    yield from _on_empty(study, marked)
    yield from _on_varying_tail(study)


def _too_many(study: Study, marked: list[Block]) -> Iterator[LintFinding]:
    most = study.table.providers[MARKS_OF].max_marks
    if len(marked) + study.caller_marks > most:
        beside = f" and the caller's {study.caller_marks}" if study.caller_marks else ""
        yield LintFinding(
            "PD021",
            "error",
            marked[-1].name if marked else "caller",
            "the blocks",
            f"{len(marked)} marks{beside} are more than the {most} that a request takes",
            "take the marks away that stand nearest to each other",
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
            yield _never_read(study, block, [name for name, rank in ranks.items() if rank == STEP])
        covered = covered or bool(block.cache_control)


def _varying(block: Block, moving: list[str]) -> LintFinding:
    return LintFinding(
        "PD024",
        "warning",
        block.name,
        f"block {block.name!r}",
        f"its mark covers {_few(moving)}, which may move within a session, and no mark ends the "
        "part before that stays",
        "give what stays a block and a mark of its own",
    )


def _few(names: list[str], most: int = 4) -> str:
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def _never_read(study: Study, block: Block, sections: list[str]) -> LintFinding:
    rules = study.table.providers[MARKS_OF]
    write = rules.lifetimes[rules.default_lifetime].write_factor
    share = break_even_hit_rate(write, rules.read_factor) or 0.0
    return LintFinding(
        "PD026",
        "warning",
        block.name,
        f"block {block.name!r}",
        f"its mark is written anew at every step because of {', '.join(sections)}; writing pays "
        f"only when more than {share:.1%} of the requests read it",
        "move the mark in front of these sections",
    )


def far_from_mark(study: Study) -> Iterator[LintFinding]:
    """Yield the given inputs whose messages hold more unmarked positions than a mark looks back."""
    look_back = study.table.providers[MARKS_OF].lookback_positions
    for tried in study.given:
        positions = 0
        for message in tried.prompt.messages:
            content = message.get("content")
            for part in content if isinstance(content, list) else [content]:
                positions += 1
                if isinstance(part, dict) and part.get("cache_control"):
                    positions = 0
        if positions > look_back:
            yield LintFinding(
                "PD025",
                "warning",
                "messages",
                tried.origin,
                f"{positions} positions stand behind the last mark; a later mark looks back "
                f"{look_back} at most and may miss what was cached",
                f"set a mark in the messages at least every {look_back} positions",
            )
            return
