"""What an update or a resume changed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """What an update or a resume changed.

    Attributes:
        fields: The signals whose values differ, by their dotted names.
        sections: The sections whose texts differ.
        first_byte: The offset of the first byte that differs, in UTF-8 bytes of the block texts
            one after another; `None` when all are the same.
        rewritten_bytes: How many bytes stand from there to the end.
        fingerprint_before: The fingerprint before.
        fingerprint: The fingerprint now.
        overrides: The overrides that only one of the two has: `append desk by ops`.
    """

    fields: tuple[str, ...]
    sections: tuple[str, ...]
    first_byte: int | None
    rewritten_bytes: int
    fingerprint_before: str
    fingerprint: str
    overrides: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the prefix differs."""
        return self.fingerprint != self.fingerprint_before

    def _repr_html_(self) -> str:
        from .displays import change_html  # only in notebooks

        return change_html(self)

    def __str__(self) -> str:
        causes = ", ".join((*self.fields, *(f"override {one}" for one in self.overrides)))
        if not self.changed:
            return "the prefix is the same" + (
                f" (changed without effect: {causes})" if causes else ""
            )
        return (
            f"{causes or 'texts'} changed {', '.join(self.sections) or 'tools'}: "
            f"{self.rewritten_bytes} bytes are rewritten from byte {self.first_byte}"
        )
