"""How the fit grows with the fragments, beside a search that writes the whole prompt each step.

Run `python tests/benchmarks/bench_fit.py`. The naive search is our own small version of what
priompt does: it looks by bisection for the lowest priority that still fits, and at every step
writes and counts the whole prompt. It cuts nothing and keeps or drops whole levels, so it does
less than the fit. `again` is the next turn with one fragment changed and the counts remembered.
"""

import gc
import sys
import time
from collections.abc import Callable

from promptdag.dataflows.bundle_form import BundleForm
from promptdag.dataflows.cut import Kept
from promptdag.dataflows.fit import fit
from promptdag.inputs.tokens import CachedCounter, TokenCounter, exact_counter
from promptdag.sections.fragment import AUTHORITIES, Fragment

FORM = BundleForm(opening="<system-reminder>\n", closing="\n</system-reminder>")
SIZES = (100, 1_000, 10_000)
ROUNDS = 5


def fragments(size: int, turn: int = 0) -> list[Fragment]:
    """Fragments of about 90 tokens, every other one can be cut; the last names the turn."""
    return [
        Fragment(
            id=f"part.{number}",
            kind="part",
            authority=AUTHORITIES[number % 4],
            content=f"Part {number}, turn {turn if number == size - 1 else 0}.\n"
            + "A line of text that says what this part is about.\n" * 6,
            priority=number * 7919 % 101,
            cut="lines" if number % 2 else "no",
        )
        for number in range(size)
    ]


def write_all(chosen: list[Fragment]) -> str:
    """Write the whole prompt."""
    pieces = [FORM.write(one, Kept(one.content, len(one.content))) for one in chosen]
    return FORM.opening + "".join(pieces)[:-1] + FORM.closing


def bisect_by_rendering(parts: list[Fragment], budget: int, counter: TokenCounter) -> str:
    """Return the prompt of the most priority levels that fit, each candidate written whole."""
    levels = sorted({one.priority for one in parts}, reverse=True)
    low, high, best = 0, len(levels), ""
    while low < high:
        middle = (low + high + 1) // 2
        text = write_all([one for one in parts if one.priority >= levels[middle - 1]])
        if counter.count(text) <= budget:
            low, best = middle, text
        else:
            high = middle - 1
    return best


def add_by_rendering(parts: list[Fragment], budget: int, counter: TokenCounter) -> str:
    """Return what the fit returns but for cuts: add one by one, each candidate written whole."""
    chosen: list[Fragment] = []
    for one in sorted(parts, key=lambda part: -part.priority):
        if counter.count(write_all([*chosen, one])) <= budget:
            chosen.append(one)
    return write_all(chosen)


def seconds(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the best of some runs, in processor time: other processes do not count."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def again_seconds(size: int, budget: int) -> float:
    """Time the next turn: one fragment changed, the other counts remembered."""
    counter = CachedCounter(exact_counter(), max_entries=4 * SIZES[-1])
    turns = iter([fragments(size, turn) for turn in range(ROUNDS + 1)])
    fit(next(turns), budget, counter=counter, form=FORM, min_cut_tokens=64)
    return seconds(lambda: fit(next(turns), budget, counter=counter, form=FORM, min_cut_tokens=64))


def main() -> None:
    """Print a line for each size."""
    counter = exact_counter()
    print(f"{counter.id}, best of {ROUNDS}, processor milliseconds; budget: half of all")
    print("fragments      fit   growth  per part    again   bisect  /fit   add one by one  /fit")
    before = None
    for size in SIZES:
        parts = fragments(size)
        budget = counter.count(write_all(parts)) // 2
        ours = seconds(
            lambda p=parts, b=budget: fit(p, b, counter=counter, form=FORM, min_cut_tokens=64)
        )
        naive = seconds(lambda p=parts, b=budget: bisect_by_rendering(p, b, counter))
        line = f"{size:9} {ours * 1e3:8.2f} {f'x{ours / before:.1f}' if before else '':>8} "
        line += f"{ours / size * 1e6:7.1f}us {again_seconds(size, budget) * 1e3:8.2f} "
        line += f"{naive * 1e3:8.2f} {naive / ours:5.1f}"
        if size <= 1_000:
            one_by_one = seconds(lambda p=parts, b=budget: add_by_rendering(p, b, counter), 1)
            line += f" {one_by_one * 1e3:16.1f} {one_by_one / ours:5.0f}"
        print(line, flush=True)
        before = ours


if __name__ == "__main__":
    sys.exit(main())
