"""How the time to scan a text for question forms grows with its length.

Run it as a script: `python tests/benchmarks/bench_question_forms.py [PIECE...]`; it takes some
minutes. Each row is a text that was made to be hard, scanned whole and in pieces of 1, 7 and 4,096
characters; `growth` is the time for two million characters over that for half a million, where 4
is linear and 16 quadratic. Times are those of the processor, the least of some rounds, with the
collector of garbage off, so that what else the machine does hardly counts. Exits 1 where a row
grows more than half as much again as linear.
"""

import gc
import sys
from time import process_time

from promptdag.dataflows.question_forms import FormDetector

SMALL, LARGE = 500_000, 2_000_000
LINEAR = LARGE / SMALL
PIECES = (LARGE, 4096, 7, 1)
ROUNDS_SECONDS = 2
TOO_SHORT_SECONDS = 0.02
"""Of shorter times the growth is noise."""

BODY = '{"questions":[{}]}'
TEXTS = {
    "runs of <": "<",
    "unclosed tags": "<question-form>",
    "unclosed JSON": "<question-form>{",
    "unclosed strings": '<question-form>{"',
    "unclosed attributes": '<question-form a="',
    "mixed quotes": '<question-form a=\'<question-form a="<question-form>{"',
    "escaped quotes": '<question-form>{"\\"\\"',
    "closing tags alone": "</question-form>",
    "bodies without questions": '<question-form>{"questions":[1]}</question-form>',
    "other alias closes": '<question-form>{"questions":[{}]}</ask-question>',
    "forms": '<question-form id="a">{"questions":[{}]}</question-form>',
    "long names of attributes": f"<question-form {'a' * 4000}>{BODY}</question-form>",
    "attributes without values": f"<question-form {'a=' * 2000}>{BODY}</question-form>",
    "long bodies": f'<question-form>{{"questions":[{"[]," * 80_000}{{}}]}}</question-form>',
    "deep bodies": f'<question-form>{{"a":{"[" * 100_000}</question-form>',
    "fences in bodies": "<question-form>```json{``` ``` ```</question-form>",
    "fences": "```\n",
    "nested fences": "````\n~~~\n```json\n<question-form>{\n",
    "backticks": "`",
    "blank lines": "\n",
    "ordinary prose": "A line of ordinary words, with a <b>tag</b> and `code`.\n",
}


def seconds(text: str, piece: int) -> float:
    """Return how much processor time a scan of a text in pieces takes."""
    detector = FormDetector()
    start = process_time()
    for place in range(0, len(text), piece):
        detector.feed(text[place : place + piece])
    detector.finish()
    return process_time() - start


def least_seconds(unit: str, size: int, piece: int) -> float:
    """Return the least time of as many rounds as two seconds hold, one at least."""
    text = (unit * (size // len(unit) + 1))[:size]
    rounds = [seconds(text, piece)]
    while sum(rounds) < ROUNDS_SECONDS:
        rounds.append(seconds(text, piece))
    return min(rounds)


def main(pieces: tuple[int, ...]) -> int:
    """Print one row for each text; return the exit code."""
    print(f"{'text':26}" + "".join(f" {min(one, LARGE):>10} {'growth':>7}" for one in pieces))
    worst = 0.0
    gc.disable()
    for name, unit in TEXTS.items():
        row = f"{name:26}"
        for piece in pieces:
            small, large = (least_seconds(unit, size, piece) for size in (SMALL, LARGE))
            growth = large / small if small > TOO_SHORT_SECONDS else 0.0
            worst = max(worst, growth)
            row += f" {large:9.3f}s {growth:7.2f}"
            gc.collect()
        print(row, flush=True)
    print(f"linear is {LINEAR:.1f}; the worst growth is {worst:.2f}")
    return int(worst > 1.5 * LINEAR)


if __name__ == "__main__":
    sys.exit(main(tuple(map(int, sys.argv[1:])) or PIECES))
