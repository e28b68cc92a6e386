"""Each flow's page shows the flow as it is."""

import pytest

from .flows import FLOWS, FlowCase, built
from .readme_tables import readme_path, theme_picture, with_table


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_the_picture_and_the_section_table_of_a_page_are_not_stale(
    case: FlowCase, accept: bool
) -> None:
    """`pytest --accept` writes it anew."""
    page = readme_path(case.name)
    text = page.read_text(encoding="utf-8")
    wanted = with_table(text, "sections", case.page_table(built(case.name)))
    wanted = with_table(wanted, "picture", theme_picture(built(case.name)))
    if accept:
        page.write_text(wanted, encoding="utf-8")
    else:
        assert text == wanted, "run pytest --accept and read the diff"
