"""A flow as it was at a revision: checked out into a folder, asked in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from ...inputs.errors import PromptdagError
from ...inputs.git_command import find_git
from ..registry import flow_reference
from .views import Request, Snapshot


class RevisionError(PromptdagError):
    """A revision that cannot be checked out, or whose flow cannot be built."""


class Revision:
    """A flow in a checked out tree; made by `revision_of`.

    Attributes:
        label: The revision as it was asked for, and its short hash.
    """

    def __init__(self, label: str, reference: str, places: dict[str, str], folder: Path) -> None:
        self.label = label
        self.reference = reference
        self._places = places
        self._folder = folder

    def take(self, request: Request) -> Snapshot:
        """Return a snapshot of the flow as it was.

        Raises:
            RevisionError: The flow cannot be built there; the process's last words are told.
        """
        asked = {
            "places": self._places,
            "package": __package__,
            "folder": str(Path(__file__).parent),
            "request": request.model_copy(
                update={"reference": self.reference, "label": self.label}
            ).model_dump(mode="json"),
        }
        question, answer = self._folder / "question.json", self._folder / "answer.json"
        question.write_text(json.dumps(asked), encoding="utf-8")
        script = Path(__file__).with_name("revision_process.py")
        done = subprocess.run(
            # -P: the script's own folder must not shadow modules.
            [sys.executable, "-P", str(script), str(question), str(answer)],
            cwd=self._folder / "tree",
            env={**os.environ, "HAMILTON_AUTOLOAD_EXTENSIONS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="backslashreplace",
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise RevisionError(
                f"{self.label}: {self.reference} could not be built there: {last}; choose a "
                "revision that has the flow, or review without --base"
            )
        return Snapshot.from_json(answer.read_text(encoding="utf-8"))


@contextmanager
def revision_of(flow_name: str, revision: str) -> Iterator[Revision]:
    """Check out the repository that holds a flow's code, as it was, for as long as it is needed.

    The repository is only read: no work tree, branch or index of it changes.

    Args:
        flow_name: An installed flow whose code stands in a git repository.
        revision: What git takes for a commit: a branch, a tag, a hash, `HEAD~3`.

    Raises:
        UnknownNameError: There is no such flow.
        RevisionError: Its code is in no repository, or git does not know the revision.
    """
    reference = flow_reference(flow_name)
    module = reference.partition(":")[0]
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise RevisionError(f"flow {flow_name!r}: module {module} is in no file, so in no revision")
    home = Path(spec.origin).resolve().parent
    root = Path(_git(home, "rev-parse", "--show-toplevel")).resolve()
    commit = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    short = _git(root, "rev-parse", "--short", commit)
    label = short if commit.startswith(revision) else f"{revision} ({short})"
    with TemporaryDirectory(prefix="promptdag-review-") as name:
        folder = Path(name).resolve()
        (folder / "tree").mkdir()
        _check_out(root, commit, folder)
        places = dict(_places(root, folder / "tree"))
        if not any(module == one or module.startswith(f"{one}.") for one in places):
            raise RevisionError(
                f"{label}: module {module} of flow {flow_name!r} has no file in that tree; is the "
                "package installed as editable (pip install -e)?"
            )
        yield Revision(label, reference, places, folder)


def _check_out(root: Path, commit: str, folder: Path) -> None:
    """Write a commit's files into `tree`, by an index of its own."""
    index = {"GIT_INDEX_FILE": str(folder / "index")}
    _git(root, "read-tree", commit, environment=index)
    prefix = f"--prefix={folder / 'tree'}{os.sep}"
    _git(root, "checkout-index", "--all", "--force", prefix, environment=index)


def _git(folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> str:
    git = find_git(os.environ)
    if git is None:
        raise RevisionError("git was not found; install it, or compare with --against a snapshot")
    done = subprocess.run(
        [git, "-C", str(folder), *arguments],
        env={**_plain_environment(), **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="backslashreplace",
    )
    if done.returncode:
        told = done.stderr.strip() or f"no revision {arguments[-1].removesuffix('^{commit}')!r}"
        raise RevisionError(f"{folder}: git {arguments[0]}: {told}")
    return done.stdout.strip()


def _places(root: Path, tree: Path) -> Iterator[tuple[str, str]]:
    """Yield the packages and modules of a repository that are imported here, as they lie in a tree.

    Of a package inside another only the outer one: what is in it, Python finds by itself.
    """
    found: list[str] = []
    for name, module in sorted(sys.modules.items()):
        place = _place(module)
        if place is None or not _belongs(place, root):
            continue
        if any(name.startswith(f"{one}.") for one in found):
            continue
        there = tree / place.relative_to(root)
        if there.exists():
            found.append(name)
            yield name, str(there)


def _place(module: object) -> Path | None:
    file = getattr(module, "__file__", None)
    if not file:
        return None
    path = Path(file).resolve()
    return path.parent if path.name == "__init__.py" else path


def _belongs(place: Path, root: Path) -> bool:
    """Tell whether a file is the repository's own, and not of an environment that lies in it."""
    return place.is_relative_to(root) and not place.is_relative_to(Path(sys.prefix).resolve())


def _plain_environment() -> dict[str, str]:
    """Return the environment without what a git that runs us says of its own work."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
