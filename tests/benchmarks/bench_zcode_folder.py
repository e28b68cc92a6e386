"""What reading a workspace costs: ours against `git status` and reading the same files, in one run.

A repository of 20,000 files with 300 skills and an AGENTS.md is made in a temporary folder. The
bar is 1.5. Run it with `python tests/benchmarks/bench_zcode_folder.py`.
"""

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from promptdag.inputs.zcode_folder import read_zcode

FILES, SKILLS, ROUNDS = 20_000, 300, 15


def make_repository(root: Path) -> None:
    """Write the files and commit them, then change some."""
    for number in range(FILES):
        path = root / f"src/part{number % 100}/file{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"file {number}\n")
    for number in range(SKILLS):
        path = root / f".agents/skills/skill-{number}/SKILL.md"
        path.parent.mkdir(parents=True)
        front = f"---\nname: skill-{number}\ndescription: Does the thing number {number}.\n---\n"
        path.write_text(front + "Do it step by step.\n" * 100)
    (root / "AGENTS.md").write_text("Run the tests before you commit.\n" * 20)
    who = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "All"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    for number in range(15):
        (root / f"src/part{number}/file{number}.txt").write_text("changed\n")


def bare(root: Path) -> int:
    """Run `git status` and read the bytes of the skills and instruction files."""
    subprocess.run(["git", "status", "--short"], cwd=root, check=True, capture_output=True)
    size = len((root / "AGENTS.md").read_bytes())
    for folder, _, names in os.walk(root / ".agents"):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                size += len(file.read())
    return size


def seconds(call: object) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - start


def main() -> None:
    """Print the medians of both, interleaved, and the median of the rounds' ratios."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repository")
        home = Path(folder, "home")
        home.mkdir()
        make_repository(root)
        found = read_zcode(root, home=home)
        assert len(found.value["skills"]) == SKILLS
        assert len(found.value["env_info"]["git_status_lines"]) == 15
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(seconds(lambda: bare(root)))
            ours.append(seconds(lambda: read_zcode(root, home=home)))
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    print(f"git status and reading the files {statistics.median(theirs) * 1e3:>8.1f} ms")
    print(f"read_zcode                       {statistics.median(ours) * 1e3:>8.1f} ms")
    print(f"ratio (bar: 1.5)                 {statistics.median(ratios):>8.2f}")


if __name__ == "__main__":
    main()
