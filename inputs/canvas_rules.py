"""Comments on a canvas as candidates for rules to remember.

Nothing here stores anything: a candidate becomes a rule when the user keeps it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal, NamedTuple

from .findings import Finding, Found
from .javascript_text import one_line
from .memory_rules import Rule
from .preview_comments import PreviewComment

Distiller = Literal["rule", "model"]

# Words that speak of more than the one element that a comment is pinned to.
_GENERAL = re.compile(
    r"\b(?:always|never|every(?:where|\s+time)?|each|all|any|avoid|prefer|don'?t\s+ever|no\s+more|"
    r"from\s+now\s+on|in\s+general|by\s+default|must(?:\s+not)?|instead\s+of|consistent(?:ly)?|"
    r"throughout|brand)\b|总是|永远|从不|每个|每次|所有|以后|统一|避免|不要再|一律|默认",
    re.IGNORECASE,
)
# Words that bind a sentence to its place, whatever else it says.
_LOCAL = re.compile(
    r"\b(?:this\s+(?:one|button|text|image|section|card|element|heading|icon|line)|here|"
    r"just\s+this|only\s+this)\b|这个|这里|此处|仅此",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"[^.!?;\u3002\uff01\uff1f\uff1b]+(?:[.!?;](?=\S)[^.!?;]*)*[.!?;\u3002\uff01\uff1f\uff1b]?"
)
_QUESTION = ("?", "\uff1f")
_NOT_LETTERS = re.compile(r"\W+")


class Origin(NamedTuple):
    """The comment that a candidate comes from."""

    comment_id: str
    file: str
    element_id: str


@dataclass(frozen=True, slots=True)
class CandidateRule:
    """What may become a rule.

    Attributes:
        text: The rule, one line.
        origins: The comments that it comes from, each once.
        distilled_by: Who found it: `rule`, `model` or both.
    """

    text: str
    origins: tuple[Origin, ...]
    distilled_by: tuple[Distiller, ...]

    @property
    def key(self) -> str:
        """What two candidates that say the same have in common."""
        return _NOT_LETTERS.sub(" ", self.text.casefold()).strip()


class ModelRule(NamedTuple):
    """What a model's pass returns: a rule, and the ids of the comments that it stands on."""

    text: str
    comment_ids: tuple[str, ...]


SecondPass = Callable[[Sequence[PreviewComment], Sequence[CandidateRule]], Iterable[ModelRule]]


def candidate_rules(
    comments: Sequence[PreviewComment], second_pass: SecondPass | None = None
) -> Found[tuple[CandidateRule, ...]]:
    """Return candidate rules in the order in which their comments stand.

    By rule, a sentence is a candidate when it speaks of more than its place ("always", "every",
    "以后"), or when the same words are pinned to two elements; a question never is.

    Args:
        comments: The comments; questions to the agent are no rules and are passed over.
        second_pass: Called once with the comments and the candidates so far; what it returns is
            merged. A rule without words, or one that names no comment, is left out as a finding.
    """
    stated = [one for one in comments if not one.query and one.comment]
    found = _merged((*_general(stated), *_repeated(stated)))
    if second_pass is None:
        return Found(found)
    by_id = {one.id: _origin(one) for one in stated}
    findings: list[Finding] = []
    more: list[CandidateRule] = []
    for number, rule in enumerate(second_pass(tuple(stated), found), 1):
        text = one_line(rule.text)
        origins = tuple(by_id[one] for one in dict.fromkeys(rule.comment_ids) if one in by_id)
        if text and origins:
            more.append(CandidateRule(text, origins, ("model",)))
        else:
            message = f"rule {number} of the model has no words or names no comment; left out"
            findings.append(Finding("model-rule-without-origin", message, severity="error"))
    return Found(_merged((*found, *more)), tuple(findings))


def kept_rules(
    candidates: Iterable[CandidateRule], keep: Collection[str]
) -> tuple[CandidateRule, ...]:
    """Return the candidates that the user keeps, by their texts; only these may be stored."""
    return tuple(one for one in candidates if one.text in keep)


def stored_rules(kept: Iterable[CandidateRule]) -> tuple[Rule, ...]:
    """Return what the user kept as rules of memory, so that the check after a turn reads them.

    Equal words get equal ids, whoever stores them and when.
    """
    return tuple(
        Rule(
            f"rule_{sha256(one.key.encode()).hexdigest()[:12]}",
            one.text.strip("\"' ") or one.text,
            "said of " + ", ".join(dict.fromkeys(origin.file for origin in one.origins)),
            one.text,
        )
        for one in kept
    )


def _origin(comment: PreviewComment) -> Origin:
    return Origin(comment.id, comment.file, comment.element_id)


def _general(comments: Iterable[PreviewComment]) -> Iterable[CandidateRule]:
    for comment in comments:
        for match in _SENTENCE.finditer(comment.comment):
            text = one_line(match[0]).rstrip(".;\u3002\uff1b")
            if text.endswith(_QUESTION) or not _GENERAL.search(text) or _LOCAL.search(text):
                continue
            yield CandidateRule(text, (_origin(comment),), ("rule",))


def _repeated(comments: Sequence[PreviewComment]) -> Iterable[CandidateRule]:
    """Yield what is said of two elements or more in the same words."""
    said = [
        CandidateRule(one.comment.rstrip("."), (_origin(one),), ("rule",))
        for one in comments
        if not one.comment.endswith(_QUESTION)
    ]
    for rule in _merged(said):
        places = {(origin.file, origin.element_id) for origin in rule.origins}
        if len(places) > 1:
            yield rule


def _merged(candidates: Iterable[CandidateRule]) -> tuple[CandidateRule, ...]:
    """Return candidates that say the same as one, with all their origins."""
    by_key: dict[str, CandidateRule] = {}
    for one in candidates:
        first = by_key.setdefault(one.key, one)
        by_key[one.key] = replace(
            first,
            origins=tuple(dict.fromkeys((*first.origins, *one.origins))),
            distilled_by=tuple(dict.fromkeys((*first.distilled_by, *one.distilled_by))),
        )
    return tuple(by_key.values())
