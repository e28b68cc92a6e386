"""Git, run so that a repository cannot make it run, fetch or write anything."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import IO

from .findings import Finding, Severity
from .text import clean
from .workspace import path_text

_MAX_COMPLAINT_BYTES = 4096
_MAX_LINE_CHARS = 255
_READ_BYTES = 65_536

_FLAGS = ("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs")

# Each line closes a way by which a repository's own settings run a program, reach the network,
# or read files elsewhere. Filters have names of their own, so `silenced_filters` closes those.
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "safe.bareRepository=explicit",
    "log.showSignature=false",
    "core.sshCommand=false",
    "protocol.allow=never",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
    "diff.external=",
    "core.pager=cat",
    "core.attributesFile=/dev/null",
    "core.excludesFile=",
)

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one git command gave.

    Attributes:
        returncode: `None` when the command could not start or did not end in time.
        output: Its standard output, at most as many bytes as allowed.
        complaint: The first 4,096 bytes of its standard error.
        truncated: Whether there was more output; git was then stopped.
        timed_out: Whether the time was over before git ended.
    """

    returncode: int | None = None
    output: bytes = b""
    complaint: bytes = b""
    truncated: bool = False
    timed_out: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether git did all it was told, and all its output is here."""
        return self.returncode == 0 and not self.truncated


class _Drain(Thread):
    """Reads a pipe to its end in the background and keeps the first bytes of it.

    With `stops_when_full` it closes the pipe as soon as there is more than it keeps.
    """

    def __init__(self, pipe: IO[bytes], max_bytes: int, *, stops_when_full: bool) -> None:
        super().__init__(daemon=True)
        self.kept = b""
        self.is_full = False
        self._pipe = pipe
        self._max_bytes = max_bytes
        self._stops_when_full = stops_when_full
        self.start()

    def run(self) -> None:
        # The thread owns the pipe: closing it elsewhere could block, or close a reused number.
        with self._pipe:
            while chunk := self._pipe.read(_READ_BYTES):
                room = self._max_bytes - len(self.kept)
                self.kept += chunk[:room]
                self.is_full = self.is_full or len(chunk) > room
                if self.is_full and self._stops_when_full:
                    return


@dataclass(frozen=True, slots=True)
class HardenedGit:
    """Git in one directory, for commands that share one deadline.

    A command that may run content filters (`status`, `diff`, `blame`) is safe only with
    `silenced_filters` among the `settings`.

    Attributes:
        executable: Absolute path.
        directory: Where git looks for the repository.
        environment: Where `PATH` and `HOME` come from; its `GIT_*` variables are dropped.
        deadline: On the clock of `time.monotonic`.
        max_output_bytes: Per command.
        settings: Names and values that override every file. They travel in the environment: on
            the command line, git would split a name at its first `=`.

    Source: the canaries in `tests/test_git_reader.py`, each of which plain git runs.
    """

    executable: str
    directory: str
    environment: Mapping[str, str]
    deadline: float
    max_output_bytes: int
    settings: tuple[tuple[str, str], ...] = ()

    def run(self, *arguments: str, reads_global_config: bool = False) -> Outcome:
        """Run one command; never raises for what git, the repository or the machine does."""
        if self._seconds_left() <= 0:
            return Outcome(timed_out=True)
        command = [self.executable, *_FLAGS]
        for setting in _SETTINGS:
            command += ["-c", setting]
        try:
            process = subprocess.Popen(
                [*command, *arguments],
                bufsize=0,
                cwd=self.directory,
                env=self._child_environment(reads_global_config),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Outcome(complaint=str(error).encode(errors="backslashreplace"))
        return self._outcome(process)

    def _outcome(self, process: subprocess.Popen[bytes]) -> Outcome:
        """Read what the process writes, within the limits, and leave nothing of it running."""
        assert process.stdout is not None
        assert process.stderr is not None
        output = _Drain(process.stdout, self.max_output_bytes, stops_when_full=True)
        complaint = _Drain(process.stderr, _MAX_COMPLAINT_BYTES, stops_when_full=False)
        timed_out = False
        try:
            output.join(self._seconds_left())
            timed_out = output.is_alive()
            if not timed_out and not output.is_full:
                process.wait(self._seconds_left())
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            if timed_out or process.poll() is None:
                _kill(process)
        complaint.join(1.0)
        return Outcome(
            returncode=None if timed_out else process.returncode,
            output=output.kept,
            complaint=complaint.kept,
            truncated=output.is_full and not timed_out,
            timed_out=timed_out,
        )

    def _seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def _child_environment(self, reads_global_config: bool) -> dict[str, str]:
        kept = {name: value for name, value in self.environment.items() if name[:4] != "GIT_"}
        kept |= _ENVIRONMENT | {"PATH": _absolute_path_entries(self.environment)}
        if reads_global_config:
            del kept["GIT_CONFIG_GLOBAL"]
        kept["GIT_CONFIG_COUNT"] = str(len(self.settings))
        for number, (name, value) in enumerate(self.settings):
            kept[f"GIT_CONFIG_KEY_{number}"] = name
            kept[f"GIT_CONFIG_VALUE_{number}"] = value
        return kept


class GitNotes:
    """Collects findings, each code once, and cleans text so that a change is one of them."""

    def __init__(self, path: str) -> None:
        self.findings: list[Finding] = []
        self._path = path

    def add(self, code: str, message: str, severity: Severity = "warning") -> None:
        """Add a finding, unless there is one of this code already."""
        if all(finding.code != code for finding in self.findings):
            self.findings.append(Finding(code, message, self._path, severity=severity))

    def add_failure(self, subject: str, outcome: Outcome) -> None:
        """Add why a command gave nothing that can be used."""
        if outcome.timed_out:
            message = "git did not end in time; what it did not tell is left out"
            self.add("git-timeout", message, "error")
            return
        if outcome.truncated:
            message = f"git printed too much about the {subject}; the rest is left out"
            self.add(f"git-truncated:{subject}", message, "error")
            return
        complaint = one_line(outcome.complaint)[:300] or f"exit code {outcome.returncode}"
        message = f"git could not tell the {subject}, so it is left out; git says: {complaint}"
        self.add(f"git-failed:{subject}", message, "error")

    def one_line(self, kind: str, raw: bytes) -> str:
        """Return text from git as one clean line."""
        text = one_line(raw)
        if len(text) > _MAX_LINE_CHARS:
            text = text[: _MAX_LINE_CHARS - 1] + "…"
        self._compare(kind, raw, text)
        return text

    def path(self, raw: bytes) -> str:
        """Return a path from git as one clean line in which spaces are kept."""
        text = path_text(raw)
        self._compare("path", raw, text)
        return text

    def _compare(self, kind: str, raw: bytes, text: str) -> None:
        if text.encode() != raw:
            message = f"a {kind} cannot be shown as it is, so it, and any like it, was changed: "
            self.add(f"changed-text:{kind}", message + repr(text))


def one_line(raw: bytes) -> str:
    r"""Return text from git as one clean line, with `\xNN` for bytes that are not UTF-8."""
    return " ".join(clean(raw.decode("utf-8", "backslashreplace")).split())


def find_git(environment: Mapping[str, str]) -> str | None:
    """Return the absolute path of git, or `None`.

    Entries of `PATH` such as `.` are passed over: they would find a `git` in the repository.
    """
    found = shutil.which("git", path=_absolute_path_entries(environment))
    return found if found and os.path.isabs(found) else None


def setting_pairs(output: bytes) -> list[tuple[str, str]]:
    """Return what `git config -z` printed: names and values; of a name the last is in force."""
    pairs = [os.fsdecode(entry).partition("\n") for entry in output.split(b"\0")[:-1]]
    return [(name, value) for name, _, value in pairs]


def silenced_filters(names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the settings that switch off every content filter that the names configure.

    Args:
        names: Settings of a repository; those like `filter.<driver>.clean` count.
    """
    drivers = {name.rpartition(".")[0]: None for name in names if name.startswith("filter.")}
    values = {"clean": "", "smudge": "", "process": "", "required": "false"}
    return tuple((f"{driver}.{key}", values[key]) for driver in drivers for key in values)


def _absolute_path_entries(environment: Mapping[str, str]) -> str:
    entries = environment.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if os.path.isabs(entry))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process with all that it started, and wait until it is gone."""
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
