"""Fills zcode's signals from a real folder."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

from .findings import Finding, Found
from .git import GitFacts, read_git
from .instructions import InstructionFile, read_instructions
from .memory_index import read_memory_index
from .skills import Skill, read_skills, skill_roots
from .workspace import Workspace, read_workspace

MEMORY_FOLDER = Path(".zcode", "memory")


def read_zcode(
    directory: Path,
    *,
    trusted: bool = True,
    home: Path | None = None,
    profile: str = "promptdag",
    today: date | None = None,
) -> Found[dict[str, Any]]:
    """Return the signals that a folder gives, by name, plain enough for JSON.

    Git runs beside the reading of files, since it waits for the disk on its own.

    Args:
        directory: The folder that the agent works in.
        trusted: Whether the caller vouches for the folder; without that git gives branch and log.
        home: The user's folder; `None` for that of the process.
        profile: Which instruction files are read, by which rules; see `INSTRUCTION_PROFILES`.
        today: The day when the session begins; `None` for the day by the local clock.

    Raises:
        ReadError: It is not a folder.
    """
    with ThreadPoolExecutor(max_workers=1) as pool:
        git = pool.submit(read_git, directory, trust="repo" if trusted else "none")
        workspace = read_workspace(directory)
        own_home = None if home is None else str(home)
        skills = read_skills(skill_roots(workspace.value.cwd, own_home))
        files = read_instructions(
            workspace.value.cwd, profile=profile, home=own_home, cut_notice=""
        )
        memory_root = Path(workspace.value.cwd, MEMORY_FOLDER)
        memory = read_memory_index(memory_root) if memory_root.is_dir() else Found(None)
        facts = git.result()
    signals: dict[str, Any] = {
        "env_info": _environment(workspace.value, facts.value),
        "current_date": (today or date.today()).isoformat(),
        "skills": [_skill(one) for one in skills.value],
    }
    if files.value:
        signals["user_instructions"] = {"sources": [_source(one) for one in files.value]}
    if memory_root.is_dir():
        signals |= {"memory_root": str(memory_root), "memory_index_content": memory.value}
    found: list[Finding] = []
    for part in (workspace, facts, skills, files, memory):
        found.extend(part.findings)
    return Found(signals, tuple(found))


def _environment(workspace: Workspace, git: GitFacts) -> dict[str, Any]:
    return {
        "cwd": workspace.cwd,
        "additional_directories": list(workspace.additional_directories),
        "platform": workspace.platform,
        "shell": workspace.shell,
        "os_version": workspace.os_version,
        "is_git_repository": git.is_repository,
        "git_branch": git.branch,
        "git_main_branch": git.main_branch,
        "git_user": git.user,
        "git_status": git.status,
        "git_status_lines": list(git.status_lines),
        "recent_commits": list(git.recent_commits),
    }


def _skill(one: Skill) -> dict[str, Any]:
    return {
        "name": one.name,
        "qualified_name": one.qualified_name,
        "description": one.description,
        "when_to_use": one.when_to_use,
        "path": one.path,
    }


def _source(one: InstructionFile) -> dict[str, Any]:
    return {
        "scope": one.scope,
        "file_path": one.path,
        "file_name": one.file_name,
        "content": one.content,
        "truncated": one.truncated,
    }
