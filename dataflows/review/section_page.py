"""What a page shows of one section: its words, its texts by scenario, where it comes from."""

from collections.abc import Iterator
from dataclasses import dataclass

from .change import Cell, DeclaredChange, FunctionChange, Review
from .views import FunctionView, SectionView


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a section, with the scenarios that show it.

    Attributes:
        element_id: Of its element in the page.
        scenarios: Their names.
        cell: What one of these scenarios shows; all show the same.
    """

    element_id: str
    scenarios: tuple[str, ...]
    cell: Cell


@dataclass(frozen=True, slots=True)
class Column:
    """One step of a lineage: `signals`, `facts` or `gates`, each with its words."""

    name: str
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SectionPage:
    """One row of the matrix and its part of the page.

    Attributes:
        name: The row's name.
        view: How the section is declared; of a text that a caller adds, the section of its place.
        added_by_caller: Whether it is such a text.
        change: What differs in its declaration, or `None`.
        texts: Its texts, those that differ first.
        cells: By scenario.
        gates: The gates that open it.
        changed_functions: The gates and facts that it comes from and that differ.
        lineage: What it comes from.
    """

    name: str
    view: SectionView
    added_by_caller: bool
    change: DeclaredChange | None
    texts: tuple[Text, ...]
    cells: dict[str, Cell]
    gates: tuple[FunctionView, ...]
    changed_functions: tuple[FunctionChange, ...]
    lineage: tuple[Column, ...]

    @property
    def element_id(self) -> str:
        """The id of its element."""
        return section_id(self.name)

    @property
    def block(self) -> str:
        """The block that it stands in."""
        return self.view.block

    @property
    def theme(self) -> str:
        """The module that declares it."""
        return self.view.theme

    @property
    def gone(self) -> bool:
        """Whether the flow of today has it no more."""
        return self.change is not None and self.change.after is None

    @property
    def changed(self) -> bool:
        """Whether its declaration differs, what it comes from, or what a scenario shows of it."""
        signs = {cell.sign for cell in self.cells.values()}
        declared = self.change is not None or bool(self.changed_functions)
        return declared or not signs <= {"same", "open", "closed"}

    @property
    def words(self) -> str:
        """All that a search shall find it by."""
        gates = [f"{one.name} {one.words}" for one in self.gates]
        return " ".join((self.name, self.theme, self.block, *self.view.signals, *gates)).lower()

    def target(self, scenario: str) -> str:
        """Return the id of what a scenario shows of it."""
        return next(
            (one.element_id for one in self.texts if scenario in one.scenarios), self.element_id
        )


def section_id(name: str) -> str:
    """Return the id of a section's element; what a caller names may hold any character."""
    return "section-" + "".join(c if c.isalnum() or c in "-_" else f"-{ord(c):x}-" for c in name)


def section_pages(review: Review) -> tuple[SectionPage, ...]:
    """Return the sections of a review in the order of its rows."""
    declared = {one.name: one for one in review.before.sections} if review.before else {}
    declared |= {one.name: one for one in review.after.sections}
    functions = {one.name: one for one in review.before.functions} if review.before else {}
    functions |= {one.name: one for one in review.after.functions}
    changes = {one.name: one for one in review.sections}
    found: list[SectionPage] = []
    for name in review.rows:
        # A caller's text stands behind the section that declares its place.
        view = declared.get(name) or found[-1].view
        cells = {one.name: one.cells[name] for one in review.scenarios}
        found.append(
            SectionPage(
                name,
                view,
                name not in declared,
                changes.get(name),
                tuple(_texts(name, cells)),
                cells,
                tuple(functions[one] for one in view.gates if one in functions),
                tuple(one for one in review.functions if view.name in one.sections),
                tuple(_lineage(review, view)),
            )
        )
    return tuple(found)


def _texts(name: str, cells: dict[str, Cell]) -> Iterator[Text]:
    groups: dict[tuple[str | None, str | None, bool], list[str]] = {}
    for scenario, cell in cells.items():
        if cell.sign != "closed":
            changed = cell.sign not in ("same", "open")
            groups.setdefault((cell.before, cell.after, changed), []).append(scenario)
    ordered = sorted(groups.items(), key=lambda item: not item[0][2])
    for number, (_, scenarios) in enumerate(ordered, start=1):
        element = f"text-{section_id(name).removeprefix('section-')}-{number}"
        yield Text(element, tuple(scenarios), cells[scenarios[0]])


def _lineage(review: Review, view: SectionView) -> Iterator[Column]:
    """Yield what a section comes from, step by step."""
    current = {one.name for one in review.after.sections}
    snapshot = review.after if view.name in current or review.before is None else review.before
    reached = snapshot.above(view.node)
    signals = tuple(
        (one.dotted, one.doc + (f" It drifts: {one.drifts}." if one.drifts else ""))
        for one in snapshot.signals
        if one.name in reached
    )
    steps = [("signals", signals)]
    for kind in ("fact", "gate"):
        entries = [(f.name, f.words) for f in snapshot.functions if f.kind == kind]
        steps.append((f"{kind}s", tuple(one for one in entries if one[0] in reached)))
    yield from (Column(name, entries) for name, entries in steps if entries)
