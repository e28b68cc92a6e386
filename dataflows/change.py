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
    """

    fields: tuple[str, ...]
    sections: tuple[str, ...]
    first_byte: int | None
    rewritten_bytes: int
    fingerprint_before: str
    fingerprint: str

    @property
    def changed(self) -> bool:
        """Whether the prefix differs."""
        return self.fingerprint != self.fingerprint_before

    def _repr_html_(self) -> str:
        from .displays import change_html  # only in notebooks

        return change_html(self)

    def __str__(self) -> str:
        if not self.changed:
            fields = ", ".join(self.fields)
            return "the prefix is the same" + (
                f" (changed without effect: {fields})" * bool(fields)
            )
        return (
            f"{', '.join(self.fields) or 'texts'} changed {', '.join(self.sections) or 'tools'}: "
            f"{self.rewritten_bytes} bytes are rewritten from byte {self.first_byte}"
        )
