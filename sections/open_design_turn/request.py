"""What the user asks for, with what is attached to it."""

from typing import Any, NamedTuple

from ...inputs.findings import Finding, Found
from ...inputs.javascript_text import one_line, trimmed
from ...inputs.markdown_fences import code
from ...inputs.open_design_turn import TranscriptTurn
from ...inputs.preview_comments import PreviewComment, read_comments
from ...inputs.role_lines import without_role_lines, written_turns
from ..declare import fact, gate, section


@section
def request_heading() -> None:
    """The heading of the request."""


@fact
def typed(
    message: str,
    transcript: tuple[TranscriptTurn, ...],
    latest_prompt: str,
    is_resuming: bool,
) -> str:
    """The conversation; to a CLI that has it, the latest turn alone."""
    if is_resuming:
        return without_role_lines(latest_prompt)
    return written_turns((one.role, one.text) for one in transcript) if transcript else message


@gate
def has_typed(typed: str) -> bool:
    """Open when the user typed something that is not blank."""
    return trimmed(typed) != ""


@gate
def shows_transcript(answers_form: bool, is_resuming: bool) -> bool:
    """Open when form answers stand in front of the conversation."""
    return answers_form and not is_resuming


@gate
def shows_typed(answers_form: bool, is_resuming: bool) -> bool:
    """Open when the words of the user stand in no other part: answers to a resumed CLI do."""
    return not (answers_form and is_resuming)


@section(gate=shows_transcript)
def transcript_heading() -> None:
    """The heading of the conversation behind form answers."""


@section(gate=shows_typed, keep_blank=True)
def request_body(typed: str, has_typed: bool) -> None:
    """The words of the user."""


@fact
def attached_spans(attachments: tuple[str, ...]) -> tuple[str, ...]:
    """The attached files, numbered."""
    named = [one for one in attachments if one.strip()]
    return tuple(f"{number}. {code(one)}" for number, one in enumerate(named, 1))


@gate
def has_attachments(attached_spans: tuple[str, ...]) -> bool:
    """Open when a file is attached."""
    return bool(attached_spans)


@section(gate=has_attachments)
def attached_files(attached_spans: tuple[str, ...]) -> None:
    """The attached files in the order that the user sees."""


@fact
def found_comments(comment_attachments: tuple[Any, ...]) -> Found[tuple[PreviewComment, ...]]:
    """The comments in their order, with what was unusable."""
    return read_comments(comment_attachments)


class ShownComment(NamedTuple):
    """A comment as it is shown.

    Attributes:
        before: The lines up to the comment's own words.
        images_alone: One empty entry where the user wrote nothing, so that the images speak.
        after: The lines behind.
    """

    before: tuple[str, ...]
    images_alone: tuple[str, ...]
    after: tuple[str, ...]


@fact
def shown_comments(found_comments: Found[tuple[PreviewComment, ...]]) -> tuple[ShownComment, ...]:
    """The comments as they are shown."""
    return tuple(shown_comment(one) for one in found_comments.value)


def shown_comment(one: PreviewComment) -> ShownComment:
    """Return the lines of one comment; its selector has one place, whatever else is known."""
    x, y, width, height = one.position
    before = [
        f"{one.order}. {one.element_id}",
        f"targetKind: {one.kind}",
        f"file: {one.file}",
        f"label: {one.label or '(unlabeled)'}",
        f"position: x={x}, y={y}, width={width}, height={height}",
        f"selector: {one.selector}",
        f"currentText: {one.current_text or '(empty)'}",
        f"htmlHint: {one.html_hint or '(none)'}",
        f"computedStyle: {one.style or '(none)'}",
    ]
    if not one.selector:
        before.remove("selector: ")
    said = one.comment or one.intent
    if said and not one.query:
        before.append(f"comment: {said}")
    alone = () if said or one.query else ("",)
    return ShownComment(tuple(before), alone, tuple(_behind(one)))


def _behind(one: PreviewComment) -> list[str]:
    lines = []
    if one.kind == "visual":
        lines += [f"screenshot: {one.screenshot}", f"markKind: {one.mark}"]
        lines += [f"intent: {one.intent}"] if one.intent else []
    if one.kind == "pod":
        lines.append(f"memberCount: {one.member_count}")
    for number, member in enumerate(one.members if one.kind == "pod" else (), 1):
        label = member.label or "(unlabeled)"
        lines.append(f"member.{number}: {member.element_id} | {label} | {member.selector}")
        lines += [f"member.{number}.computedStyle: {member.style}"] if member.style else []
    if one.images:
        lines.append(f"imageAttachments: {len(one.images)}")
        lines += [
            f"image.{number}: {image.path} | {image.name}"
            for number, image in enumerate(one.images, 1)
        ]
    return lines


@gate
def has_comments(shown_comments: tuple[ShownComment, ...]) -> bool:
    """Open when a comment is usable."""
    return bool(shown_comments)


@section(gate=has_comments)
def preview_comments(shown_comments: tuple[ShownComment, ...]) -> None:
    """Comments on a preview, and that nothing else may change."""


@fact
def found_images(images: tuple[str, ...]) -> Found[tuple[str, ...]]:
    """The paths of images; one that is blank or has several lines is none."""
    usable = tuple(one for one in images if one.strip() and one_line(one) == trimmed(one))
    findings = [
        Finding("image-path-unusable", f"image {number} was left out: its path is blank or broken")
        for number, one in enumerate(images, 1)
        if one not in usable
    ]
    return Found(usable, tuple(findings))


@fact
def image_mentions(found_images: Found[tuple[str, ...]]) -> str:
    """The images as the CLI takes them."""
    return " ".join(f"@{one}" for one in found_images.value)


@section(text="{{ image_mentions }}")
def image_paths(image_mentions: str) -> None:
    """The images of the request."""
