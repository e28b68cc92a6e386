"""Values that random sets of minimal_agent's signals draw from."""

from typing import Any

ALL_TOOLS = [
    *("Read", "Edit", "Write", "Grep", "Glob", "Bash", "Agent", "Advisor", "AskUserQuestion"),
    *("WebSearch", "WebFetch", "WebBrowser", "RecallMemory", "TaskList"),
]

ADVISOR = {
    "enabled": True,
    "mode": "auto",
    "supportsVision": True,
    "shareSensitive": False,
    "timeoutMs": 30500,
    "provider": {"name": "p", "model": "m"},
}

POOLS: dict[str, tuple[Any, ...]] = {
    "profile": ("main", "main", "main", "subagent"),
    "memory_access": ("owner", "denied", "workspace"),
    "session_id": ("s1", "s2"),
    "project_instructions": ("RULES", "# Rules\n- one\n- two\n" * 30),
    "tasks_id": ("1", "2", "3"),
    "tasks_blocked_by": ("1", "2", "3"),
    "tasks_status": ("pending", "in_progress", "completed"),
    "advisor_mode": ("auto", "auto", "manual"),
    "memory_sections_id": ("persona", "preferences", "relevant", "health"),
    "max_instruction_chars": (0, 5, 32_768),
    "transient_budget_tokens": (0, 60, 400, 4000),
}

ONLY: dict[str, tuple[Any, ...]] = {
    "date": ("2026-03-01", "2024-02-29"),
    "time_zone": ("UTC", "UTC+08:00", "UTC-03:30"),
    "tool_names": (
        *(ALL_TOOLS, ALL_TOOLS, ALL_TOOLS, [], ["Read", "Read", "Zed"], ["a\nb", "</x>", "\ud800"]),
        *(["Advisor", "RecallMemory"], ["TaskGet", "RecallMemory", "Advisor"], ["TaskUpdate"]),
        *(["Grep", "Bash", "Agent"], ["WebBrowser", "WebFetch"]),
    ),
    "tasks": (
        [{"id": "1", "status": "pending", "title": "T", "blocked_by": ["2"]}],
        [{"id": str(n), "status": "pending", "title": f"t{n}\n</x>"} for n in range(25)],
        {"failed": "store"},
    ),
    "history": ((), [{"role": "user", "content": "before"}, {"role": "assistant", "content": "x"}]),
    "user_input": (None, "hello", "</system-reminder>", [{"type": "text", "text": "block"}]),
}
