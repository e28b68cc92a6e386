"""The unfinished tasks of the session."""

from typing import NamedTuple

from ...inputs.minimal_agent_sources import FailedSource, Task
from ..declare import fact, fragment, gate

MAX_SHOWN_TASKS = 20

_TASK_TOOLS = frozenset({"TaskCreate", "TaskGet", "TaskUpdate", "TaskList"})


class ActiveTask(NamedTuple):
    """A task as it is shown; its status is `blocked` while it waits for another one."""

    id: str
    status: str
    title: str


class ActiveTasks(NamedTuple):
    """The unfinished tasks.

    Attributes:
        shown: The first of them.
        hidden_count: How many more there are.
    """

    shown: tuple[ActiveTask, ...]
    hidden_count: int


@fact
def tasks_query(workspace_id: str, session_id: str, cwd: str) -> dict[str, str]:
    """What the task store is asked."""
    return {"workspaceId": workspace_id, "sessionId": session_id, "cwd": cwd}


@fact
def active_tasks(tasks: tuple[Task, ...] | FailedSource) -> ActiveTasks:
    """The unfinished tasks in their order, the first twenty to be shown."""
    if isinstance(tasks, FailedSource):
        return ActiveTasks((), 0)
    unfinished = {one.id for one in tasks if one.status != "completed"}
    active = [
        ActiveTask(one.id, effective_status(one, unfinished), one.title)
        for one in tasks
        if one.status != "completed"
    ]
    return ActiveTasks(tuple(active[:MAX_SHOWN_TASKS]), len(active[MAX_SHOWN_TASKS:]))


def effective_status(task: Task, unfinished: set[str]) -> str:
    """Return `blocked` while any task that blocks this one is unfinished, else its own status."""
    return task.status if unfinished.isdisjoint(task.blocked_by) else "blocked"


@gate
def shows_tasks(session_id: str, tool_names: tuple[str, ...], active_tasks: ActiveTasks) -> bool:
    """Open when there is a session, a tool for tasks, and a task that is not finished."""
    return session_id != "" and not _TASK_TOOLS.isdisjoint(tool_names) and active_tasks.shown != ()


@gate
def tasks_are_hidden(active_tasks: ActiveTasks) -> bool:
    """Open when there are more unfinished tasks than are shown."""
    return active_tasks.hidden_count > 0


@fragment("tasks.active", kind="task", authority="constraint", priority=85, gate=shows_tasks)
def tasks_active(active_tasks: ActiveTasks, tasks_are_hidden: bool) -> None:
    """The unfinished tasks, and how many of them are not shown."""
