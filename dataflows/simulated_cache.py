"""A provider's prefix cache, simulated: what a request reads, writes and sends uncached."""

from dataclasses import dataclass

from .prefix import Part, Prefix

_FIRST_PURGE = 1024


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How the prefix of one request was billed.

    Attributes:
        read_tokens: Read from the cache.
        written_tokens: Written to it.
        uncached_tokens: Of the prefix, at the plain price.
        usd: What the prefix cost.
        usd_all_read: What it would have cost if all that can be cached had been read.
    """

    read_tokens: int
    written_tokens: int
    uncached_tokens: int
    usd: float
    usd_all_read: float

    @property
    def hit(self) -> bool:
        """Whether all that can be cached was read."""
        return self.written_tokens == 0 and self.read_tokens > 0


class SimulatedCache:
    """Remembers prefixes as a provider does: up to marks, or wherever prefixes part.

    With marks an entry is found at a boundary that an earlier request wrote, at most as many
    positions in front of a mark as the provider looks back. Without marks a common prefix is found
    up to the end of the last section that is the same, rounded down. Each use refreshes an entry;
    what is not used within its lifetime is gone. A request sees what requests before it wrote.
    """

    def __init__(self) -> None:
        self._ends: dict[str, float] = {}
        self._purge_at = _FIRST_PURGE

    def __len__(self) -> int:
        return len(self._ends)

    def request(self, prefix: Prefix, seconds: float) -> CacheUse:
        """Return how a request at a time is billed, and remember what it writes."""
        self._purge(seconds)
        found = self._found(prefix, seconds)
        limit = prefix.cacheable_tokens
        read = 0 if found is None else found.end_tokens
        if prefix.model.rules.caching == "automatic":
            read -= read % prefix.model.rules.granularity_tokens
            read = 0 if read < prefix.model.min_cache_tokens else read
        read = min(read, limit)
        self._write(prefix, seconds, found)
        return _billed(prefix, read)

    def alive_tokens(self, prefix: Prefix, seconds: float) -> int:
        """Return how many tokens of a prefix a request at a time would find; nothing changes."""
        found = self._found(prefix, seconds)
        return 0 if found is None else found.end_tokens

    def _found(self, prefix: Prefix, seconds: float) -> Part | None:
        """Return the last part up to which an entry is found."""
        if not prefix.cacheable_tokens:
            return None
        reach = prefix.model.rules.lookback_positions
        automatic = prefix.model.rules.caching == "automatic"
        mark: int | None = None
        for part in reversed(prefix.parts):
            mark = part.position if part.marked else mark
            near = automatic or (mark is not None and mark - part.position < reach)
            if near and self._ends.get(part.digest, float("-inf")) >= seconds:
                return part
        return None

    def _write(self, prefix: Prefix, seconds: float, found: Part | None) -> None:
        if not prefix.cacheable_tokens:
            return
        automatic = prefix.model.rules.caching == "automatic"
        for part in prefix.parts:
            known = found is not None and part.end_tokens <= found.end_tokens
            used = known and self._ends.get(part.digest, float("-inf")) >= seconds
            if automatic or part.marked or used:
                self._ends[part.digest] = seconds + prefix.lifetime(part).seconds

    def _purge(self, seconds: float) -> None:
        """Forget what is gone, now and then, so that memory follows what is alive."""
        if len(self._ends) >= self._purge_at:
            self._ends = {one: end for one, end in self._ends.items() if end >= seconds}
            self._purge_at = max(_FIRST_PURGE, 2 * len(self._ends))


def _billed(prefix: Prefix, read: int) -> CacheUse:
    price, factor = prefix.model.usd_per_token, prefix.model.read_factor
    written = 0
    units = 0.0
    for part in prefix.parts:
        cached = prefix.cached_of(part)
        new = min(cached, max(part.start_tokens + cached - read, 0))
        written += new
        units += new * prefix.write_factor(part)
    uncached = prefix.tokens - prefix.cacheable_tokens
    usd = price * (units + read * factor + uncached)
    all_read = price * (prefix.cacheable_tokens * factor + uncached)
    return CacheUse(read, written, uncached, usd, all_read)
