"""How the time to scan a text for question forms grows with its length.

Run it as a script: `python tests/benchmarks/bench_question_forms.py`. Each row is a text that was
made to be hard, scanned whole and in pieces of 4,096 characters; `growth` is the time for two
million characters over that for half a million, where 4 is linear. Exits 1 where a row grows by
more than twice as much.
"""

import sys
from time import perf_counter

from promptdag.dataflows.question_forms import FormDetector

SMALL, LARGE, PIECE = 500_000, 2_000_000, 4096
LINEAR = LARGE / SMALL

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
    "fences": "```\n",
    "nested fences": "````\n~~~\n```json\n<question-form>{\n",
    "backticks": "`",
    "blank lines": "\n",
    "ordinary prose": "A line of ordinary words, with a <b>tag</b> and `code`.\n",
}


def seconds(text: str, piece: int) -> float:
    """Return how long a scan of a text in pieces takes."""
    detector = FormDetector()
    start = perf_counter()
    for place in range(0, len(text), piece):
        detector.feed(text[place : place + piece])
    detector.finish()
    return perf_counter() - start


def main() -> int:
    """Print one row for each text; return the exit code."""
    print(f"{'text':26} {'whole':>9} {'growth':>7} {'pieces':>9} {'growth':>7}")
    worst = 0.0
    for name, unit in TEXTS.items():
        row = f"{name:26}"
        for piece in (LARGE, PIECE):
            small, large = (
                seconds((unit * (size // len(unit) + 1))[:size], piece) for size in (SMALL, LARGE)
            )
            growth = large / small if large > 0.05 else 0.0  # shorter times are noise
            worst = max(worst, growth)
            row += f" {large:8.3f}s {growth:7.1f}"
        print(row)
    print(f"linear is {LINEAR:.1f}; the worst growth is {worst:.1f}")
    return int(worst > 2 * LINEAR)


if __name__ == "__main__":
    sys.exit(main())
