"""A table of answers: a row for each signal."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from pydantic_core import to_jsonable_python

from ..inputs.errors import UnknownNameError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd


class NamedRow(Protocol):
    """A row that is known by a name: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str:
        """The name."""
        ...


Row = TypeVar("Row", bound=NamedRow)


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """Rows of one answer.

    Attributes:
        flow: The flow's name.
        rows: One a signal.
    """

    flow: str
    rows: tuple[Row, ...]

    def row(self, name: str) -> Row:
        """Return the row of a signal by its dotted name.

        Raises:
            UnknownNameError: There is none.
        """
        names = [one.name for one in self.rows]
        if name not in names:
            raise UnknownNameError(f"no signal {name!r}{did_you_mean(name, names)}")
        return self.rows[names.index(name)]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data for JSON."""
        return dict(to_jsonable_python(asdict(self), fallback=str))

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a table; the columns are the fields of a row."""
        import pandas as pd

        return pd.DataFrame([asdict(one) for one in self.rows]).set_index("name")

    def _repr_html_(self) -> str:
        from .answer_displays import fields_html  # only in notebooks

        return fields_html(self)
