"""What git tells about a folder: branch, status, recent commits."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from .errors import ReadError
from .findings import Found
from .git_command import GitNotes, HardenedGit, Outcome, find_git, one_line, setting_pairs
from .git_status import folder_with_git, read_status
from .workspace import path_text

GitStatus = Literal["clean", "dirty", "unknown", "not_repo"]
GitTrust = Literal["none", "repo"]

_MAX_SUBJECT_COLUMNS = 200
_LOCAL_BRANCH = "refs/heads/"
_ORIGIN = "refs/remotes/origin/"
_USUAL_MAIN_BRANCHES = ("main", "master")


@dataclass(frozen=True, slots=True)
class GitFacts:
    """What git tells about a folder.

    Every text is one line and cleaned; `<` and `&` are left to the section that prints it.

    Attributes:
        is_repository: Whether git takes the folder for a part of a repository with files.
        branch: The name of the branch, also before its first commit; `HEAD` when detached; `None`
            when git could not tell.
        head: The short hash of the newest commit, or `None`.
        main_branch: What `origin/HEAD` names, else `main`, else `master`, if there is such a
            branch; else `None`.
        user: The name that commits would carry, or `None`.
        status: `unknown` when no status was taken, `not_repo` when git knows of no repository.
        status_lines: As `git status --short` prints them, in its order, seen from the folder; when
            there are too many, the last line gives the count of the rest. A rename is a deletion
            and an addition.
        recent_commits: `<short hash> <subject>`, newest first; a subject of more than 200 columns
            ends in `..`.
    """

    is_repository: bool
    branch: str | None = None
    head: str | None = None
    main_branch: str | None = None
    user: str | None = None
    status: GitStatus = "unknown"
    status_lines: tuple[str, ...] = ()
    recent_commits: tuple[str, ...] = ()


def read_git(
    directory: str | os.PathLike[str],
    *,
    trust: GitTrust = "none",
    timeout_seconds: float = 5.0,
    max_status_lines: int = 200,
    max_output_bytes: int = 65_536,
    commit_count: int = 5,
    environ: Mapping[str, str] | None = None,
) -> Found[GitFacts]:
    r"""Read the state of the repository that holds a folder.

    A repository's own settings can make git run programs. None of them runs here, at either level:
    see `HardenedGit`. Whatever git cannot tell is a finding, never an error.

    - `none`, for a repository that nobody vouches for: branch and commits, by commands that look
      at no file of the working tree. The repository's own `user.name` is not read.
    - `repo`, for one that the caller vouches for: also the status, with content filters switched
      off, so that a file kept by such a filter (Git LFS) may look modified, and without looking
      into submodules. The repository's own `user.name` goes before the user's.

    The user's settings give `user.name` and `safe.directory` and are not read otherwise: what only
    a personal ignore file hides is listed as untracked. A repository whose settings change while
    they are read could still run a filter; so vouch for no repository that others can write to.
    A bare repository counts as none: planted among the files, it would be somebody else's.

    Args:
        directory: The folder; it need not be the root of the repository.
        trust: `none` or `repo`.
        timeout_seconds: For all commands together.
        max_status_lines: How many changed paths are listed before the rest is only counted.
        max_output_bytes: How much is read from each command before git is stopped.
        commit_count: How many commits are listed.
        environ: Where `PATH` and `HOME` come from, `os.environ` by default. `GIT_*` variables in
            it are dropped: they could point to another repository.

    Raises:
        ReadError: `directory` is not a folder.
        ValueError: `trust` is neither `none` nor `repo`, or a number is negative.
    """
    _check_arguments(trust, timeout_seconds, max_status_lines, max_output_bytes, commit_count)
    folder = os.path.realpath(directory)
    if not os.path.isdir(folder):
        raise ReadError(f"{path_text(folder)}: not a folder; name a folder to look for git in")
    notes = GitNotes(path_text(folder))
    environment = dict(os.environ if environ is None else environ)
    executable = find_git(environment)
    if executable is None:
        notes.add("git-missing", "no git on PATH, so nothing is known of a repository", "error")
        return Found(GitFacts(is_repository=False), tuple(notes.findings))
    deadline = time.monotonic() + timeout_seconds
    git = HardenedGit(executable, folder, environment, deadline, max_output_bytes)
    user, git = _user_settings(git, notes)
    facts = _repository(git, notes, commit_count)
    if facts.is_repository:
        facts = replace(facts, user=user)
        if trust == "repo":
            facts = _with_status(facts, git, notes, max_status_lines)
        else:
            message = "no status was taken; pass trust='repo' for a repository you vouch for"
            notes.add("status-not-read", message, "info")
    return Found(facts, tuple(notes.findings))


def _check_arguments(trust: str, *numbers: float) -> None:
    if trust not in ("none", "repo"):
        raise ValueError(f"read_git: trust is {trust!r}; pass 'none' or 'repo'")
    if min(numbers) < 0:
        raise ValueError("read_git: a limit is negative; pass 0 or more")


def _user_settings(git: HardenedGit, notes: GitNotes) -> tuple[str | None, HardenedGit]:
    """Return the user's name, and git with the user's exceptions to the ownership check."""
    pattern = r"^(user\.name|safe\.directory)$"
    outcome = git.run(
        "config", "--global", "--includes", "-z", "--get-regexp", pattern, reads_global_config=True
    )
    if not outcome.succeeded:
        if outcome.returncode != 1:  # 1 is "no such setting"
            notes.add_failure("user", outcome)
        return None, git
    settings = setting_pairs(outcome.output)
    exceptions = tuple((name, value) for name, value in settings if name == "safe.directory")
    return _user_name(settings, notes), replace(git, settings=exceptions)


def _user_name(settings: list[tuple[str, str]], notes: GitNotes) -> str | None:
    name = dict(settings).get("user.name")
    return notes.one_line("user", os.fsencode(name)) if name else None


def _repository(git: HardenedGit, notes: GitNotes, commit_count: int) -> GitFacts:
    """Return what can be told without a look at the files."""
    outcome = git.run("rev-parse", "--is-bare-repository")
    if not outcome.succeeded:
        return _no_repository(git, outcome, notes)
    if outcome.output.strip() == b"true":
        return _bare_repository(notes)
    branch = _branch(git, notes)
    commits = _commits(git, notes, max(1, commit_count))
    return GitFacts(
        is_repository=True,
        branch=branch,
        head=commits[0].partition(" ")[0] if commits else None,
        main_branch=_main_branch(git, notes, branch),
        recent_commits=commits[:commit_count],
    )


def _no_repository(git: HardenedGit, outcome: Outcome, notes: GitNotes) -> GitFacts:
    """Return that there is no repository, with a finding unless that is all there is to say."""
    if b"dubious ownership" in outcome.complaint:
        message = (
            "the repository belongs to another user, so git does not read it; "
            "if you trust it, add it to safe.directory in your git settings"
        )
        notes.add("other-owner", message, "error")
    elif b"cannot use bare repository" in outcome.complaint:
        return _bare_repository(notes)
    elif b"not a git repository" in outcome.complaint:
        root = folder_with_git(git.directory)
        if root is None:
            return GitFacts(is_repository=False, status="not_repo")
        message = f"{path_text(root)} holds a .git that git does not take for a repository"
        notes.add("broken-repository", message, "error")
    else:
        notes.add_failure("repository", outcome)
    return GitFacts(is_repository=False)


def _bare_repository(notes: GitNotes) -> GitFacts:
    message = "a bare repository, which has no files to work on; it was not read"
    notes.add("bare-repository", message, "error")
    return GitFacts(is_repository=False, status="not_repo")


def _branch(git: HardenedGit, notes: GitNotes) -> str | None:
    outcome = git.run("symbolic-ref", "--quiet", "HEAD")
    if outcome.returncode == 1:
        return "HEAD"
    if not outcome.succeeded:
        notes.add_failure("branch", outcome)
        return None
    reference = outcome.output.removesuffix(b"\n")
    return notes.one_line("branch", reference.removeprefix(_LOCAL_BRANCH.encode()))


def _commits(git: HardenedGit, notes: GitNotes, count: int) -> tuple[str, ...]:
    outcome = git.run(
        "log",
        f"--max-count={count}",
        "--no-show-signature",
        "--no-mailmap",
        "--no-color",
        "--encoding=UTF-8",
        f"--format=%h%x00%<({_MAX_SUBJECT_COLUMNS},trunc)%s",
        "--",
    )
    if b"does not have any commits yet" in outcome.complaint:
        return ()
    if not outcome.succeeded:
        notes.add_failure("commits", outcome)
    parts = [line.partition(b"\0") for line in outcome.output.split(b"\n")[:-1]]
    # Git fills a short subject up with spaces.
    return tuple(
        f"{one_line(short_hash)} {notes.one_line('commit', subject.rstrip(b' '))}"
        for short_hash, _, subject in parts
    )


def _main_branch(git: HardenedGit, notes: GitNotes, branch: str | None) -> str | None:
    usual = [_LOCAL_BRANCH + name for name in _USUAL_MAIN_BRANCHES]
    outcome = git.run("for-each-ref", "--format=%(refname)%00%(symref)", _ORIGIN + "HEAD", *usual)
    if not outcome.succeeded:
        notes.add_failure("main branch", outcome)
        return None
    targets = dict(line.split(b"\0") for line in outcome.output.split(b"\n")[:-1])
    origin = targets.get(f"{_ORIGIN}HEAD".encode(), b"")
    if origin.startswith(_ORIGIN.encode()):
        return notes.one_line("branch", origin.removeprefix(_ORIGIN.encode()))
    for name in _USUAL_MAIN_BRANCHES:
        if f"{_LOCAL_BRANCH}{name}".encode() in targets or name == branch:
            return name
    notes.add("no-main-branch", "no origin/HEAD and no branch main or master", "info")
    return None


def _with_status(
    facts: GitFacts, git: HardenedGit, notes: GitNotes, max_status_lines: int
) -> GitFacts:
    """Return the facts with the status and the repository's own user, or with a finding."""
    pattern = r"^(filter\..*\.(clean|smudge|process|required)|user\.name)$"
    outcome = git.run("config", "--includes", "-z", "--get-regexp", pattern)
    if outcome.truncated or outcome.returncode not in (0, 1):
        notes.add_failure("settings", outcome)
        return facts
    settings = setting_pairs(outcome.output)
    facts = replace(facts, user=_user_name(settings, notes) or facts.user)
    lines = read_status(git, settings, notes, max_status_lines)
    if lines is None:
        return facts
    return replace(facts, status="dirty" if lines else "clean", status_lines=lines)
