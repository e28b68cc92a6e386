"""The reader of instruction files, on real folders."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from promptdag.inputs.errors import ReadError, UnknownNameError
from promptdag.inputs.findings import Finding, Found
from promptdag.inputs.instruction_cut import cut_to_bytes
from promptdag.inputs.instruction_profiles import INSTRUCTION_PROFILES
from promptdag.inputs.instructions import InstructionFile, read_instructions

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users may enter, which `tmp_path` is not."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(os.path.realpath(name))


@contextmanager
def without_root() -> Iterator[None]:
    """Give up the rights of root for a while: root reads what nobody may."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a repository: text as it is, line ends too."""
    for name, content in ({".git/HEAD": "ref: refs/heads/main\n"} | dict(files)).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def read(cwd: Path, **settings: object) -> Found[tuple[InstructionFile, ...]]:
    """Read with an empty home, so that no file of this machine gets in."""
    return read_instructions(cwd, **({"home": cwd / "no-home"} | settings))  # type: ignore[arg-type]


def contents(found: Found[tuple[InstructionFile, ...]]) -> list[str]:
    """Return the trimmed texts."""
    return [file.content.strip() for file in found.value]


def codes(found: Found[tuple[InstructionFile, ...]]) -> list[str]:
    """Return what each finding is."""
    return [finding.code for finding in found.findings]


HIERARCHY = {
    "AGENTS.md": "above the root\n",
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/AGENTS.md": "root\n",
    "repo/pkg/AGENTS.md": "pkg\n",
    "repo/pkg/AGENTS.override.md": "pkg override\n",
    "repo/pkg/deep/agents.md": "lower case name\n",
    "repo/pkg/deep/CLAUDE.md": "claude\n",
    "repo/other/AGENTS.md": "sibling\n",
    "repo/pkg/blank/AGENTS.md": " \n\t\n",
}


def test_codex_reads_from_the_root_down_and_lets_an_override_stand_for_its_folder(
    tmp_path: Path,
) -> None:
    """Neither files above the repository nor siblings nor other spellings are read."""
    write(tmp_path, HIERARCHY)
    found = read(tmp_path / "repo/pkg/deep", profile="codex")
    assert contents(found) == ["root", "pkg override"]
    assert [file.path for file in found.value] == [
        str(tmp_path / "repo/AGENTS.md"),
        str(tmp_path / "repo/pkg/AGENTS.override.md"),
    ]
    assert codes(found) == ["passed-over"]


def test_our_profile_takes_one_file_a_folder_whatever_agent_it_is_for(tmp_path: Path) -> None:
    """AGENTS.md first; CLAUDE.md and then GEMINI.md where there is none."""
    write(tmp_path, HIERARCHY | {"repo/pkg/deep/GEMINI.md": "gemini"})
    found = read(tmp_path / "repo/pkg/deep")
    assert contents(found) == ["root", "pkg", "claude"]
    assert [(f.code, f.severity, f.path) for f in found.findings] == [
        ("passed-over", "info", str(tmp_path / "repo/pkg/deep/GEMINI.md"))
    ]


def test_a_blank_file_adds_nothing_and_is_told(tmp_path: Path) -> None:
    """It still stands for its folder."""
    write(tmp_path, HIERARCHY | {"repo/pkg/blank/CLAUDE.md": "not read"})
    found = read(tmp_path / "repo/pkg/blank")
    assert contents(found) == ["root", "pkg"]
    assert codes(found) == ["passed-over", "blank-file"]


def test_without_a_repository_only_the_working_folder_is_read(tmp_path: Path) -> None:
    """What lies above could be anybody's."""
    (tmp_path / "below").mkdir()
    (tmp_path / "AGENTS.md").write_text("above")
    (tmp_path / "below/AGENTS.md").write_text("here")
    assert contents(read(tmp_path / "below")) == ["here"]


def test_the_git_file_of_a_worktree_is_a_root(tmp_path: Path) -> None:
    """A linked worktree inside its repository does not read the files of the outer one."""
    write(tmp_path, {"AGENTS.md": "outer"})
    (tmp_path / ".git/HEAD").unlink()
    (tmp_path / ".git").rmdir()
    git = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", "inner"], check=True, capture_output=True)
    (tmp_path / "inner/sub").mkdir()
    (tmp_path / "inner/AGENTS.md").write_text("inner")
    assert (tmp_path / "inner/.git").is_file()
    assert contents(read(tmp_path / "inner/sub")) == ["inner"]


def test_a_file_that_looks_like_front_matter_or_json_is_read_verbatim(tmp_path: Path) -> None:
    """An AGENTS.md has no front matter."""
    text = '{\n"not": front matter\n}\n# Rules\n'
    write(tmp_path, {"AGENTS.md": text, "sub/AGENTS.md": "---\na: b\n---\n{{ 7*7 }}\n"})
    found = read(tmp_path / "sub")
    assert [file.content for file in found.value] == [text, "---\na: b\n---\n{{ 7*7 }}\n"]
    assert found.findings == ()


def test_the_user_file_comes_first_and_says_whose_it_is(tmp_path: Path) -> None:
    """Its folder is the home folder, or the agent's folder in there."""
    repo = write(tmp_path / "repo", {"AGENTS.md": "workspace"})
    home = tmp_path / "home"
    for name in (".agents/AGENTS.md", ".codex/AGENTS.md", ".claude/CLAUDE.md", ".gemini/GEMINI.md"):
        write(home, {name: name})
    found = read(repo, home=home)
    assert [(file.scope, file.content, file.file_name) for file in found.value] == [
        ("user", ".agents/AGENTS.md", "AGENTS.md"),
        ("workspace", "workspace", "AGENTS.md"),
    ]
    assert contents(read(repo, home=home, profile="codex"))[0] == ".codex/AGENTS.md"
    assert contents(read(repo, home=home, profile="claude"))[0] == ".claude/CLAUDE.md"
    assert contents(read(repo, home=home, profile="gemini"))[0] == ".gemini/GEMINI.md"


def test_claude_climbs_past_the_repository_and_reads_three_files_a_folder(tmp_path: Path) -> None:
    """In each folder the shared file, the one in `.claude`, the local one."""
    write(
        tmp_path,
        {
            "CLAUDE.md": "above",
            "repo/.git/HEAD": "",
            "repo/CLAUDE.local.md": "local",
            "repo/.claude/CLAUDE.md": "dotted",
            "repo/CLAUDE.md": "shared",
            "repo/AGENTS.md": "not claude's",
        },
    )
    found = read(tmp_path / "repo", profile="claude")
    assert contents(found) == ["above", "shared", "dotted", "local"]


def test_the_home_folder_of_claude_is_not_read_twice(tmp_path: Path) -> None:
    """On the way down to `cwd`, `~/.claude/CLAUDE.md` is met again as a workspace file."""
    write(tmp_path, {".claude/CLAUDE.md": "mine"})
    found = read(tmp_path, home=tmp_path, profile="claude")
    assert [(file.scope, file.content) for file in found.value] == [("user", "mine")]
    assert codes(found) == ["duplicate-file"]


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_file_under_two_names_is_taken_once_without_a_word(tmp_path: Path, link: object) -> None:
    """CLAUDE.md as a link to AGENTS.md is common, and nothing is lost by it."""
    write(tmp_path, {"AGENTS.md": "once"})
    link(tmp_path / "AGENTS.md", tmp_path / "CLAUDE.md")  # type: ignore[operator]
    groups = (("AGENTS.md",), ("CLAUDE.md",))
    both = replace(INSTRUCTION_PROFILES["promptdag"], workspace_files=groups)
    assert read(tmp_path) == Found(read(tmp_path, profile=both).value, ())
    assert codes(read(tmp_path, profile=both)) == ["duplicate-file"]


def test_a_link_out_of_the_repository_is_refused(tmp_path: Path) -> None:
    """The next name of the folder is taken instead; a link within is followed."""
    repo = write(tmp_path / "repo", {"CLAUDE.md": "inside", "sub/x": "", "docs/rules.md": "rules"})
    (tmp_path / "secret.txt").write_text("TOP-SECRET")
    (repo / "AGENTS.md").symlink_to("../secret.txt")
    (repo / "sub/AGENTS.md").symlink_to("../docs/rules.md")
    found = read(repo / "sub")
    assert contents(found) == ["inside", "rules"]
    assert [(f.code, f.severity) for f in found.findings] == [("link-escape", "error")]


def test_the_user_file_may_be_a_link_to_anywhere(tmp_path: Path) -> None:
    """Dotfile managers link it."""
    repo = write(tmp_path / "repo", {})
    write(tmp_path / "dotfiles", {"agents.md": "mine"})
    (tmp_path / "home").mkdir()
    (tmp_path / "home/AGENTS.md").symlink_to("../dotfiles/agents.md")
    assert contents(read(repo, home=tmp_path / "home")) == ["mine"]


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: path.mkdir(), "not-a-file"),
        (os.mkfifo, "not-a-file"),
        (lambda path: path.symlink_to("nowhere"), "unreadable"),
        (lambda path: path.symlink_to(path.name), "unreadable"),
    ],
    ids=["folder", "fifo", "dangling link", "loop"],
)
def test_what_is_no_file_is_told_and_the_next_name_taken(
    tmp_path: Path, make: object, code: str
) -> None:
    """None of them hangs or raises."""
    write(tmp_path, {"CLAUDE.md": "instead"})
    make(tmp_path / "AGENTS.md")  # type: ignore[operator]
    found = read(tmp_path)
    assert contents(found) == ["instead"]
    assert [(f.code, f.severity, f.path) for f in found.findings] == [
        (code, "error", str(tmp_path / "AGENTS.md"))
    ]


def test_a_file_that_may_not_be_read_is_told(folder: Path) -> None:
    """The others load."""
    write(folder, {"AGENTS.md": "closed", "sub/AGENTS.md": "open"})
    (folder / "AGENTS.md").chmod(0)
    with without_root():
        found = read(folder / "sub")
    assert contents(found) == ["open"]
    assert [(f.code, f.severity) for f in found.findings] == [("unreadable", "error")]
    assert "Permission denied" in found.findings[0].message


def test_odd_bytes_are_made_visible(tmp_path: Path) -> None:
    """A BOM goes, CRLF and CR become LF, bad bytes become U+FFFD, each told with its place."""
    raw = b"\xef\xbb\xbfone\r\ntwo\rthree \xff\xfe\nfour\xe2\x80\x8b"
    write(tmp_path, {"AGENTS.md": raw})
    found = read(tmp_path)
    assert found.value[0].content == "one\ntwo\nthree \ufffd\ufffd\nfour"
    assert [(f.code, f.line, f.severity) for f in found.findings] == [
        ("bom", None, "warning"),
        ("bad-bytes", 2, "warning"),
        ("removed-characters", None, "warning"),
    ]
    assert "1 x U+200B" in found.findings[2].message


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    """Sparse, so that the disk need not hold it."""
    write(tmp_path, {"AGENTS.md": ""})
    os.truncate(tmp_path / "AGENTS.md", 17 * 1024 * 1024)
    found = read(tmp_path)
    assert found.value == ()
    assert codes(found) == ["too-large"]


def test_a_path_that_is_no_text_is_shown_on_one_line(tmp_path: Path) -> None:
    """A folder name may hold line ends and any byte; the prompt may not."""
    repo = write(tmp_path / os.fsdecode(b"a\nb\xff"), {"AGENTS.md": "x"})
    found = read(repo)
    assert found.value[0].path == str(tmp_path / "a\ufffdb\ufffd/AGENTS.md")
    assert codes(found) == ["path-characters"]


def test_the_nearest_file_is_paid_first(tmp_path: Path) -> None:
    """The root file is cut at a line end, and both text and findings say by how much."""
    root = "".join(f"rule {number:03}\n" for number in range(100))
    write(tmp_path, {"AGENTS.md": root, "sub/AGENTS.md": "near\n" * 40})
    found = read(tmp_path / "sub", max_total_bytes=600)
    first, second = found.value
    assert (second.truncated, second.cut_bytes, second.content) == (False, 0, "near\n" * 40)
    kept, notice = first.content.split("\n\n")
    assert root.startswith(kept + "\n")
    assert first.truncated
    assert first.cut_bytes == len(root) - len(kept) - 1
    assert notice == (
        f"[{first.cut_bytes} bytes of AGENTS.md are not shown; open the file to read the rest]\n"
    )
    assert 590 < sum(len(file.content.encode()) for file in found.value) <= 600
    assert [(f.code, f.path) for f in found.findings] == [("file-cut", str(tmp_path / "AGENTS.md"))]
    assert f"{first.cut_bytes} of its 900 bytes" in found.findings[0].message
    assert "max_total_bytes" in found.findings[0].message


def test_codex_pays_the_root_first_and_lets_the_user_file_stand_outside(tmp_path: Path) -> None:
    """Its 32 KiB are shared by the chain: 30 KB at the root leave little for the next."""
    root = "root rule\n" * 3072
    repo = write(tmp_path / "repo", {"AGENTS.md": root, "sub/AGENTS.md": "near rule\n" * 1024})
    home = write(tmp_path / "home", {".codex/AGENTS.md": "mine\n" * 8192})
    found = read(repo / "sub", profile="codex", home=home)
    assert [file.truncated for file in found.value] == [False, False, True]
    assert len(found.value[0].content) == 5 * 8192
    assert len(found.value[1].content) == len(root)
    assert len(found.value[1].content) + len(found.value[2].content) <= 32 * 1024
    assert codes(found) == ["file-cut"]


def test_a_file_for_which_nothing_is_left_is_told(tmp_path: Path) -> None:
    """It is an error: the text is gone, and not even the prompt says so."""
    write(tmp_path, {"AGENTS.md": "root\n" * 10, "sub/AGENTS.md": "near\n"})
    found = read(tmp_path / "sub", max_total_bytes=20)
    assert contents(found) == ["near"]
    assert [(f.code, f.severity) for f in found.findings] == [("file-left-out", "error")]


def test_a_fence_that_a_cut_opens_is_closed(tmp_path: Path) -> None:
    """Else the notice and all that follows would be code."""
    write(tmp_path, {"AGENTS.md": "intro\n````py\n" + "code\n" * 60 + "````\nend\n"})
    content = read(tmp_path, max_file_bytes=250).value[0].content
    kept, _, notice = content.rpartition("\n\n")
    assert kept.endswith("\ncode\n````")
    assert notice.startswith("[")
    assert len(content) <= 250


def test_a_flow_with_its_own_notice_may_switch_ours_off(tmp_path: Path) -> None:
    """The file still says that it was cut."""
    write(tmp_path, {"AGENTS.md": "one\ntwo\nthree\n"})
    file = read(tmp_path, max_file_bytes=9, cut_notice="").value[0]
    assert (file.content, file.truncated, file.cut_bytes) == ("one\ntwo\n", True, 6)


def test_a_cut_file_is_not_searched_for_imports(tmp_path: Path) -> None:
    """An import that stands before the cut stays text, too."""
    write(tmp_path, {"AGENTS.md": "@a.md\n" + "rule\n" * 60, "a.md": "imported"})
    assert contents(read(tmp_path))[0].startswith("imported\n")
    assert contents(read(tmp_path, max_file_bytes=200))[0].startswith("@a.md\n")


def test_a_working_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    """Nothing could be read at all."""
    with pytest.raises(ReadError, match=r"cwd '.*gone' is not a folder; pass the folder that"):
        read_instructions(tmp_path / "gone")


def test_an_unknown_profile_is_an_error_that_names_the_nearest(tmp_path: Path) -> None:
    """The known names are listed."""
    message = r"no instruction profile is named 'codez'; did you mean 'codex'\? known: promptdag"
    with pytest.raises(UnknownNameError, match=message):
        read_instructions(tmp_path, profile="codez")


@pytest.mark.parametrize(
    ("text", "limit", "notice", "content"),
    [
        ("one\ntwo\nthree\n", 8, "", "one\ntwo\n"),
        ("one\ntwo\nthree\n", 7, "", "one\n"),
        ("one\ntwo\nthree\n", 7, "-", "one\n\n-\n"),
        ("three\ntwo\none\n", 3, "-", "\n-\n"),
        ("```\na\nb\nlonger\n", 10, "", "```\na\n```\n"),
        ("```\na\nb\nlonger\n", 9, "", "```\n```\n"),
        ("漢" * 40, 12, "", "漢漢漢\n"),
        ("漢" * 40, 10, "", "漢漢漢\n"),
        ("漢" * 40, 9, "", "漢漢\n"),
    ],
)
def test_a_cut_keeps_all_that_fits(text: str, limit: int, notice: str, content: str) -> None:
    """To the byte; a single long line is cut between two characters."""
    cut = cut_to_bytes(text, limit, file_name="A.md", notice=notice)
    assert cut is not None
    assert cut.content == content


LINES = st.lists(
    st.sampled_from(["rule", "漢" * 9, "", "```", "> ~~~", "- ```", "e\u0301\U0001f600", "x" * 70]),
    max_size=30,
).map("\n".join)


@given(LINES, st.integers(0, 400), st.sampled_from(["", "[{cut_bytes} of {file_name}]"]))
def test_a_cut_is_first_lines_and_within_its_limit(text: str, limit: int, notice: str) -> None:
    """For every limit, notice and closing fence included."""
    cut = cut_to_bytes(text, limit, file_name="A.md", notice=notice)
    size = len(text.encode())
    if size <= limit:
        assert (cut and cut.content, cut and cut.cut_bytes) == (text, 0)
    elif cut is not None:
        assert len(cut.content.encode()) <= limit
        kept = text.encode()[: size - cut.cut_bytes].decode()
        rest = cut.content.removeprefix(kept)
        assert cut.content.startswith(kept)
        assert kept.endswith("\n") or "\n" not in kept
        assert rest.endswith(notice and f"\n[{cut.cut_bytes} of A.md]\n")
        assert set(rest.removesuffix(f"[{cut.cut_bytes} of A.md]\n")) <= set("\n`~> ")
    else:
        assert limit < len(f"\n[{size} of A.md]\n") or not notice


@settings(max_examples=40, deadline=None)
@given(st.lists(LINES, min_size=3, max_size=3), st.integers(0, 900), st.integers(0, 900))
def test_all_files_together_keep_to_their_limits(
    texts: list[str], max_file_bytes: int, max_total_bytes: int
) -> None:
    """Whatever the files hold; and what is missing is told."""
    with tempfile.TemporaryDirectory() as name:
        repo = write(Path(name), {f"{'a/' * n}AGENTS.md": text for n, text in enumerate(texts)})
        limits = {"max_file_bytes": max_file_bytes, "max_total_bytes": max_total_bytes}
        found = read(repo / "a/a", **limits)
    sizes = [len(file.content.encode()) for file in found.value]
    assert sum(sizes) <= max_total_bytes
    assert max(sizes, default=0) <= max_file_bytes
    told = [finding for finding in found.findings if finding.code != "removed-characters"]
    untouched = sum(not file.truncated for file in found.value)
    assert untouched + len(told) == len(texts)


def test_a_finding_tells_where_and_what() -> None:
    """As it is printed."""
    finding = Finding("import-missing", "@a.md names no file", "/r/AGENTS.md", 3, 7)
    assert str(finding) == "/r/AGENTS.md:3:7: warning [import-missing] @a.md names no file"
