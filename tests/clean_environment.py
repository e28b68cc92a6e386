"""A virtual environment with wheels in it, and nothing beside them but what they declare.

The declared libraries are those of this environment, linked file by file: nothing is downloaded,
and nothing that is installed here without being declared can be imported there.
"""

import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


class CleanEnvironment:
    """A virtual environment in a folder.

    Attributes:
        bin: Where its programs are.
    """

    def __init__(self, folder: Path, wheels: Iterable[Path], also: Iterable[str]) -> None:
        """Make it, with wheels, the libraries that they declare, and others by name."""
        venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
        self.bin = folder / "bin"
        self.python = self.bin / "python"
        site = next((folder / "lib").glob("python*/site-packages"))
        install = ["--python", str(self.python), "install", "--quiet", "--no-deps", "--no-index"]
        listed = [str(wheel) for wheel in wheels]
        subprocess.run([sys.executable, "-m", "pip", *install, *listed], check=True)
        own = {canonicalize_name(one.name): one for one in distributions(path=[str(site)])}
        for found in _declared(also, own):
            self._link(found, site)

    def _link(self, found: Distribution, site: Path) -> None:
        """Link the top folders and files of a distribution, and its programs that are binaries."""
        paths = [Path(str(found.locate_file(file))).resolve() for file in found.files or ()]
        home = Path(str(found.locate_file(""))).resolve()
        inside = (path.relative_to(home).parts[0] for path in paths if path.is_relative_to(home))
        for name in set(inside) - {"__pycache__"}:
            if not (site / name).exists():
                (site / name).symlink_to(home / name)
        for path in paths:
            if path.parent.name == "bin" and path.exists() and path.read_bytes()[:2] != b"#!":
                (self.bin / path.name).symlink_to(path)

    def run(self, *command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of it, with no other program on the path; the result is not checked."""
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=cwd,
            env={"PATH": str(self.bin), "HOME": str(cwd), "PYTHONDONTWRITEBYTECODE": "1"}
            | variables,
            capture_output=True,
            text=True,
            check=False,
        )


def _declared(names: Iterable[str], own: Mapping[str, Distribution]) -> list[Distribution]:
    """Return what names and installed wheels require, each once, as it is in this environment."""
    found: dict[str, Distribution] = {}
    waiting = [Requirement(name) for name in (*names, *own)]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found:
            continue
        found[name] = one = own.get(name) or distribution(name)
        for line in one.requires or ():
            needed = Requirement(line)
            extras = wanted.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return [one for name, one in found.items() if name not in own]
