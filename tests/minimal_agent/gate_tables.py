"""When each gate of minimal_agent is open: its arguments, and the answer."""

from promptdag.inputs.minimal_agent_sources import AdvisorConfig, AdvisorProvider, FailedSource
from promptdag.sections.minimal_agent.project import ShownInstructions
from promptdag.sections.minimal_agent.tasks import ActiveTask, ActiveTasks

Table = list[tuple[dict[str, object], bool]]

FAILED = FailedSource(failed="no file")
_PROVIDER = AdvisorProvider(name="p", model="m")


def config(**fields: object) -> AdvisorConfig:
    """Return an advisor that is off, of another mode, without images, but for what is given."""
    plain = {"enabled": False, "mode": "x", "timeout_ms": 1, "provider": _PROVIDER}
    return AdvisorConfig.model_validate(plain | fields)


def capability_table(*required: str) -> Table:
    """Return the rows of a gate that needs these capabilities, all of them."""
    everything = {"files.read", "files.edit", "files.search", "shell", "agents", "advisor"}
    everything |= {"questions", "web.search", "web.fetch", "web.browse", "memory", "tasks"}
    rows: Table = [
        ({"capabilities": frozenset()}, False),
        ({"capabilities": frozenset(required)}, True),
        ({"capabilities": frozenset(everything)}, True),
    ]
    return rows + [({"capabilities": frozenset(everything - {one})}, False) for one in required]


def memory_table() -> Table:
    """Return the whole table: six accesses, owner or not, tool or not."""
    rows: Table = []
    for access in (None, "owner", "workspace", "", "denied", "Denied"):
        for owner in (False, True):
            for names in ((), ("Read", "RecallMemory")):
                allowed = owner if access is None else access != "denied"
                given = {"memory_access": access, "owner_local_session": owner}
                rows.append((given | {"tool_names": names}, allowed and bool(names)))
    return rows


_TASK = ActiveTask("1", "pending", "T")

TABLES: dict[str, Table] = {
    "talks_with_user": [
        ({"profile": "main"}, True),
        ({"profile": "subagent"}, False),
        ({"profile": ""}, False),
    ],
    "can_edit_files": capability_table("files.read", "files.edit"),
    "can_search_and_run": capability_table("files.search", "shell"),
    "can_delegate": capability_table("agents"),
    "can_ask_advisor": capability_table("advisor"),
    "can_ask_user": capability_table("questions"),
    "can_search_web": capability_table("web.search"),
    "can_fetch_and_browse": capability_table("web.fetch", "web.browse"),
    "can_browse": capability_table("web.browse"),
    "browser_is_supervised": [
        ({"supervised_browser": True}, True),
        ({"supervised_browser": False}, False),
    ],
    "nobody_answers": [({"interactive_ask": True}, False), ({"interactive_ask": False}, True)],
    "memory_is_open": memory_table(),
    "has_advisor": [
        ({"profile": "main", "tool_names": ("Advisor",)}, True),
        ({"profile": "main", "tool_names": ("Read", "advisor")}, False),
        ({"profile": "subagent", "tool_names": ("Advisor",)}, False),
        ({"profile": "subagent", "tool_names": ()}, False),
    ],
    "advisor_is_readable": [
        ({"advisor": None}, True),
        ({"advisor": config()}, True),
        ({"advisor": FAILED}, False),
    ],
    "advisor_is_configured": [
        ({"advisor": None}, False),
        ({"advisor": config()}, True),
        ({"advisor": FAILED}, False),
    ],
    "advisor_is_enabled": [
        ({"advisor": None}, False),
        ({"advisor": config()}, False),
        ({"advisor": config(enabled=True)}, True),
        ({"advisor": FAILED}, False),
    ],
    "advisor_is_automatic": [
        ({"advisor": None}, False),
        ({"advisor": config(mode="Auto")}, False),
        ({"advisor": config(mode="auto")}, True),
        ({"advisor": FAILED}, False),
    ],
    "advisor_sees_images": [
        ({"advisor": None}, False),
        ({"advisor": config()}, False),
        ({"advisor": config(supports_vision=True)}, True),
        ({"advisor": FAILED}, False),
    ],
    "has_skills": [
        ({"listed_skills": ()}, False),
        ({"listed_skills": ("a",)}, True),
        ({"listed_skills": ("a", "b")}, True),
    ],
    "shows_plugins": [
        ({"include_plugins": None, "profile": "main", "listed_plugins": ("x",)}, True),
        ({"include_plugins": None, "profile": "main", "listed_plugins": ()}, False),
        ({"include_plugins": None, "profile": "subagent", "listed_plugins": ("x",)}, False),
        ({"include_plugins": True, "profile": "subagent", "listed_plugins": ("x",)}, True),
        ({"include_plugins": True, "profile": "subagent", "listed_plugins": ()}, False),
        ({"include_plugins": False, "profile": "main", "listed_plugins": ("x",)}, False),
    ],
    "shows_instructions": [
        ({"include_project_instructions": True, "project_instructions": "RULES"}, True),
        ({"include_project_instructions": True, "project_instructions": ""}, False),
        ({"include_project_instructions": True, "project_instructions": " \n"}, False),
        ({"include_project_instructions": False, "project_instructions": "RULES"}, False),
        ({"include_project_instructions": True, "project_instructions": FAILED}, False),
        ({"include_project_instructions": False, "project_instructions": FAILED}, False),
    ],
    "instructions_are_cut": [
        ({"shown_instructions": ShownInstructions("all", 0)}, False),
        ({"shown_instructions": ShownInstructions("a part", 1)}, True),
        ({"shown_instructions": ShownInstructions("", 2)}, True),
    ],
    "shows_tasks": [
        *(
            (
                {
                    "session_id": "s",
                    "tool_names": (name,),
                    "active_tasks": ActiveTasks((_TASK,), 0),
                },
                name.startswith("Task"),
            )
            for name in ("TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "Read")
        ),
        (
            {
                "session_id": "",
                "tool_names": ("TaskGet",),
                "active_tasks": ActiveTasks((_TASK,), 0),
            },
            False,
        ),
        (
            {"session_id": "s", "tool_names": ("TaskGet",), "active_tasks": ActiveTasks((), 0)},
            False,
        ),
        ({"session_id": "", "tool_names": (), "active_tasks": ActiveTasks((), 0)}, False),
    ],
    "tasks_are_hidden": [
        ({"active_tasks": ActiveTasks((), 0)}, False),
        ({"active_tasks": ActiveTasks((_TASK,), 1)}, True),
        ({"active_tasks": ActiveTasks((_TASK,), 2)}, True),
    ],
}
