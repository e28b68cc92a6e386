"""How long `read_git` takes, against `git status` alone, on a repository of many files.

Run it with `python tests/benchmarks/bench_git_reader.py [number of files]`. The two take turns, so
that other load on the machine meets both; compare the ratio, not the milliseconds.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from promptdag.inputs.git import read_git

ROUNDS = 15
COMMIT = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "First")


def make_repository(root: Path, file_count: int) -> None:
    """Commit the files, a hundred a folder, and change fifteen."""
    for number in range(file_count):
        path = root / f"{number // 100:03}" / f"{number % 100:02}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{number}\n")
    for command in (("init", "-q"), ("add", "-A"), COMMIT):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    for number in range(15):
        (root / "000" / f"{number:02}.txt").write_text("changed\n")
    subprocess.run(["git", "-C", str(root), "status", "--short"], check=True, capture_output=True)


def milliseconds(action: Callable[[], object]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def main() -> None:
    """Print the fastest and the middle time of each, and the ratios."""
    file_count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        make_repository(Path(folder), file_count)
        status = ["git", "-C", folder, "status", "--short"]
        actions: dict[str, Callable[[], object]] = {
            "git status --short": lambda: subprocess.run(status, capture_output=True, check=True),
            "read_git trust=repo": lambda: read_git(folder, trust="repo"),
            "read_git trust=none": lambda: read_git(folder, trust="none"),
        }
        facts = read_git(folder, trust="repo").value
        assert len(facts.status_lines) == 15, facts
        rounds = [{name: milliseconds(actions[name]) for name in actions} for _ in range(ROUNDS)]
    print(f"{file_count:,} files, {os.cpu_count()} cores, {ROUNDS} rounds in turns")
    for name in actions:
        times = sorted(one[name] for one in rounds)
        ratios = sorted(one[name] / one["git status --short"] for one in rounds)
        print(
            f"{name:20} fastest {times[0]:6.1f} ms, middle {times[ROUNDS // 2]:6.1f} ms, "
            f"middle ratio {ratios[ROUNDS // 2]:.2f}"
        )


if __name__ == "__main__":
    main()
