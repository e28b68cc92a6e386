"""Text packs: folders of templates that override slots or whole sections.

A pack's file `{section}.md.j2` either begins with `{% extends "{section}.md.j2" %}` and then holds
the slots that it replaces, or is a whole template that stands in the section's place.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from ..inputs.errors import PackError, TemplateError, did_you_mean
from .declare import Frame, Section
from .templates import Render, Template, compile_template, parse

SUFFIX = ".md.j2"


class TextPack(Protocol):
    """What fills the slots of templates."""

    @property
    def name(self) -> str:
        """The name that stands in manifests: a fingerprint holds for one pack."""
        ...

    def template(self, name: str) -> Template | None:
        """Return the pack's own template for a section, or `None` to keep the default."""
        ...

    def slot(self, section: str, slot: str, prose: str) -> str:
        """Return the text of a slot, given its default prose."""
        ...

    def check(self, known: Iterable[str]) -> None:
        """Raise `PackError` when the pack overrides a section that is not among the known."""
        ...


class DefaultPack:
    """The project's own prose."""

    name = "default"

    def template(self, name: str) -> Template | None:
        """Return `None`: every template is the section's own."""
        return None

    def slot(self, section: str, slot: str, prose: str) -> str:
        """Return the prose."""
        return prose

    def check(self, known: Iterable[str]) -> None:
        """Accept every flow."""


class SkeletonPack(DefaultPack):
    """Fills every slot with its name, so that a prompt shows its structure alone."""

    name = "skeleton"

    def slot(self, section: str, slot: str, prose: str) -> str:
        """Return `⟦slot⟧`; a double underscore in the name is shown as a dot."""
        return f"⟦{slot.replace('__', '.')}⟧"


@dataclass(frozen=True, slots=True)
class FolderPack:
    """A folder of templates.

    Attributes:
        folder: Where the templates are.
        name: The folder's name.
    """

    folder: Path
    name: str = field(init=False)
    _templates: dict[str, Template] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.folder.name)
        if not self.folder.is_dir():
            raise PackError(f"{self.folder}: no such folder; a text pack is a folder of templates")
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            try:
                template = parse(path.read_text(encoding="utf-8"), str(path))
            except UnicodeDecodeError as error:
                raise PackError(f"{path}: not UTF-8 at byte {error.start}; save it so") from None
            if template.extends not in (None, path.name):
                raise PackError(f"{path}: it extends {template.extends!r}; extend {path.name!r}")
            self._templates[path.name.removesuffix(SUFFIX)] = template

    def template(self, name: str) -> Template | None:
        """Return the pack's template for a section, if it replaces the whole of it."""
        own = self._templates.get(name)
        return None if own is None or own.extends else own

    def slot(self, section: str, slot: str, prose: str) -> str:
        """Return the pack's text for a slot, else the default prose."""
        own = self._templates.get(section)
        return prose if own is None or not own.extends else own.slots.get(slot, prose)

    def check_slots(self, section: str, known: Iterable[str]) -> None:
        """Raise where the pack replaces a slot that the section's template does not have."""
        own = self._templates.get(section)
        for slot in own.slots if own is not None and own.extends else ():
            if slot not in known:
                raise PackError(
                    f"{self.folder / (section + SUFFIX)}: section {section!r} has no slot {slot!r}"
                    f"{did_you_mean(slot, known)}"
                )

    def check(self, known: Iterable[str]) -> None:
        """Raise where the pack has a template for a section that the flow does not have."""
        for name in self._templates:
            if name not in set(known):
                raise PackError(
                    f"{self.folder / (name + SUFFIX)}: the flow has no section {name!r}"
                    f"{did_you_mean(name, known)}"
                )


Texts = Literal["default", "skeleton"] | str | Path | TextPack


def text_pack(texts: Texts) -> TextPack:
    """Return a pack: `default`, `skeleton`, a folder, or a pack as it is.

    Raises:
        PackError: There is no such folder.
    """
    match texts:
        case "default":
            return DefaultPack()
        case "skeleton":
            return SkeletonPack()
        case str() | Path():
            return FolderPack(Path(texts))
    return texts


def section_template(declared: Section | Frame, pack: TextPack) -> Template:
    """Return the template of a section or frame under a pack, parsed and checked in itself.

    Raises:
        TemplateError: There is no template, or it holds what a template may not hold.
        PackError: The pack replaces a slot that the template does not have.
    """
    default = _default_template(declared)
    if isinstance(pack, FolderPack):
        pack.check_slots(declared.name, default.slots)
    return pack.template(declared.name) or default


def section_text(
    declared: Section | Frame,
    template: Template,
    pack: TextPack,
    finalize: Callable[[Any], str],
) -> str | Render:
    """Return the constant text of a section, or the function that renders it."""
    slots = {slot: pack.slot(declared.name, slot, prose) for slot, prose in template.slots.items()}
    return compile_template(template, slots, finalize)


_PARSED: dict[tuple[str, str], Template] = {}


def _default_template(declared: Section | Frame) -> Template:
    """Parse the section's own template, once for each content in a process."""
    if declared.text is not None:
        place, source = declared.place, declared.text
    else:
        path = declared.folder / "texts" / f"{declared.name}{SUFFIX}"
        place = "/".join(path.parts[-4:])
        try:
            source = path.read_text(encoding="utf-8")
        except OSError as error:
            raise TemplateError(
                f"{place}: {error.strerror}; {declared.place}: {declared.name} needs this "
                "template, or text= in its decorator"
            ) from None
    key = (place, source)
    if key not in _PARSED:
        _PARSED[key] = parse(source, place)
    return _PARSED[key]
