"""One user turn of open_design: what a CLI without a system channel is sent as one message."""

from .answered import build_override, generic_override, transition
from .for_this_turn import browser_rules, research_contract, selected_context, title_task
from .instructions import echo_guard, instructions_heading
from .request import (
    attached_files,
    image_paths,
    preview_comments,
    request_body,
    request_heading,
    transcript_heading,
)
from .stable import (
    client_instructions,
    daemon_instructions,
    override_instructions,
    runtime_instructions,
)
from .workspace import design_files, linked_folders

__all__ = [
    "attached_files",
    "browser_rules",
    "build_override",
    "client_instructions",
    "daemon_instructions",
    "design_files",
    "echo_guard",
    "generic_override",
    "image_paths",
    "instructions_heading",
    "linked_folders",
    "override_instructions",
    "preview_comments",
    "request_body",
    "request_heading",
    "research_contract",
    "runtime_instructions",
    "selected_context",
    "title_task",
    "transcript_heading",
    "transition",
]
