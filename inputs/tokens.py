"""Token counts of prompt text, offline: nothing is downloaded, ever.

Counts are exact for one named encoding, or an estimate that says so (`exact` is false). There is
no silent fallback from one to the other: a counter that cannot be had is an error.

Source: vocabularies o200k_base and cl100k_base, compiled into `toktok-rs`; compared with tiktoken
in the tests. They differ for U+017F after an apostrophe and for letters newer than tiktoken's
Unicode tables.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from threading import Lock
from typing import Literal, Protocol, get_args, runtime_checkable

from .errors import PromptdagError, UnknownNameError, did_you_mean

Encoding = Literal["o200k_base", "cl100k_base"]

_SURROGATES = re.compile("[\ud800-\udfff]")
_CJK = re.compile("[\u4e00-\u9fff]")


class TokenCountError(PromptdagError):
    """A counter that cannot be loaded, or that returned what is no count."""


@runtime_checkable
class TokenCounter(Protocol):
    """What counts tokens; any object with these three members will do.

    `count` never raises: special-token literals are ordinary text, lone surrogates count as
    U+FFFD, which is what `replace_surrogates` sends in their place.
    """

    @property
    def id(self) -> str:
        """Encoding, backend and version: `o200k_base/toktok-rs/0.3.0`; for manifests and caches."""
        ...

    @property
    def exact(self) -> bool:
        """Whether the counts are those of a real tokenizer, not an estimate."""
        ...

    def count(self, text: str, /) -> int:
        """Return the number of tokens, 0 or more."""
        ...


def replace_surrogates(text: str) -> str:
    """Return the text with U+FFFD for every lone surrogate, so that it can be encoded."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


# Counts by tiktoken with the published vocabularies: (text, o200k_base, cl100k_base).
_GOLDEN_COUNTS = (
    ("", 0, 0),
    ("The quick brown fox jumps over the lazy dog.\n", 10, 10),
    ("def f(x):\n    return x ** 2  # 40,000\n", 17, 17),
    ("系统提示词由许多片段组成。", 10, 13),
    ("👩‍👩‍👧 caf\u00e9 cafe\u0301\n\n\n", 12, 17),
    ("a<|endoftext|>b", 9, 9),
)


class ExactCounter:
    """Counts in one byte-pair encoding, checked against known counts when it is made.

    Use `exact_counter`, which makes each of them once: loading takes about 0.3 seconds and 70 MB.
    """

    exact = True

    def __init__(self, encoding: Encoding = "o200k_base") -> None:
        self.encoding: Encoding = encoding
        self._count = _backend(encoding)
        self.id = f"{encoding}/toktok-rs/{version('toktok-rs')}"
        column = get_args(Encoding).index(encoding) + 1
        for golden in _GOLDEN_COUNTS:
            if (found := self._count(golden[0])) != golden[column]:
                raise TokenCountError(
                    f"{self.id}: {golden[0]!r} is {golden[column]} tokens, counted {found}; "
                    f"install a version of toktok-rs that promptdag allows"
                )

    def count(self, text: str, /) -> int:
        """Return the number of tokens of the text as ordinary text."""
        try:
            return self._count(text)
        except UnicodeEncodeError:
            return self._count(replace_surrogates(text))

    def __reduce__(self) -> tuple[Callable[[Encoding], "ExactCounter"], tuple[Encoding]]:
        """Pickle the name: the vocabulary is loaded again where it is needed."""
        return exact_counter, (self.encoding,)


def _backend(encoding: Encoding) -> Callable[[str], int]:
    try:
        import toktok
    except ImportError as error:
        raise TokenCountError(
            f"{encoding}: toktok-rs cannot be imported ({error}); install it, or pass "
            f"an estimate on purpose: counter_named('bytes/4')"
        ) from error
    try:
        # Private, and four times faster on short texts than the public batch of one.
        return toktok._encoding(encoding).count  # type: ignore[no-any-return]
    except AttributeError:
        return lambda text: int(toktok.batch_count([text], encoding, threads=1)[0])


@cache
def exact_counter(encoding: Encoding = "o200k_base") -> ExactCounter:
    """Return the exact counter of an encoding, loaded once per process."""
    return ExactCounter(encoding)


@dataclass(frozen=True, slots=True)
class CallableCounter:
    """A function that counts, with a name.

    Attributes:
        id: What manifests and reports show.
        function: Gets text without lone surrogates. It must take special-token literals as
            ordinary text (tiktoken: `encode_ordinary`, never `encode`).
        exact: Whether this is a real tokenizer.
        undercount_limit: A real byte-level tokenizer counts at most this many times what this
            counter says, for any text; `None` where nothing is known.
    """

    id: str
    function: Callable[[str], int]
    exact: bool = False
    undercount_limit: int | None = None

    def count(self, text: str, /) -> int:
        """Return what the function returns.

        Raises:
            TokenCountError: It returned something that is not a whole number of 0 or more.
        """
        count = self.function(replace_surrogates(text))
        if not isinstance(count, int) or count < 0:
            raise TokenCountError(
                f"counter {self.id!r} returned {count!r} for a text of {len(text)} characters; "
                f"return a whole number of 0 or more"
            )
        return count


def _bytes_by(divisor: int) -> Callable[[str], int]:
    # No byte-level tokenizer makes more tokens than bytes: hence the limit of the estimate.
    return lambda text: -(-len(text.encode()) // divisor)


def _cjk_by_three(text: str) -> int:
    cjk = len(_CJK.findall(text))
    return -(-(2 * cjk + len(text) - cjk) // 3)


_ESTIMATES = {
    estimate.id: estimate
    for estimate in (
        CallableCounter("bytes/4", _bytes_by(4), undercount_limit=4),
        CallableCounter("bytes/3", _bytes_by(3), undercount_limit=3),
        CallableCounter("cjk/3", _cjk_by_three, undercount_limit=12),
    )
}


def counter_named(name: str) -> TokenCounter:
    """Return a counter by its name.

    | name | counts | against o200k_base, median (5th percentile) |
    |---|---|---|
    | `o200k_base`, `cl100k_base` | exactly | |
    | `bytes/4` | UTF-8 bytes by 4, rounded up | English .93 (.70), Chinese .94 (.79), JSON .61 |
    | `bytes/3` | UTF-8 bytes by 3: when it should not undershoot | English 1.24, JSON .81 |
    | `cjk/3` | 2 for U+4E00 to U+9FFF, else 1, by 3 | what minimal-agent's flow assumes |

    Raises:
        UnknownNameError: There is no counter of that name.
    """
    if name in get_args(Encoding):
        return exact_counter(name)
    if name in _ESTIMATES:
        return _ESTIMATES[name]
    known = (*get_args(Encoding), *_ESTIMATES)
    raise UnknownNameError(
        f"token counter {name!r} is unknown{did_you_mean(name, known)}; "
        f"known are {', '.join(known)}"
    )


class CachedCounter:
    """Remembers the counts of the texts counted last; safe to share between threads.

    Attributes:
        counter: What counts a text that is not remembered.
        max_entries: How many counts are kept; the one that was not asked for the longest goes.
        hits: How often a count was remembered.
        misses: How often it was not.
    """

    def __init__(self, counter: TokenCounter, max_entries: int = 16_384) -> None:
        self.counter = counter
        self.max_entries = max_entries
        self.id = counter.id
        self.exact = counter.exact
        self.hits = self.misses = 0
        self._counts: OrderedDict[str | bytes, int] = OrderedDict()
        self._lock = Lock()

    def count(self, text: str, /) -> int:
        """Return the remembered count, or count and remember."""
        key = _cache_key(text)
        with self._lock:
            if (known := self._counts.get(key)) is not None:
                self._counts.move_to_end(key)
                self.hits += 1
                return known
        count = self.counter.count(text)
        with self._lock:
            self.misses += 1
            self._counts[key] = count
            if len(self._counts) > self.max_entries:
                self._counts.popitem(last=False)
        return count

    def __len__(self) -> int:
        return len(self._counts)

    def __reduce__(self) -> tuple[type["CachedCounter"], tuple[TokenCounter, int]]:
        """Pickle what was asked for, without the counts and the lock."""
        return CachedCounter, (self.counter, self.max_entries)


def _cache_key(text: str) -> str | bytes:
    # A digest in place of a long text: the memory of the cache is bounded by its entries.
    if len(text) <= 128:
        return text
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()


@cache
def default_counter() -> TokenCounter:
    """Return the process's shared counter: o200k_base, exact, with remembered counts."""
    return CachedCounter(exact_counter())
