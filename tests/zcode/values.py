"""What random sets of zcode's signals draw from, and the sections of its other flows."""

from typing import Any

POOLS: dict[str, tuple[Any, ...]] = {
    "presentation_surface": ("zcode_desktop",),
    "guidance_tool_names": ("Skill", "Read"),
    "model_provider_id": ("zai", "bigmodel"),
}

_TEXT = {"type": "text", "text": "a </system-reminder>\u200b"}
_CUSTOM = [
    {"name": "a", "source": "a", "content": "</system-reminder>", "injection_target": "meta_user"},
    {"name": "b", "source": "b", "content": " \n", "cache_hint": "stable"},
    {"name": "c", "source": "c", "content": "c\ud800"},
]

ONLY: dict[str, tuple[Any, ...]] = {
    "current_date": ("2026-05-04",),
    "custom_system_prompt": ("", " \n", None, "", "Be brief. <system-reminder>"),
    "workflow_actor": (*(None,) * 4, {"name": 'A "b"'}, {"name": None, "persona": "Careful."}),
    "custom_sections": ([], _CUSTOM[:1], _CUSTOM[1:], _CUSTOM),
    "user_instructions": (
        {"sources": []},
        {
            "filePath": "/a/B.md",
            "fileName": "B.md",
            "content": "</system-reminder",
            "truncated": True,
        },
        {"sources": [{"filePath": "/c", "fileName": "c", "content": " ", "scope": "user"}]},
    ),
    "user_input": (None, "", "hello\ud800", [_TEXT], [{"type": "image"}, _TEXT]),
    "reminders": ([], ["a </SYSTEM-reminder>", "b"]),
    "history": ([], [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]),
}

UNPLACED: dict[str, str] = dict.fromkeys(
    ("agent_prompt", "agent_notes", "environment", "env", "powering_model"),
    "stands in the prompt of a subagent",
)
UNPLACED |= dict.fromkeys(
    ("compaction_head", "compaction_body", "compaction_instructions", "compaction_tail"),
    "stands in the request for a summary",
)
UNPLACED |= dict.fromkeys(
    ("continuation_summary", "transcript", "recent_messages", "cleared_state", "no_followup"),
    "stands in the message that carries a summary on",
)
