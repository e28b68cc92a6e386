"""Time of reading 300 skills, beside reading the bytes of the same files by a plain walk.

Run: `python tests/benchmarks/bench_skills_reader.py [SKILLS]`. Rounds alternate; the best of each
counts. Prints the ratio, and the ratio that a host sees: skills and `git status` together, beside
`git status` and the bytes together.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from promptdag.inputs.skills import read_skills, skill_roots

ROUNDS = 40
BODY = "# Steps\n\nRead the table, check each row, and report what is missing.\n\n" * 40
FRONT_MATTER = (
    "name: {name}\ndescription: Reads tables and reports gaps. Use when rows are missing.\n",
    'name: {name}\ndescription: "Reads tables: rows and columns. Use for gaps."\nlicense: MIT\n',
    "name: {name}\ndescription: Reads tables, checks rows (A-Z) and reports gaps; not charts.\n"
    "allowed-tools: Read Grep Bash(git:*)\n",
    "name: {name}\ndescription: >-\n  Reads tables and reports gaps.\n  Use when rows go.\n"
    "metadata:\n  version: 1.10\n  author: the team\n",
)


def write_skills(folder: Path, count: int) -> None:
    """Write skills in four usual shapes, a quarter each; each third has a folder of references."""
    for number in range(count):
        name = f"skill-{number:04}"
        path = folder / ".agents" / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        head = FRONT_MATTER[number % len(FRONT_MATTER)].format(name=name)
        path.write_text(f"---\n{head}---\n{BODY}")
        if number % 3 == 0:
            (path.parent / "references").mkdir()
            (path.parent / "references" / "rows.md").write_text(BODY)


def read_bytes(folder: str) -> int:
    """Return the size of every `SKILL.md` below a folder, having read them."""
    size = 0
    for path, _, files in os.walk(folder):
        if "SKILL.md" in files:
            with open(os.path.join(path, "SKILL.md"), "rb") as file:
                size += len(file.read())
    return size


def git(folder: str, *arguments: str) -> None:
    """Run git quietly."""
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True)


def best_seconds(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the best time of each call, taken in turns."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            start = perf_counter()
            call()
            best[name] = min(best[name], perf_counter() - start)
    return best


def main(count: int) -> None:
    """Print times in milliseconds, and the two ratios."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        write_skills(Path(folder), count)
        git(folder, "init", "-q")
        git(folder, "add", ".")
        found = read_skills(skill_roots(folder, home))
        assert (len(found.value), found.findings) == (count, ())
        skills = os.path.join(folder, ".agents", "skills")
        best = best_seconds(
            {
                "bytes": lambda: read_bytes(skills),
                "skills": lambda: read_skills(skill_roots(folder, home)),
                "git status": lambda: git(folder, "status", "--short", "--branch"),
            }
        )
    for name, seconds in best.items():
        print(f"{name:10} {seconds * 1000:7.2f} ms")
    status = best["git status"]
    print(f"skills / bytes: {best['skills'] / best['bytes']:.2f}")
    together = (best["skills"] + status) / (best["bytes"] + status)
    print(f"(skills + git status) / (bytes + git status): {together:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
