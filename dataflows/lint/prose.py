"""Prose that is told twice, that differs in a value, or that contradicts itself."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from .finding import LintFinding
from .sentences import Sentence, joined_runs, sentences
from .study import Study

NEAR = 0.6
"""Sections whose sets of word runs agree by this share (Jaccard) are near duplicates."""
_KEEP_ONE = "keep one of them, or say with a reason in the allow-list why both stand"


@dataclass(frozen=True, slots=True)
class _Said:
    section: str
    where: str
    sentence: Sentence


def repeated_prose(study: Study) -> Iterator[LintFinding]:
    """Yield equal sentences, else shared runs of words, of each two sections."""
    said = tuple(_said(study))
    equal: dict[frozenset[str], list[tuple[_Said, _Said]]] = defaultdict(list)
    for one, other in _pairs(study, said, lambda one: one.key):
        if one.sentence.tells:
            equal[_both(one, other)].append((one, other))
    for found in equal.values():
        yield _equal_sentences(found)
    shared = _shared_runs(study, said)
    for pair, places in shared.items():
        if near := _near(study, pair):
            yield near
        elif pair not in equal:
            yield _equal_words(places)


def _equal_sentences(found: list[tuple[_Said, _Said]]) -> LintFinding:
    one, other = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return LintFinding(
        "PD050",
        "error",
        f"{one.section}+{other.section}",
        one.where,
        f"the sentence {_short(one.sentence.text)!r} stands again in {other.where}{more}",
        _KEEP_ONE,
    )


def _equal_words(places: list[tuple[_Said, _Said, tuple[str, ...]]]) -> LintFinding:
    one, other, _ = places[0]
    words = joined_runs([run for a, b, run in places if (a, b) == (one, other)])
    return LintFinding(
        "PD051",
        "warning",
        f"{one.section}+{other.section}",
        one.where,
        f"the words {_short(words)!r} stand again in {other.where}",
        _KEEP_ONE,
    )


def _near(study: Study, pair: frozenset[str]) -> LintFinding | None:
    a, b = sorted(pair, key=[run.section for run in study.prose].index)
    runs_a, runs_b = _runs_of(study, a), _runs_of(study, b)
    share = len(runs_a & runs_b) / len(runs_a | runs_b)
    if share < NEAR or len(runs_a & runs_b) < 10:
        return None
    where = next(run.where for run in study.prose if run.section == a)
    return LintFinding(
        "PD055",
        "warning",
        f"{a}+{b}",
        where,
        f"{share:.0%} of its runs of words stand in {b!r} too",
        "make one section of them, or gate them as alternatives with one_of",
    )


def _runs_of(study: Study, section: str) -> set[tuple[str, ...]]:
    return {
        run
        for prose in study.prose
        if prose.section == section
        for sentence in sentences(prose.text)
        for run in sentence.runs()
    }


def _shared_runs(
    study: Study, said: tuple[_Said, ...]
) -> dict[frozenset[str], list[tuple[_Said, _Said, tuple[str, ...]]]]:
    by_run: dict[tuple[str, ...], list[_Said]] = defaultdict(list)
    for one in said:
        for run in dict.fromkeys(one.sentence.runs()):
            by_run[run].append(one)
    shared: dict[frozenset[str], list[tuple[_Said, _Said, tuple[str, ...]]]] = defaultdict(list)
    for run, places in by_run.items():
        for one, other in combinations(places, 2):
            if one.section != other.section and _both(one, other) not in study.exclusive:
                shared[_both(one, other)].append((one, other, run))
    return shared


def contradicting_prose(study: Study) -> Iterator[LintFinding]:
    """Yield sentences that differ in a number alone, or in whether they demand or forbid."""
    said = tuple(_said(study))
    for one, other in _pairs(study, said, lambda one: one.without_values, same=True):
        if one.sentence.values != other.sentence.values and one.sentence.tells:
            yield _contradiction(one, other, "PD053", "but for a value it reads like")
    for one, other in _pairs(study, said, lambda one: one.subject, same=True):
        tells = one.sentence.tells or other.sentence.tells
        if one.sentence.forbids != other.sentence.forbids and tells:
            yield _contradiction(one, other, "PD054", "it asks for the opposite of")


def _contradiction(one: _Said, other: _Said, code: str, relation: str) -> LintFinding:
    subject = "+".join(dict.fromkeys((one.section, other.section)))
    return LintFinding(
        code,
        "error",
        subject,
        one.where,
        f"{_short(one.sentence.text)!r}: {relation} {_short(other.sentence.text)!r} in "
        f"{other.where}",
        "let one of them hold, or make plain when which holds",
    )


def equal_sections(study: Study) -> Iterator[LintFinding]:
    """Yield the sections of a given prompt that hold the same text."""
    told: set[str] = set()
    for tried in study.given:
        by_text: dict[str, str] = {}
        for row in tried.prompt.manifest.sections:
            text = " ".join(row.text.split())
            if len(text) < 40:
                continue
            first = by_text.setdefault(text, row.name)
            subject = f"{first}+{row.name}"
            if first != row.name and subject not in told:
                told.add(subject)
                yield LintFinding(
                    "PD056",
                    "error",
                    subject,
                    f"{tried.origin}, block {row.block!r}",
                    f"{first!r} and {row.name!r} have the same {len(text)} characters",
                    "let one of them stand",
                )


def _said(study: Study) -> Iterator[_Said]:
    for run in study.prose:
        for sentence in sentences(run.text):
            yield _Said(run.section, run.where, sentence)


def _pairs(
    study: Study, said: tuple[_Said, ...], key_of: Callable[[Sentence], str], same: bool = False
) -> Iterator[tuple[_Said, _Said]]:
    """Yield pairs with an equal key that may stand in one prompt.

    Args:
        study: The study.
        said: The sentences.
        key_of: Gives the key; an empty one stands in no pair.
        same: Whether both may stand in one section.
    """
    groups: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        if key := key_of(one.sentence):
            groups[key].append(one)
    for places in groups.values():
        for one, other in combinations(places, 2):
            apart = one.section != other.section
            if (apart or same) and _both(one, other) not in study.exclusive:
                yield one, other


def _both(one: _Said, other: _Said) -> frozenset[str]:
    return frozenset((one.section, other.section))


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
