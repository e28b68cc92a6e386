"""The sets of signals that a review is made over: given ones, else some that show each gate."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import to_jsonable_python

from ...inputs.errors import ReadError
from ..signal_files import read_signals
from ..signal_space import Tried, signal_space
from .flips import Flip
from .signs import effect_words
from .wording import value_words

if TYPE_CHECKING:
    from ..flow import PromptFlow

MAX_MADE = 8
"""How many made scenarios a matrix shows at most."""

MAX_FOUND = 6
"""How many scenarios are added, so that changes which no other one shows can be seen."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A set of signals with a name, and where it comes from in words."""

    name: str
    signals: dict[str, Any]
    origin: str


def scenarios_in(folder: Path) -> tuple[Scenario, ...]:
    """Return the scenarios of a folder: each `NAME.json`, and each `NAME/signals.json`.

    A folder with an `error.txt` holds signals that are meant to be refused and is no scenario.

    Raises:
        ReadError: The folder holds none, or a file is no JSON object.
    """
    files = {one.stem: one for one in sorted(folder.glob("*.json"))}
    for one in sorted(folder.glob("*/signals.json")):
        if not (one.parent / "error.txt").exists():
            files[one.parent.name] = one
    if not files:
        raise ReadError(f"{folder}: no scenario in it; put NAME.json or NAME/signals.json there")
    names = sorted(files, key=lambda name: (name != "full", name != "bare", name))
    return tuple(Scenario(name, read_signals(files[name]), str(files[name])) for name in names)


def made_scenarios(flow: "PromptFlow") -> tuple[Scenario, ...]:
    """Return scenarios made from a flow's own types: full, bare, then what shows more gates.

    Each of the others shows the most gates open or closed that none before it has shown so.
    """
    tried = signal_space(flow).tried
    if not tried:
        return ()
    size = _size
    full, bare = max(tried, key=size), min(tried, key=size)
    picked = {"full": full, "bare": bare}
    seen = {*_states(full), *_states(bare)}
    while len(picked) < MAX_MADE:
        best = max(tried, key=lambda one: len(set(_states(one)) - seen))
        more = [state for state in _states(best) if state not in seen]
        if not more:
            break
        gate, opened = more[0]
        picked[f"{gate} {'open' if opened else 'closed'}"] = best
        seen |= set(more)
    return tuple(
        Scenario(name, to_jsonable_python(dict(one.signals)), f"made: {one.origin}")
        for name, one in picked.items()
    )


def _size(tried: Tried) -> tuple[int, int]:
    rows = tried.prompt.manifest.sections
    return sum(row.open for row in rows), len(tried.prompt.text)


def _states(tried: Tried) -> Iterator[tuple[str, bool]]:
    flow = tried.prompt.session.flow
    for position in flow.positions:
        for gate in flow.gates_of(position.place.section.name):
            yield gate.name, bool(tried.prompt.value(gate.name))


def found_scenarios(
    flips: Mapping[str, tuple[Flip, ...]], is_shown: Callable[[str, Flip], bool]
) -> Iterator[Scenario]:
    """Yield a scenario for each section that appears or disappears where none shows it.

    Args:
        flips: By the section's name.
        is_shown: Whether the scenarios that there are show a change of a section.
    """
    given: list[dict[str, Any]] = []
    for name, found in flips.items():
        for flip in found:
            if len(given) == MAX_FOUND or is_shown(name, flip) or flip.example in given:
                continue
            given.append(flip.example)
            words = flip.words or ", ".join(
                f"{key} {value_words(value)}" for key, value in flip.example.items()
            )
            origin = f"found, since {name} {effect_words(flip.effect)} there"
            yield Scenario(_short(words), flip.example, origin)


def _short(words: str, limit: int = 48) -> str:
    return words if len(words) <= limit else words[: limit - 1] + "…"
