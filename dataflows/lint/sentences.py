"""Sentences and runs of words, in Chinese and English, reduced to what can be compared."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

WORD_RUN = 6
"""How many equal words in a row make a repeated run."""
CJK_RUN = 8
"""How many equal Chinese, Japanese or Korean characters in a row make one."""

_END = re.compile("(?<=[\u3002\uff01\uff1f\uff1b])|(?<=[.!?;])(?=\\s|$)|\n")
_MARK = re.compile(r"^\s*(?:[-*+#>]+|\d+[.)、])\s*")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_CJK_RUNS = re.compile(f"[{_CJK}]+")
_WORDS = re.compile(rf"[^\W{_CJK}]+(?:['\u2019-][^\W{_CJK}]+)*")
_VALUES = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION = re.compile(
    r"\b(?:must not|mustn't|should not|shouldn't|may not|can ?not|can't|do not|don't|never)\b"
    r"|不要|不得|不能|不可以?|不应该?|不许|禁止|切勿|请勿|绝不|别"
)
_DEMAND = re.compile(
    r"\b(?:must|should|may|can|do|always|please)\b"
    r"|必须|应该?|务必|总是|可以|一定要?|请|要"
)


@dataclass(frozen=True)
class Sentence:
    """A sentence in the forms in which it is compared.

    Attributes:
        text: As it is written, without a list mark.
    """

    text: str

    @cached_property
    def folded(self) -> str:
        """NFKC, without case."""
        return unicodedata.normalize("NFKC", self.text).casefold()

    @cached_property
    def key(self) -> str:
        """Folded, without punctuation and blanks; equal for equal sentences."""
        return _letters(self.folded)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that are not in Chinese, Japanese or Korean letters."""
        return tuple(_WORDS.findall(self.folded))

    @property
    def tells(self) -> bool:
        """Whether it is long enough that saying it twice is no accident."""
        return len(self.words) >= 4 or sum(map(len, self._cjk)) >= 6

    @cached_property
    def _cjk(self) -> list[str]:
        compact = "".join(c for c in self.folded if unicodedata.category(c)[0] not in "PZ")
        return _CJK_RUNS.findall(compact)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The numbers in it."""
        return tuple(_VALUES.findall(self.folded))

    @cached_property
    def without_values(self) -> str:
        """The key with each number replaced by one sign."""
        return _letters(_VALUES.sub("\u25a1", self.folded), keep="\u25a1")

    @property
    def forbids(self) -> bool:
        """Whether it holds a word that forbids."""
        return _NEGATION.search(self.folded) is not None

    @cached_property
    def subject(self) -> str:
        """The key without the words that demand or forbid; equal for opposite demands."""
        return _letters(_DEMAND.sub(" ", _NEGATION.sub(" ", self.folded)))

    def runs(self) -> Iterator[tuple[str, ...]]:
        """Yield every run of words or of CJK characters that counts as a repetition."""
        for start in range(len(self.words) - WORD_RUN + 1):
            yield self.words[start : start + WORD_RUN]
        for run in self._cjk:
            for start in range(len(run) - CJK_RUN + 1):
                yield (run[start : start + CJK_RUN],)


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text, a line's list mark left out."""
    parts = (_MARK.sub("", part).strip() for part in _END.split(text))
    return tuple(Sentence(part) for part in parts if part)


def joined_runs(runs: list[tuple[str, ...]]) -> str:
    """Return the first of some overlapping runs, as far as the next ones go on from it."""
    said = list(runs[0])
    if len(said) == 1:
        text = said[0]
        for (following,) in (run for run in runs[1:] if len(run) == 1):
            if following[:-1] != text[-len(following) + 1 :]:
                break
            text += following[-1]
        return text
    for run in runs[1:]:
        if list(run[:-1]) != said[-len(run) + 1 :]:
            break
        said.append(run[-1])
    return " ".join(said)


def _letters(text: str, keep: str = "") -> str:
    return "".join(c for c in text if c in keep or unicodedata.category(c)[0] in "LNM")
