"""Where the session runs: machine, model, and the repository as it was at the start."""

from collections.abc import Mapping
from types import MappingProxyType

from ...inputs.zcode import GitStatus
from ..declare import fact, gate, section
from .identity import not_custom

PROVIDER_NAMES: Mapping[str, str] = MappingProxyType({"zai": "zai-api", "bigmodel": "bigmodel-api"})
"""The names under which providers are registered, where they differ from their ids."""


@gate
def has_more_directories(env_info_additional_directories: tuple[str, ...]) -> bool:
    """Open when the workspace has further directories."""
    return env_info_additional_directories != ()


@gate
def in_git_repository(
    env_info_is_git_repository: bool | None,
    env_info_git_status: GitStatus | None,
    env_info_git_branch: str | None,
) -> bool:
    """Open when the flag says so; without a flag, when a status other than `not_repo` is given.

    Without either, when a branch is given.
    """
    if env_info_is_git_repository is not None:
        return env_info_is_git_repository
    if env_info_git_status is not None:
        return env_info_git_status != "not_repo"
    return bool(env_info_git_branch)


@gate
def has_model(model_model_id: str | None) -> bool:
    """Open when the model that answers is given."""
    return model_model_id is not None


@fact
def model_name(model_provider_id: str | None, model_model_id: str | None) -> str:
    """The model as `provider/model`, the provider under its registered name."""
    provider = model_provider_id or ""
    return f"{PROVIDER_NAMES.get(provider, provider)}/{model_model_id or ''}"


@section(gate=not_custom)
def env_info(
    env_info_cwd: str,
    has_more_directories: bool,
    env_info_additional_directories: tuple[str, ...],
    in_git_repository: bool,
    env_info_platform: str,
    env_info_shell: str,
    env_info_os_version: str,
    has_model: bool,
    model_name: str,
) -> None:
    """The directories, the machine and, last, the model."""


@gate
def has_git_branch(env_info_git_branch: str | None) -> bool:
    """Open when the branch that is checked out is given."""
    return bool(env_info_git_branch)


@gate
def has_main_branch(env_info_git_main_branch: str | None) -> bool:
    """Open when the main branch is given."""
    return bool(env_info_git_main_branch)


@gate
def has_git_user(env_info_git_user: str | None) -> bool:
    """Open when git's user name is given."""
    return bool(env_info_git_user)


@fact
def git_status(
    env_info_git_status: GitStatus | None, env_info_git_status_lines: tuple[str, ...]
) -> str:
    """The status lines, or a word in brackets where there are none."""
    if env_info_git_status_lines:
        return "\n".join(env_info_git_status_lines)
    return f"({env_info_git_status})" if env_info_git_status in ("clean", "dirty") else "(unknown)"


@fact
def commit_lines(env_info_recent_commits: tuple[str, ...]) -> str:
    """The last commits, a line each."""
    return "\n".join(env_info_recent_commits)


@section(gate=(not_custom, in_git_repository))
def system_context(
    has_git_branch: bool,
    env_info_git_branch: str | None,
    has_main_branch: bool,
    env_info_git_main_branch: str | None,
    has_git_user: bool,
    env_info_git_user: str | None,
    git_status: str,
    commit_lines: str,
) -> None:
    """The repository as it was when the session began."""
