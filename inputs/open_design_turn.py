"""The signals of one turn of open_design, in the names of its own JSON.

What a host sends as lists of loose objects is taken as it is, cleaned; facts make it regular, and
what they leave out is a finding.
"""

from typing import Literal

from pydantic import Field

from .open_design_host import Host
from .open_design_text import Json
from .signals import SessionSignals, Signals
from .stable_instructions import injective_hash
from .text import Text


class Research(Signals):
    """Whether and how the turn may search.

    Attributes:
        enabled: Whether the command is offered.
        query: What to search for; the message where it is blank.
        max_sources: How many sources; any JSON value.
    """

    enabled: bool = False
    query: Text | None = None
    max_sources: Json = None


class TitleGeneration(Signals):
    """Whether the reply should carry a title of the conversation."""

    enabled: bool = False


class TranscriptTurn(Signals):
    """One turn of a conversation."""

    role: Literal["user", "assistant"]
    text: Text


class OpenDesignTurn(SessionSignals):
    """What one user turn is made of; the three instruction texts come from elsewhere."""

    message: Text = Field("", description="the transcript, or the message where there is none")
    transcript: tuple[TranscriptTurn, ...] = Field(
        (), description="the conversation; given, it stands in place of the message"
    )
    current_prompt: Text | None = Field(
        None,
        description="what the user sent this turn",
        examples=[
            "[form answers — Discovery]\n- What are we making?: Deck",
            "[form answers — Voice]\n- Which voice?: Ada",
        ],
    )
    is_resuming: bool = Field(False, description="whether the CLI still has the conversation")
    stored_stable_prompt_hash: Text | None = Field(
        None,
        description="the hash of the stable instructions that the CLI has",
        examples=[injective_hash(("", "", ""))],
    )
    daemon_system_prompt: Text = Field("", description="the composed system prompt")
    runtime_tool_prompt: Text = Field("", description="the contract of the runtime's tools")
    system_prompt: Text = Field("", description="the client's own instructions")
    final_override: Text = Field("", description="stands last among the instructions, once")
    browser_use_prompt_guard: Text = Field("", description="rules for a browser in use")
    run_profile: Literal["filesystem", "text_artifact"] | None = Field(
        None, description="how results are handed over; null speaks of artifacts"
    )
    research: Research = Research()
    title_generation: TitleGeneration = TitleGeneration()
    run_contexts: tuple[Json, ...] = Field(
        (),
        description="selections, those of the project first",
        examples=[
            [
                {
                    "workspaceItems": [
                        {"id": "f1", "kind": "file", "label": "App", "path": "src/app.ts"}
                    ]
                }
            ],
            [
                {"pluginIds": ["charts"], "mcpServerIds": ["files"], "connectorIds": ["crm"]},
                {
                    "workspaceItems": [
                        {"id": "f1", "kind": "file", "label": "App", "path": "src/app.ts"}
                    ]
                },
            ],
        ],
    )
    context_catalog: Json = Field(
        None,
        description="contextPlugins, contextMcpServers and contextConnectors, for labels",
        examples=[{"contextPlugins": [{"id": "charts", "title": "Charts"}]}],
    )
    cwd: Text | None = Field(None, description="where the CLI works; blank shows no workspace")
    files: tuple[Json, ...] = Field(
        (),
        description="the design files: path, name, kind, size",
        examples=[[{"path": "index.html", "kind": "html"}, {"path": "notes.md", "size": 12}]],
    )
    folders: tuple[Json, ...] = Field(
        (), description="their folders: path, name", examples=[[{"path": "assets"}]]
    )
    linked_dirs: tuple[Text, ...] = Field((), description="folders of code, for reading alone")
    attachments: tuple[Text, ...] = Field((), description="attached files inside cwd")
    comment_attachments: tuple[Json, ...] = Field(
        (),
        description="comments on a preview",
        examples=[
            [
                {
                    "filePath": "index.html",
                    "elementId": "hero",
                    "selector": "#hero",
                    "comment": "More contrast.",
                },
                {
                    "filePath": "index.html",
                    "elementId": "cards",
                    "selector": "#a",
                    "comment": "Fewer.",
                },
            ]
        ],
    )
    images: tuple[Text, ...] = Field((), description="the paths of images")
    host: Host = Field(default_factory=Host)
