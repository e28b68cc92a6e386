"""Each flow's page shows the flow as it is."""

import pytest
from promptdag.dataflows.pictures import inline_svg

from .flows import FLOWS, FlowCase, built
from .readme_tables import (
    allowed_table,
    picture_path,
    picture_stamp,
    readme_path,
    theme_picture,
    with_table,
)


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_the_tables_of_a_page_are_not_stale(case: FlowCase, accept: bool) -> None:
    """`pytest --accept` writes it anew."""
    page = readme_path(case.name)
    text = page.read_text(encoding="utf-8")
    wanted = with_table(text, "sections", case.page_table(built(case.name)))
    wanted = with_table(wanted, "allowed", allowed_table(case.name))
    if accept:
        page.write_text(wanted, encoding="utf-8")
    else:
        assert text == wanted, "run pytest --accept and read the diff"


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_the_picture_of_a_page_is_not_stale(case: FlowCase, accept: bool) -> None:
    """It tells what it was drawn from; another version of the renderer makes it no older."""
    assert "](picture.svg)" in readme_path(case.name).read_text(encoding="utf-8")
    picture, path = theme_picture(built(case.name)), picture_path(case.name)
    stamp = picture_stamp(picture)
    if accept:
        path.write_text(f"{inline_svg(picture)}{stamp}\n", encoding="utf-8")
    else:
        shown = path.read_text(encoding="utf-8").splitlines()[-1]
        assert shown == stamp, "run pytest --accept and look at the picture"
