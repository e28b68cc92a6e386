"""Makes a review of a flow: by itself, against a revision, another flow or a stored snapshot."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from ...inputs.errors import ReadError
from ...inputs.tokens import default_counter
from ..flow import PromptFlow
from ..price import DEFAULT_MODEL, price_of
from ..providers import Override, load_providers
from ..registry import flow_named
from .change import Review
from .compare import compare
from .flips import Flip
from .revision import revision_of
from .scenario_change import RewritePrice
from .scenarios import Scenario, found_scenarios, made_scenarios
from .signs import EFFECT_SIGNS
from .taking import take
from .views import Request, Snapshot

WORK_TREE = "now"
"""The label of the flow as it is installed here, changes that are not committed included."""


class Base(Protocol):
    """What a flow is compared with: something that gives snapshots."""

    def take(self, request: Request) -> Snapshot:
        """Return a snapshot over a request's scenarios and inputs."""
        ...


class OtherFlow:
    """Another flow of this process as a base."""

    def __init__(self, flow: PromptFlow, label: str) -> None:
        self.flow = flow
        self.label = label

    def take(self, request: Request) -> Snapshot:
        """Return a snapshot of the flow."""
        return take(self.flow, request.model_copy(update={"label": self.label}))


class StoredSnapshot:
    """A snapshot file as a base; it tells of no scenarios but its own."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def take(self, request: Request) -> Snapshot:
        """Return the stored snapshot."""
        return self.snapshot


def read_snapshot(path: Path) -> Snapshot:
    """Return the snapshot that a file holds.

    Raises:
        ReadError: It cannot be read, or is no snapshot of this form.
    """
    try:
        return Snapshot.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise ReadError(
            f"{path}: no snapshot of this version; write one with promptdag review FLOW -o x.json"
        ) from None


@contextmanager
def base_of(
    flow_name: str, revision: str | None = None, against: str | None = None, texts: str = "default"
) -> Iterator[Base | None]:
    """Open what a flow is compared with; `None` where neither is given.

    Args:
        flow_name: The flow.
        revision: A commit of the repository that holds the flow's code.
        against: A snapshot file, whose name ends in `.json`, or the name of another flow.
        texts: The text pack of another flow.

    Raises:
        RevisionError: The revision cannot be had; see `revision_of`.
        ReadError: The snapshot file cannot be read.
        UnknownNameError: There is no such flow.
    """
    if revision is not None:
        with revision_of(flow_name, revision) as base:
            yield base
    elif against is not None and against.endswith(".json"):
        yield StoredSnapshot(read_snapshot(Path(against)))
    elif against is not None:
        yield OtherFlow(flow_named(against)(texts=texts), against)
    else:
        yield None


def review_flow(
    flow: PromptFlow,
    base: Base | None = None,
    *,
    scenarios: Sequence[Scenario] = (),
    model: str = DEFAULT_MODEL,
    prices: Override = None,
    texts: str = "default",
    say: Callable[[str], None] = lambda words: None,
) -> Review:
    """Return a review of a flow.

    With a base both sides are tried with the inputs that either's types and functions suggest; a
    change that no scenario shows gets one of its own.

    Args:
        flow: The flow.
        base: What it is compared with.
        scenarios: The sets of signals; without any, some are made.
        model: The model whose prices hold.
        prices: What replaces a part of the built-in table.
        texts: The text pack of the base.
        say: Called with what is being done, for long work.

    Raises:
        UnknownNameError: The price table has no such model.
        RevisionError: The base cannot be built.
    """
    table = load_providers(prices)
    marks = table.model(model).rules.caching == "marks"
    price = RewritePrice(price_of(model, table), marks, default_counter())
    here = OtherFlow(flow, WORK_TREE)
    if isinstance(base, StoredSnapshot):
        stored = base.snapshot.scenarios
        scenarios = [Scenario(one.name, dict(one.signals), one.origin) for one in stored]
    elif not scenarios:
        say("making scenarios")
        scenarios = made_scenarios(flow)
    asked = Request(
        reference="",
        label="",
        texts=texts,
        scenarios={one.name: one.signals for one in scenarios},
        origins={one.name: one.origin for one in scenarios},
        make_inputs=True,
        model=model,
        prices=table.model_dump(mode="json"),
    )
    say(f"composing {len(scenarios)} scenarios of today")
    after = here.take(asked)
    if base is None:
        return compare(None, after, price)
    say("composing them as they were")
    inputs = tuple(one.signals for one in after.outcomes)
    before = base.take(asked.model_copy(update={"inputs": inputs}))
    # What only the base's functions suggest is tried here as well.
    inputs = tuple(one.signals for one in before.outcomes)
    again = asked.model_copy(update={"inputs": inputs, "make_inputs": False})
    after = here.take(again)
    found = tuple(_found(compare(before, after, price)))
    if found and not isinstance(base, StoredSnapshot):
        say(f"adding {len(found)} scenarios that show what changed")
        before, after = _with_more(base, here, again, found, before, after)
    return compare(before, after, price)


def _found(review: Review) -> Iterator[Scenario]:
    def is_shown(name: str, flip: Flip) -> bool:
        return any(one.cells[name].sign == EFFECT_SIGNS[flip.effect] for one in review.scenarios)

    return found_scenarios(review.flips, is_shown)


def _with_more(
    base: Base,
    here: Base,
    asked: Request,
    found: Sequence[Scenario],
    before: Snapshot,
    after: Snapshot,
) -> tuple[Snapshot, Snapshot]:
    """Return both snapshots with more scenarios."""
    more = asked.model_copy(
        update={
            "scenarios": {one.name: one.signals for one in found},
            "origins": {one.name: one.origin for one in found},
            "inputs": (),
        }
    )
    old, new = (
        side.model_copy(update={"scenarios": (*side.scenarios, *asking.take(more).scenarios)})
        for side, asking in ((before, base), (after, here))
    )
    return old, new
