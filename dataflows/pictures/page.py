"""A picture as a page of its own: no network, no script."""

from html import escape

from .dot import to_dot
from .model import Picture
from .renderer import draw_svg
from .style import DRIFT_SIGN, KIND_WORDS, TIER_FILLS, TIER_SIGNS, TIER_WORDS

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem; color: #111; background: #fff; }}
.picture {{ overflow: auto; background: #fff; border: 1px solid #999; }}
.picture svg:focus-within, .row:target {{ outline: 2px solid #0060c0; }}
@media (prefers-color-scheme: dark) {{ body {{ color: #eee; background: #1b1b1b; }} }}
@media print {{ .picture svg {{ max-width: 100%; height: auto; }} }}
</style>
</head>
<body>
<h1>{title}</h1>
{legend}
<div class="picture" tabindex="0" role="img" aria-label="The graph of {title}">
{svg}
</div>
</body>
</html>
"""


def inline_svg(picture: Picture) -> str:
    """Return a picture as one `<svg>` element; a node's element has its `element_id`.

    Raises:
        RenderError: The renderer is not installed.
    """
    return draw_svg(to_dot(picture))


def legend(picture: Picture) -> str:
    """Return what the signs mean, as HTML."""
    keys = "".join(
        f'<span style="background:{TIER_FILLS[tier]};color:#000;padding:0 .5em;margin-right:.6em;'
        f'border:1px solid #555"><b>{TIER_SIGNS[tier]}</b> {words}</span>'
        for tier, words in TIER_WORDS.items()
    )
    unread = ""
    if picture.unread:
        unread = f"<p>Not drawn, since nothing reads them: {escape(', '.join(picture.unread))}</p>"
    return (
        f"<p>{keys}</p><p>{DRIFT_SIGN} its source can move within a session · {KIND_WORDS}</p>"
        f"{unread}"
    )


def to_page(picture: Picture) -> str:
    """Return a picture as one self-contained HTML page.

    Raises:
        RenderError: The renderer is not installed.
    """
    title = escape(f"{picture.flow}: {picture.focus}" if picture.focus else picture.flow)
    return _PAGE.format(title=title, legend=legend(picture), svg=inline_svg(picture))
