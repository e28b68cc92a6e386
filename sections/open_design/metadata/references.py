"""What the metadata block refers to: contexts, a prompt to be inspired by, a template."""

from collections.abc import Iterable
from typing import NamedTuple

from ....inputs.javascript_text import Cut, cut
from ....inputs.markdown_fences import Fenced, fenced
from ....inputs.open_design import TemplateFile
from ....inputs.open_design_metadata import ContextConnector, ContextMcpServer, ContextPlugin, Kind
from ...declare import fact, gate, section

MAX_PROMPT_UNITS = 4000
MAX_FILE_UNITS = 12000


class Reference(NamedTuple):
    """One thing that was mentioned: its name, and ` (id)` and ` — detail` where there are any."""

    name: str
    note: str


def _reference(name: str | None, own_id: str | None, details: Iterable[str | None]) -> Reference:
    detail = " · ".join(one for one in details if one)
    note = f" (`{own_id}`)" if own_id else ""
    return Reference(name or own_id or "", note + (f" — {detail}" if detail else ""))


@fact
def plugin_references(
    metadata_context_plugins: tuple[ContextPlugin, ...] | None,
) -> tuple[Reference, ...]:
    """The plugins that were mentioned; one without a title and an id is left out."""
    given = (_reference(p.title, p.id, (p.description,)) for p in metadata_context_plugins or ())
    return tuple(one for one in given if one.name)


@gate
def mentions_plugins(metadata_context_plugins: tuple[ContextPlugin, ...] | None) -> bool:
    """Open when plugins were mentioned, be they without a name."""
    return bool(metadata_context_plugins)


@section(gate=mentions_plugins)
def plugin_context(plugin_references: tuple[Reference, ...]) -> None:
    """Plugins that were mentioned with @."""


@fact
def mcp_references(
    metadata_context_mcp_servers: tuple[ContextMcpServer, ...] | None,
) -> tuple[Reference, ...]:
    """The servers that were mentioned; one without a label and an id is left out."""
    given = (_reference(s.label, s.id, (s.transport,)) for s in metadata_context_mcp_servers or ())
    return tuple(one for one in given if one.name)


@gate
def mentions_mcp(metadata_context_mcp_servers: tuple[ContextMcpServer, ...] | None) -> bool:
    """Open when servers were mentioned, be they without a name."""
    return bool(metadata_context_mcp_servers)


@section(gate=mentions_mcp)
def mcp_context(mcp_references: tuple[Reference, ...]) -> None:
    """Servers that were mentioned with @."""


@fact
def connector_references(
    metadata_context_connectors: tuple[ContextConnector, ...] | None,
) -> tuple[Reference, ...]:
    """The connectors that were mentioned; one without a name and an id is left out."""
    given = (
        _reference(c.name, c.id, (c.provider, c.status, c.account_label))
        for c in metadata_context_connectors or ()
    )
    return tuple(one for one in given if one.name)


@gate
def mentions_connectors(metadata_context_connectors: tuple[ContextConnector, ...] | None) -> bool:
    """Open when connectors were mentioned, be they without a name."""
    return bool(metadata_context_connectors)


@section(gate=mentions_connectors)
def connector_context(connector_references: tuple[Reference, ...]) -> None:
    """Connectors that were mentioned with @."""


@gate
def has_prompt_template(
    metadata_kind: Kind | None, metadata_prompt_template_prompt: str | None
) -> bool:
    """Open when the kind is image or video, and a prompt template's prompt is not blank."""
    return metadata_kind in ("image", "video") and bool(metadata_prompt_template_prompt)


@fact
def prompt_template_title(metadata_prompt_template_title: str | None) -> str:
    """The prompt template's title in its heading."""
    return metadata_prompt_template_title or "untitled"


@fact
def prompt_template_facts(
    metadata_prompt_template_category: str | None,
    metadata_prompt_template_model: str | None,
    metadata_prompt_template_aspect: str | None,
    metadata_prompt_template_tags: tuple[str, ...] | None,
) -> str:
    """What is known of the prompt template, on one line."""
    told = {
        "category": metadata_prompt_template_category,
        "suggested model": metadata_prompt_template_model,
        "aspect": metadata_prompt_template_aspect,
        "tags": ", ".join(metadata_prompt_template_tags or ()),
    }
    return " · ".join(f"{name}: {value}" for name, value in told.items() if value)


@gate
def has_prompt_facts(prompt_template_facts: str) -> bool:
    """Open when a category, model, aspect or tag of the prompt template is known."""
    return prompt_template_facts != ""


@gate
def has_prompt_summary(metadata_prompt_template_summary: str | None) -> bool:
    """Open when the prompt template has a summary."""
    return bool(metadata_prompt_template_summary)


def _noticed(kept: Cut, notice: str) -> Fenced:
    left_out = notice.format(kept.left_out_units) if kept.left_out_units else ""
    return fenced(kept.text + left_out)


@fact
def prompt_template_text(metadata_prompt_template_prompt: str | None) -> Fenced:
    """The prompt template's prompt up to its bound, in a fence."""
    kept = cut(metadata_prompt_template_prompt or "", MAX_PROMPT_UNITS)
    return _noticed(kept, "\n… (truncated {} chars)")


@fact
def prompt_template_source(
    metadata_prompt_template_source_repo: str | None,
    metadata_prompt_template_source_url: str | None,
    metadata_prompt_template_source_author: str | None,
    metadata_prompt_template_source_license: str | None,
) -> str:
    """Where the prompt template comes from; empty where nothing names a source."""
    repo = metadata_prompt_template_source_repo or metadata_prompt_template_source_url
    author = metadata_prompt_template_source_author
    if not repo and not author:
        return ""
    maker = " ".join(one for one in (repo, f"by {author}" if author else "") if one)
    return f"{maker} — license {metadata_prompt_template_source_license or 'unspecified'}"


@gate
def has_prompt_source(prompt_template_source: str) -> bool:
    """Open when the prompt template's repository, address or author is known."""
    return prompt_template_source != ""


@section(gate=has_prompt_template)
def reference_prompt_template(
    prompt_template_title: str,
    has_prompt_facts: bool,
    prompt_template_facts: str,
    has_prompt_summary: bool,
    metadata_prompt_template_summary: str | None,
    prompt_template_text: Fenced,
    has_prompt_source: bool,
    prompt_template_source: str,
) -> None:
    """A prompt to be inspired by."""


class ShownFile(NamedTuple):
    """A template's file as it is shown.

    Attributes:
        name: Its name.
        ticks: A fence that it cannot close.
        text: Its content up to its bound, with a notice where something is left out.
    """

    name: str
    ticks: str
    text: str


@gate
def has_template_files(
    metadata_kind: Kind | None, template_files: tuple[TemplateFile, ...] | None
) -> bool:
    """Open when the kind is template, and a template with files is given."""
    return metadata_kind == "template" and bool(template_files)


@fact
def template_description_note(template_description: str | None) -> str:
    """What the template's description adds to its heading."""
    return f" ({template_description})" if template_description else ""


@fact
def shown_template_files(template_files: tuple[TemplateFile, ...] | None) -> tuple[ShownFile, ...]:
    """The template's files, each up to its bound and in a fence."""
    return tuple(
        ShownFile(
            one.name,
            *_noticed(
                cut(one.content, MAX_FILE_UNITS), "\n<!-- … truncated ({} chars omitted) -->"
            ),
        )
        for one in template_files or ()
    )


@section(gate=has_template_files)
def template_reference(
    template_name: str | None,
    template_description_note: str,
    shown_template_files: tuple[ShownFile, ...],
) -> None:
    """A template to work from, file by file."""
