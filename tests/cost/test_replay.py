"""Logs whose hits, misses, causes and money are known."""

import itertools
import tracemalloc
from collections import Counter
from types import FunctionType
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.best_order import OrderStudy
from promptdag.dataflows.prefix import Part
from promptdag.dataflows.replay import Replay, replay
from promptdag.dataflows.replay_log import read_log
from promptdag.dataflows.replay_report import Curve, ReplayReport, TurnOutcome
from promptdag.inputs.errors import ReadError
from pydantic import ValidationError

from ..flows import built
from ..small_flows import Letters, inline, sa
from .logs import CHARACTERS, LONG, MARK, TABLE, endless, flow, lines

USD = 5e-6
SAME = {"a": "A" * 100, "b": "B" * 30, "c": "C" * 10}


def replayed(
    *turns: tuple[float, dict[str, str]],
    model: str = "claude-opus-5",
    made: PromptFlow | None = None,
    **options: Any,
) -> tuple[list[TurnOutcome], ReplayReport]:
    """Replay turns through the flow of three blocks."""
    seen: list[TurnOutcome] = []
    report = replay(
        made or flow(),
        read_log(lines(*turns)),
        model,
        on_turn=seen.append,
        table=TABLE,
        counter=CHARACTERS,
        **options,
    )
    return seen, report


def told(seen: list[TurnOutcome]) -> list[tuple[str, tuple[str, ...], int, int]]:
    """Return outcome, causes, and tokens read and written of each turn."""
    return [(one.outcome, one.causes, one.read_tokens, one.written_tokens) for one in seen]


def test_the_first_turn_writes_and_the_next_reads() -> None:
    """Money: one write, one read, and what no cache would cost."""
    seen, report = replayed((0, SAME), (60, SAME))
    assert told(seen) == [("miss", ("first turn",), 0, 140), ("hit", (), 140, 0)]
    assert report.usd == pytest.approx(140 * USD * (1.25 + 0.1))
    assert report.usd_without_cache == pytest.approx(140 * USD * 2)
    assert report.usd_all_read == pytest.approx(140 * USD * 0.2)
    assert (report.turns, report.hits, report.hit_rate) == (2, 1, 0.5)


def test_a_field_that_moved_is_the_cause() -> None:
    """What stands before it is still read; the money is what writing costs more."""
    seen, report = replayed((0, SAME), (60, SAME | {"b": "D" * 30}))
    assert told(seen)[1] == ("partial", ("b",), 100, 40)
    (cause,) = [one for one in report.causes if one.name == "b"]
    assert cause.usd == pytest.approx(40 * USD * 1.15)
    assert (cause.turns, cause.written_tokens) == (1, 40)


def test_a_turn_that_ran_out_and_changed_has_run_out() -> None:
    """What stands before the change would have been read, had it lived."""
    seen, _ = replayed((0, SAME), (1000, SAME | {"c": "D"}))
    assert told(seen)[1] == ("miss", ("expired",), 0, 131)


def test_fields_that_moved_together_share_the_money() -> None:
    """Their sums are the whole."""

    def both(a: str, b: str) -> None:
        """Two fields in one section."""

    made = PromptFlow(
        "both",
        (block("both", inline("both", "{{ a }}{{ b }}", both), cache_control="ephemeral"),),
        session=Letters,
    )
    seen, report = replayed((0, SAME), (60, {"a": "X" * 50, "b": "Y" * 50}), made=made)
    assert seen[1].causes == ("a", "b")
    usd = {one.name: one.usd for one in report.causes}
    assert usd["a"] == usd["b"] == pytest.approx(50 * USD * 1.15)


def test_what_is_read_without_a_mark_of_its_own_is_refreshed() -> None:
    """The mark moved on to the next block; the entry behind the first one stays in use."""
    made = flow(None, MARK)
    first, second = {"a": "A" * 100}, {"a": "A" * 100, "b": "B"}
    seen, _ = replayed((0, first), (250, second), (500, second | {"b": "D"}), made=made)
    assert [(one.read_tokens, one.written_tokens) for one in seen] == [(0, 100), (100, 1), (100, 1)]


@pytest.mark.parametrize(("blocks", "read"), [(19, 5), (20, 0)])
def test_an_entry_too_far_in_front_of_a_mark_is_not_found(blocks: int, read: int) -> None:
    """Twenty positions, the mark's own included."""

    def filler(b: str) -> None:
        """The same text in each block."""

    sections = [inline(f"f{number}", "{{ b }}", _copy(filler)) for number in range(blocks)]
    made = PromptFlow(
        "long",
        (
            block("front", sa),
            *(block(one.name, one) for one in sections[:-1]),
            block("end", sections[-1], cache_control="ephemeral"),
        ),
        session=Letters,
    )
    seen, _ = replayed((0, {"a": "A" * 5}), (60, {"a": "A" * 5, "b": "B"}), made=made)
    assert [one.read_tokens for one in seen] == [0, read]


def _copy(function: Any) -> Any:
    """Return a function of its own, which can have a name of its own."""
    made = FunctionType(function.__code__, function.__globals__, function.__name__)
    made.__annotations__, made.__doc__ = dict(function.__annotations__), function.__doc__
    return made


def test_a_common_prefix_below_the_minimum_is_not_read() -> None:
    """Five tokens of a provider that caches from ten."""
    first, second = {"a": "A" * 5, "b": "B" * 20}, {"a": "A" * 5, "b": "D" * 20}
    seen, _ = replayed((0, first), (60, second), model="gemini-2.5-pro")
    assert seen[1].read_tokens == 0


def test_the_first_section_that_differs_names_the_cause() -> None:
    """A later one that moved as well would have been written anyway."""
    seen, _ = replayed((0, SAME), (60, SAME | {"b": "D", "c": "E"}))
    assert seen[1].causes == ("b",)


def test_a_field_of_the_original_is_named_with_its_path() -> None:
    """On a real flow: the memory moved, and the harness stands before it in the same block."""
    way = built("theway")
    turns = [(0.0, {"cwd": "/", "memory": "one"}), (60.0, {"cwd": "/", "memory": "two"})]
    seen: list[TurnOutcome] = []
    replay(way, read_log(lines(*turns)), "claude-opus-5", on_turn=seen.append)
    assert (seen[1].outcome, seen[1].causes) == ("miss", ("memory",))


def test_tools_that_moved_rewrite_all() -> None:
    """They stand in front of everything."""
    tools = SAME | {"tools": [{"name": "look"}]}
    seen, _ = replayed((0, SAME), (60, tools))  # type: ignore[arg-type]
    assert (seen[1].causes, seen[1].read_tokens) == (("tools",), 0)


def test_a_text_that_goes_away_is_named() -> None:
    """The field that took it away is the cause."""
    seen, _ = replayed((0, SAME), (60, SAME | {"b": ""}))
    assert (seen[1].causes, seen[1].read_tokens) == (("b",), 100)
    seen, _ = replayed((0, SAME | {"c": ""}), (60, SAME))
    assert (seen[1].causes, seen[1].read_tokens) == (("c",), 130)


def test_an_entry_runs_out_after_its_lifetime() -> None:
    """Use refreshes it; a moment later than its end it is gone."""
    seen, report = replayed((0, SAME), (300, SAME), (600, SAME), (900.5, SAME))
    assert [one.outcome for one in seen] == ["miss", "hit", "hit", "miss"]
    assert seen[3].causes == ("expired",)
    assert [one.name for one in report.causes] == ["expired", "first turn"]
    seen, _ = replayed((0, SAME), (3000, SAME), lifetime="1h")
    assert seen[1].outcome == "hit"


def test_a_longer_mark_in_front_outlives_a_shorter_one() -> None:
    """The front is read, the rest is written again at its own factor."""
    made = flow(LONG, MARK, None)
    seen, _ = replayed((0, SAME), (1000, SAME), made=made)
    assert told(seen)[1] == ("partial", ("expired",), 100, 30)
    assert seen[1].usd == pytest.approx(USD * (100 * 0.1 + 30 * 1.25 + 10))


def test_only_marked_boundaries_are_read() -> None:
    """With one mark at the end, a change in the last block writes everything."""
    seen, _ = replayed((0, SAME), (60, SAME | {"c": "D"}), made=flow(None, None, MARK))
    assert told(seen)[1][2:] == (0, 131)


def test_without_marks_the_common_prefix_is_read() -> None:
    """To the end of the last section that is the same; nothing is written at a price."""
    seen, report = replayed((0, SAME), (60, SAME | {"c": "D" * 10}), model="gemini-2.5-pro")
    assert told(seen)[1][2:] == (130, 10)
    assert report.usd == pytest.approx(1.25e-6 * (140 + 10 + 13))


def test_lengths_are_rounded_down_where_the_provider_does() -> None:
    """128 of 140 tokens."""
    seen, _ = replayed((0, SAME), (60, SAME), model="gpt-5")
    assert told(seen)[1] == ("hit", (), 128, 0)


def test_sessions_share_the_cache_and_have_causes_of_their_own() -> None:
    """A second conversation with the same prefix reads what the first has written."""
    log = [*lines((0, SAME), session="x"), *lines((60, SAME), session="y")]
    log += lines((120, SAME | {"c": "D"}), session="x")
    log += lines((180, SAME), session="y")
    seen: list[TurnOutcome] = []
    work = Replay(flow(), "claude-opus-5", table=TABLE, counter=CHARACTERS)
    for logged in read_log(log):
        seen.append(work.turn(logged))
    assert [one.outcome for one in seen] == ["miss", "hit", "partial", "hit"]
    assert seen[2].causes == ("c",)


def test_what_is_never_cached_is_told() -> None:
    """No mark, no cache: that is a cause too."""
    seen, report = replayed((0, SAME), (60, SAME), made=flow(None))
    assert [one.causes for one in seen] == [("not cached",)] * 2
    assert report.usd == pytest.approx(report.usd_without_cache)


def test_money_by_cause_adds_up() -> None:
    """What was paid is what reading all would cost, and the causes."""
    texts = ["A", "B", "C"]
    turns = [
        (number * 100.0 + (400 if number > 20 else 0), {"a": texts[number // 9 % 3], "b": "B" * 50})
        for number in range(40)
    ]
    seen, report = replayed(*turns)
    extra = sum(one.usd for one in report.causes)
    assert report.usd == pytest.approx(report.usd_all_read + extra)
    assert report.usd == pytest.approx(sum(one.usd for one in seen))
    assert report.hits + report.partial + report.misses == report.turns == 40


def test_the_best_order_puts_what_changes_behind() -> None:
    """A section that changes every turn stands first; behind the others it costs less."""
    turns = [(number * 60.0, {"a": f"{number:04}", "b": "B" * 50}) for number in range(10)]
    _, report = replayed(*turns)
    assert report.order.order == ("sa", "sb")
    assert report.order.best_order == ("sb", "sa")
    assert report.order.rewritten_tokens == 9 * 54
    assert report.order.best_rewritten_tokens == 9 * 4
    assert report.best_order_saves_usd == pytest.approx(9 * 50 * USD * 1.15)


def parts(**sections: tuple[str, int]) -> list[Part]:
    """Return parts by name: text and tokens."""
    return [
        Part(name, name, "block", "system", 0, 0, tokens, "", text, None)
        for name, (text, tokens) in sections.items()
    ]


@pytest.mark.parametrize("seed", range(6))
def test_the_best_order_is_that_of_all_orders(seed: int) -> None:
    """When one section changes at a time, no order of all permutations is better."""
    sizes = {name: (seed * 7 + place * 13) % 40 + 1 for place, name in enumerate("vwxyz")}
    changes = Counter({name: (seed * 5 + place * 3) % 7 for place, name in enumerate("vwxyz")})
    study, version = OrderStudy(), Counter[str]()

    def now() -> dict[str, str]:
        return study.see(parts(**{one: (str(version[one]), sizes[one]) for one in "vwxyz"}))

    before = now()
    for name in changes.elements():
        version[name] += 1
        after = now()
        study.compare(before, after)
        before = after

    def rewritten(order: tuple[str, ...]) -> int:
        behind = [sum(sizes[one] for one in order[place:]) for place in range(5)]
        return sum(changes[name] * behind[place] for place, name in enumerate(order))

    advice = study.advice()
    best = min(rewritten(order) for order in itertools.permutations("vwxyz"))
    assert advice.best_rewritten_tokens == pytest.approx(best)
    assert rewritten(advice.best_order) == best
    assert advice.rewritten_tokens == pytest.approx(rewritten(advice.order))


def test_an_order_that_is_best_stays() -> None:
    """Nothing is moved for nothing."""
    _, report = replayed((0, SAME), (60, SAME | {"c": "D"}))
    assert report.order.best_order == report.order.order == ("sa", "sb", "sc")
    assert report.best_order_saves_usd == 0


def test_memory_does_not_grow_with_the_log() -> None:
    """Every prefix and every session is new; what is kept has limits, and reaches them early."""
    work = Replay(flow(), "claude-opus-5", table=TABLE, counter=CHARACTERS, max_sessions=4)
    log = read_log(endless(2600))
    tracemalloc.start()
    sizes = []
    for count in (1300, 1300):
        for logged in itertools.islice(log, count):
            work.turn(logged)
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[1] - sizes[0] < 300_000
    assert work.report().turns == 2600
    assert len(work._cache) < 1100  # of 5,200 that were written


def test_the_curve_is_thinned_and_keeps_its_ends() -> None:
    """At most 512 points and the last."""
    curve = Curve()
    for number in range(10_001):
        curve.add(float(number), number * 1.0, number * 2.0)
    assert len(curve.points) <= 513
    assert curve.points[0] == (0.0, 0.0, 0.0)
    assert curve.points[-1] == (10_000.0, 10_000.0, 20_000.0)
    assert list(curve.points) == sorted(curve.points)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"log:2:2: not JSON"),
        ("[]", r"log:2: a turn is \{"),
        ('{"time": 1}', r"log:2: a turn is \{"),
        ('{"time": "noon", "signals": {}}', r"log:2: time is 'noon'; give seconds"),
        ('{"signals": {}}', r"log:2: time is None"),
        ('{"time": true, "signals": {}}', r"log:2: time is True"),
        ('{"time": 5, "signals": {}, "turn": 1}', r"log:2: unknown key 'turn'; there are"),
        ('{"time": -1, "signals": {}}', r"log:2: it is 1 seconds earlier than the line before"),
    ],
)
def test_a_wrong_line_is_an_error_that_says_where(line: str, message: str) -> None:
    """Nothing of a log is passed over in silence."""
    with pytest.raises(ReadError, match=message):
        list(read_log(['{"time": 0, "signals": {}}', line]))


def test_times_are_seconds_or_iso_8601() -> None:
    """Without a zone it is UTC; empty lines are passed over."""
    times = ['"1970-01-01T00:01:00"', '"1970-01-01T02:01:30+02:00"', '"1970-01-01T00:02:00Z"']
    log = [f'{{"time": {time}, "signals": {{}}}}' for time in times]
    found = list(read_log([log[0], "\n", *log[1:]]))
    assert [(one.line, one.seconds) for one in found] == [(1, 60), (3, 90), (4, 120)]


def test_signals_that_do_not_fit_are_pydantic_errors() -> None:
    """As everywhere."""
    with pytest.raises(ValidationError, match="unknown signal"):
        replayed((0, {"z": "?"}))


def test_the_report_is_a_table_plain_data_and_a_figure() -> None:
    """Causes with the dearest first, sums over time."""
    _, report = replayed((0, SAME), (60, SAME | {"a": "Z"}), (120, SAME | {"a": "Z", "c": "D"}))
    frame = report.to_frame()
    assert list(frame.index) == [one.name for one in report.causes]
    assert frame["usd"].is_monotonic_decreasing
    assert list(report.curve_frame().index) == [0.0, 60.0, 120.0]
    assert report.to_dict()["order"]["order"] == ("sa", "sb", "sc")
    drawn = report.plot()
    assert [axes.get_xlabel() for axes in drawn.axes] == ["hours", "USD more than reading"]
    assert replayed()[1].to_frame().empty
