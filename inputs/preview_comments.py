"""Comments that a user pins to a preview: read from a host's JSON, made regular, put in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .findings import Finding, Found
from .javascript_text import cut, finite, one_line, rounded, text_or_empty

TargetKind = Literal["element", "pod", "visual"]

MAX_TEXT_UNITS = 160
MAX_HINT_UNITS = 180
MAX_STYLE_UNITS = 120
MAX_IMAGES = 20
MAX_MEMBERS = 8
STYLE_KEYS = (
    "color",
    "backgroundColor",
    "fontSize",
    "fontWeight",
    "lineHeight",
    "textAlign",
    "fontFamily",
    "paddingTop",
    "paddingRight",
    "paddingBottom",
    "paddingLeft",
    "borderRadius",
)
_MARKS = ("click", "click+stroke", "stroke")


@dataclass(frozen=True, slots=True)
class Member:
    """One element of a pod."""

    element_id: str
    label: str
    selector: str
    style: str


@dataclass(frozen=True, slots=True)
class Image:
    """An image that goes with a comment."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class PreviewComment:
    """One comment, as it is shown: every text on one line, cut to its bound.

    Attributes:
        id: Its id.
        order: Where it stands among the others.
        kind: What it is pinned to.
        file: The file that is previewed.
        element_id: The element.
        selector: A CSS selector; empty where a mark alone says the place.
        label: What the element is called; empty for nothing.
        position: x, y, width and height on the page, in CSS pixels.
        current_text: The element's text.
        html_hint: How its HTML begins.
        style: The computed styles, `key: value; key: value`.
        comment: What the user wrote; empty for nothing.
        query: Whether the comment is a question, whose text stands in the request itself.
        screenshot: The path of a picture of the place.
        mark: How it was marked.
        intent: What the host takes the mark for.
        member_count: How many elements the pod has.
        members: The first of them.
        images: Images that go with it, each path once.
    """

    id: str
    order: int
    kind: TargetKind
    file: str
    element_id: str
    selector: str = ""
    label: str = ""
    position: tuple[int, int, int, int] = (0, 0, 0, 0)
    current_text: str = ""
    html_hint: str = ""
    style: str = ""
    comment: str = ""
    query: bool = False
    screenshot: str = ""
    mark: str = ""
    intent: str = ""
    member_count: int = 0
    members: tuple[Member, ...] = ()
    images: tuple[Image, ...] = ()


@dataclass(slots=True)
class _Reader:
    findings: list[Finding] = field(default_factory=list)

    def comment(self, raw: Any, number: int) -> PreviewComment | None:
        fields = raw if isinstance(raw, Mapping) else {}
        kind = _kind(fields)
        file, element_id, selector, screenshot = (
            one_line(text_or_empty(fields.get(name)))
            for name in ("filePath", "elementId", "selector", "screenshotPath")
        )
        lacks = [
            name
            for name, missing in (
                ("filePath", not file),
                ("elementId", not element_id),
                ("selector", not selector and kind != "visual"),
                ("screenshotPath", not screenshot and kind == "visual"),
            )
            if missing
        ]
        if lacks:
            message = f"comment {number} was left out: it has no {' and no '.join(lacks)}"
            self.findings.append(Finding("comment-incomplete", message, severity="error"))
            return None
        order = finite(fields.get("order"))
        mark = text_or_empty(fields.get("markKind"))
        members = [one for one in _listed(fields.get("podMembers")) if isinstance(one, Mapping)]
        count = finite(fields.get("memberCount"))
        return PreviewComment(
            id=text_or_empty(fields.get("id")) or f"comment-{number}",
            order=number if order is None else max(1, rounded(order)),
            kind=kind,
            file=file,
            element_id=element_id,
            selector=selector,
            label=one_line(text_or_empty(fields.get("label"))),
            position=_position(fields),
            current_text=_compact(fields.get("currentText"), MAX_TEXT_UNITS),
            html_hint=_compact(fields.get("htmlHint"), MAX_HINT_UNITS),
            style=_style(fields.get("computedStyle") or fields.get("style")),
            comment=one_line(text_or_empty(fields.get("comment"))),
            query=fields.get("context") == "query",
            screenshot=screenshot,
            mark=mark if mark in _MARKS else "click",
            intent=one_line(text_or_empty(fields.get("intent"))),
            member_count=len(members) or rounded(count),
            members=tuple(_member(one) for one in members[:MAX_MEMBERS]),
            images=self.images(fields.get("imageAttachments"), number),
        )

    def images(self, raw: Any, number: int) -> tuple[Image, ...]:
        found: dict[str, Image] = {}
        for one in _listed(raw):
            fields = one if isinstance(one, Mapping) else {"path": one}
            path = one_line(text_or_empty(fields.get("path")))
            if path and path not in found:
                name = one_line(text_or_empty(fields.get("name"))) or path.rsplit("/", 1)[-1]
                found[path] = Image(path, name)
        if len(found) > MAX_IMAGES:
            message = f"comment {number}: {len(found) - MAX_IMAGES} of its images were left out"
            self.findings.append(Finding("too-many-images", message))
        return tuple(found.values())[:MAX_IMAGES]


def read_comments(listed: Iterable[Any]) -> Found[tuple[PreviewComment, ...]]:
    """Return the comments of a host's JSON in their order; what is unusable is a finding.

    A comment names a file and an element, and a selector unless it is a visual mark, which names a
    screenshot instead.

    Args:
        listed: Objects with the original's names (`filePath`, `elementId`, `pagePosition` …).
    """
    reader = _Reader()
    read = [reader.comment(raw, number) for number, raw in enumerate(listed, 1)]
    comments = sorted((one for one in read if one is not None), key=lambda one: one.order)
    return Found(tuple(comments), tuple(reader.findings))


def _kind(fields: Mapping[str, Any]) -> TargetKind:
    match fields.get("targetKind") or fields.get("selectionKind"):
        case "pod":
            return "pod"
        case "visual":
            return "visual"
    return "element"


def _position(fields: Mapping[str, Any]) -> tuple[int, int, int, int]:
    raw = fields.get("pagePosition") or fields.get("position")
    place = raw if isinstance(raw, Mapping) else {}
    x, y, width, height = (rounded(place.get(name)) for name in ("x", "y", "width", "height"))
    return x, y, width, height


def _compact(value: Any, max_units: int) -> str:
    return cut(one_line(text_or_empty(value)), max_units, "...").text


def _style(value: Any) -> str:
    styles = value if isinstance(value, Mapping) else {}
    pairs = ((key, _compact(styles.get(key), MAX_STYLE_UNITS)) for key in STYLE_KEYS)
    return "; ".join(f"{key}: {text}" for key, text in pairs if text)


def _member(fields: Mapping[str, Any]) -> Member:
    element_id, label, selector = (
        one_line(text_or_empty(fields.get(name))) for name in ("elementId", "label", "selector")
    )
    style = _style(fields.get("computedStyle") or fields.get("style"))
    return Member(element_id, label, selector, style)


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else ()
