"""Reading skills: what each odd file gives, which folders are searched, and which skill wins."""

import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from promptdag.inputs import front_matter_yaml
from promptdag.inputs.errors import ReadError
from promptdag.inputs.findings import Finding, Found
from promptdag.inputs.front_matter import parse_front_matter
from promptdag.inputs.front_matter_simple import simple_fields
from promptdag.inputs.front_matter_yaml import YamlReader
from promptdag.inputs.skills import Skill, SkillRoot, parse_skill, read_skills, skill_roots

CASES: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "skill_cases.json").read_text("ascii")
)
LOADERS = {"libyaml": yaml.CBaseLoader, "pure Python": yaml.BaseLoader}


def write(path: Path, text: str | bytes) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def write_skill(root: Path, name: str, description: str = "Read tables.") -> Path:
    """Write a skill that has nothing wrong."""
    return write(
        root / name / "SKILL.md", f"---\nname: {name}\ndescription: {description}\n---\nDo it.\n"
    )


def link(path: Path, target: str | Path) -> None:
    """Make a symbolic link and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def project(path: Path, containment: Path | None = None) -> SkillRoot:
    """Return a root of project scope."""
    return SkillRoot(str(path), "project", None if containment is None else str(containment))


def names(found: Found[tuple[Skill, ...]]) -> list[str]:
    """Return the names of the skills, in their order."""
    return [skill.name for skill in found.value]


def codes(found: Found[Any]) -> list[str]:
    """Return the codes of the findings, in their order."""
    return [finding.code for finding in found.findings]


def write_case(folder: Path, case: dict[str, Any]) -> SkillRoot:
    """Write the files of a case and return their root."""
    for name, text in case["files"].items():
        write(folder / name, text)
    return project(folder)


# One file at a time


@pytest.mark.parametrize("loader", LOADERS.values(), ids=LOADERS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_case_gives_exactly_its_skills_and_findings(
    case: dict[str, Any], loader: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With and without libyaml: every field that the case names, every finding, every place."""
    monkeypatch.setattr(front_matter_yaml, "EVENT_LOADER", loader)
    found = read_skills([write_case(tmp_path, case)])
    places = [[f.code, f.severity, f.line, f.column] for f in found.findings]
    assert places == case["findings"]
    assert len(found.value) == len(case["skills"])
    for skill, expected in zip(found.value, case["skills"], strict=True):
        fields = {"license": None, "metadata": {}, "other_fields": {}, **expected}
        seen = {key: getattr(skill, key) for key in fields}
        assert seen | {"allowed_tools": list(skill.allowed_tools)} == (
            {"allowed_tools": []} | fields
        )
        assert skill.path.startswith(str(tmp_path))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_strict_reading_makes_each_warning_an_error_and_refuses_its_skill(
    case: dict[str, Any], tmp_path: Path
) -> None:
    """The places stay; the skills that remain are those without any finding."""
    root = write_case(tmp_path, case)
    lenient, strict = read_skills([root]), read_skills([root], strict=True)
    assert strict.findings == tuple(replace(f, severity="error") for f in lenient.findings)
    faulty = {finding.path for finding in lenient.findings}
    assert strict.value == tuple(skill for skill in lenient.value if skill.path not in faulty)


def test_invalid_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are not guessed at; the next skill is read."""
    write(tmp_path / "bad" / "SKILL.md", b"---\nname: bad\ndescription: caf\xe9\n---\n")
    write(tmp_path / "wide" / "SKILL.md", "---\nname: wide\n---\n".encode("utf-16"))
    write_skill(tmp_path, "good")
    found = read_skills([project(tmp_path)])
    assert names(found) == ["good"]
    assert [(f.code, f.line, f.severity) for f in found.findings] == [
        ("invalid-utf-8", 3, "error"),
        ("invalid-utf-8", 1, "error"),
    ]
    assert "0xe9" in found.findings[0].message


def test_an_alias_bomb_is_refused_at_once() -> None:
    """Nothing is expanded: an anchor is refused where it stands."""
    rows = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    rows += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi")]  # noqa: B905
    data = "\n".join(["---", *rows, "---", ""]).encode()
    start = time.perf_counter()
    found = parse_skill(data, "/bomb/SKILL.md")
    assert time.perf_counter() - start < 0.5
    assert (found.value, codes(found)) == (None, ["yaml-anchor"])


@pytest.mark.parametrize(
    "head",
    [
        "a: " + "[" * 200_000,
        "{a: " * 50_000,
        "a" + " " * 500_000,
        "a: b\n" + " " * 500_000 + "x: y: z",
        "- " * 50_000,
        "...   x\n" * 50_000,
        "--- x\n" * 50_000,
        "".join(f"k{number}: v: w\n" for number in range(5_000)),
    ],
    ids=["flow", "map", "spaces", "indent", "list", "dots", "documents", "repairs"],
)
def test_hostile_front_matter_is_read_in_linear_time(head: str) -> None:
    """Half a megabyte of what makes parsers slow takes well under two seconds."""
    start = time.perf_counter()
    found = parse_skill(f"---\n{head}\n---\n".encode(), "/x/SKILL.md")
    assert time.perf_counter() - start < 2
    assert found.value is None


def test_a_finding_reads_as_path_line_column_and_what_to_do() -> None:
    """The exact text of the most frequent finding, strict and lenient alike."""
    data = b"---\nname: forms\ndescription: Flags: --all\n---\n"
    [finding] = parse_skill(data, "/s/forms/SKILL.md", strict=True).findings
    assert str(finding) == (
        "/s/forms/SKILL.md:3:19: error [yaml-repaired] not YAML (mapping values are not allowed "
        "in this context), so the line is taken as text; quote the value"
    )


def test_a_plugin_gives_its_skills_a_qualified_name() -> None:
    """The plugin's name stands before the skill's; without one there is no qualified name."""
    data = b"---\nname: deploy\ndescription: a\n---\n"
    inside = parse_skill(data, "/p/deploy/SKILL.md", scope="plugin", plugin="cloud").value
    outside = parse_skill(data, "/p/deploy/SKILL.md").value
    assert inside is not None
    assert outside is not None
    assert (inside.qualified_name, inside.display_name) == ("cloud:deploy", "cloud:deploy")
    assert (outside.qualified_name, outside.display_name) == (None, "deploy")
    assert (inside.scope, outside.scope) == ("plugin", "project")


def test_prose_keys_decide_where_a_hash_is_text() -> None:
    """A reader of other files names its own keys of prose."""
    data = b"---\ntitle: Issue #1\ndescription: Issue #2\n---\n"
    found = parse_front_matter(data, "x.md", prose_keys=("title",))
    assert found.value is not None
    assert found.value.fields == {"title": "Issue #1", "description": "Issue"}
    assert found.value.lines == {"title": 2, "description": 3}


# The short way through simple front matter

TOKENS = st.sampled_from(
    ["name", "description", "a-b_c", "1", "on", "no", ": ", ":", " ", "  ", "#", " #", "\n", "\n ",
     "-", "- ", "--", "'", '"', "\\", "|", ">", "[", "]", "{", "}", ",", "&a", "*a", "!", "!t ",
     "%", "@", "`", "?", "? ", "~", "=", "<<", "...", "\t", "é", "表", "²", "\x85", "\u2028",
     "\ufeff", "\ufffe", "\x00", "😀", ".5",
     "\\U00110000", "\\ud800", "\\e", "\\P", "x: y\n", "k: v\n", "d: 'it'\n"]
)  # fmt: skip
LINES = st.sampled_from(
    ["k: |", "m: >-", "k: >", "d: |-", "m:", "a: b", "  a: b", "  c: 'd'", "  e", "   f", "  g ",
     "", "  ", "  # h", "# i", "  - j", "  a:", "  k: l # m", " n: o", "    p: q", "  ---", "r:  ",
     "  s: t:", "u:z|"]
)  # fmt: skip
HEADS = st.one_of(
    st.lists(LINES, max_size=6).map("\n".join),
    st.lists(TOKENS, max_size=14).map("".join),
    st.lists(
        st.tuples(st.sampled_from(["a", "b-c", "d_e", "é", "1"]), st.lists(TOKENS, max_size=6)).map(
            lambda pair: f"{pair[0]}: {''.join(pair[1])}"
        ),
        max_size=4,
    ).map("\n".join),
)


@settings(max_examples=600, deadline=None)
@given(head=HEADS)
@example(head="a: b c  ")
@example(head="a: 'b # c: d'")
@example(head='a: "b" c')
@example(head="a: b\na: c")
@example(head="a: b:")
@example(head="a: |\n   b\n  c")
@example(head="a: |\n  b\nc: d")
@example(head="a: |\n  b\u2028c")
@example(head="a: |\n  b\x00c")
@example(head="a: >\n  b \n  c  ")
@example(head="a: >\n  b\n  \n  c")
@example(head="a: >-\n  # b\n  - c ")
@example(head="a:\n  b: c\n  b: d")
@example(head="a:\n  b: c\n   d")
@example(head="a:\n  b: c\n\n")
def test_the_short_way_gives_what_yaml_gives(head: str) -> None:
    """Whatever the short way accepts, the YAML reader reads alike and has nothing to note."""
    simple = simple_fields(head + "\n")
    if simple is None:
        return
    findings: list[Finding] = []
    reader = YamlReader(head + "\n", 2, "x", (), findings)
    fields, places = simple
    assert reader.fields() == fields
    assert reader.lines == {key: 2 + index for key, index in places.items()}
    assert findings == []


def test_most_shapes_of_front_matter_take_the_short_way() -> None:
    """Otherwise the comparison above would compare nothing."""
    shapes = (
        "k: v",
        "k: 'v: w'",
        "k:\n  a: b\n  c: 1.10\nl: m",
        "k: >-\n  a\n  b\nl: m",
        "k: |\n  a",
    )
    assert all(simple_fields(shape + "\n") for shape in shapes)


@settings(max_examples=300, deadline=None)
@given(head=HEADS)
def test_what_is_read_without_a_finding_is_what_pyyaml_reads(head: str) -> None:
    """PyYAML's own BaseLoader is the oracle for every file that is read in silence."""
    found = parse_front_matter(f"---\n{head}\n---\n".encode(), "x.md")
    if found.value is not None and not found.findings:
        assert found.value.fields == (yaml.load(head + "\n", Loader=yaml.CBaseLoader) or {})
    else:
        assert found.findings


@settings(max_examples=250, deadline=None)
@given(head=HEADS)
@example(head='a: -\na: "\\U00110000')
def test_no_front_matter_makes_the_pure_python_parser_raise(head: str) -> None:
    """Without libyaml too, the only way out is a finding."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(front_matter_yaml, "EVENT_LOADER", yaml.BaseLoader)
        found = parse_front_matter(f"---\n{head}\n---\n".encode(), "x.md")
    assert (found.value is None) == any(f.severity == "error" for f in found.findings)


@settings(max_examples=250, deadline=None)
@given(data=st.one_of(st.binary(), HEADS.map(lambda head: f"---\n{head}\n---\n{head}".encode())))
def test_no_bytes_make_the_reader_raise(data: bytes) -> None:
    """A skill, or an error finding; and the same again for the same bytes."""
    found = parse_skill(data, "/x/a/SKILL.md")
    assert found == parse_skill(data, "/x/a/SKILL.md")
    assert (found.value is None) == any(f.severity == "error" for f in found.findings)


# Links, limits and what cannot be read


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A repository with links out of it, in circles, to nowhere and to itself."""
    repository = tmp_path / "repository"
    skills = repository / ".agents" / "skills"
    write(tmp_path / "outside" / "secret.txt", "TOP-SECRET\n")
    write_skill(tmp_path / "outside", "shared")
    write_skill(skills, "real")
    link(skills / "shared", "../../../outside/shared")
    link(skills / "leak" / "SKILL.md", "../../../../outside/secret.txt")
    link(skills / "loop", ".")
    link(skills / "self", "self")
    link(skills / "dangling", "nowhere")
    link(skills / "real" / "README.md", "nowhere")
    link(repository / ".claude" / "skills" / "real", "../../.agents/skills/real")
    return repository


def test_a_project_follows_links_inside_its_repository_alone(linked: Path) -> None:
    """Inside: followed, read once. Outside, in circles, to nowhere: a finding and no hang."""
    roots = [project(linked / client / "skills", linked) for client in (".agents", ".claude")]
    found = read_skills(roots)
    assert names(found) == ["real"]
    assert "TOP-SECRET" not in repr(found)
    placed = {(Path(f.path or "").relative_to(linked).as_posix(), f.code) for f in found.findings}
    assert placed == {
        (".agents/skills/dangling", "broken-link"),
        (".agents/skills/self", "broken-link"),
        (".agents/skills/loop", "duplicate-link"),
        (".agents/skills/shared", "link-escape"),
        (".agents/skills/leak/SKILL.md", "link-escape"),
        (".claude/skills/real/SKILL.md", "duplicate-link"),
    }
    assert {f.severity for f in found.findings if f.code == "link-escape"} == {"warning"}
    assert {f.severity for f in found.findings if f.code == "duplicate-link"} == {"info"}


def test_a_user_may_link_to_skills_elsewhere(linked: Path) -> None:
    """Without a folder that contains the links, user scope follows them."""
    found = read_skills([SkillRoot(str(linked / ".agents" / "skills"), "user")])
    assert names(found) == ["real", "shared"]
    assert codes(found).count("missing-frontmatter") == 1
    assert "TOP-SECRET" not in repr(found)


def test_a_project_root_contains_its_links_by_default(linked: Path) -> None:
    """A forgotten `containment` does not open the way out."""
    found = read_skills([project(linked / ".claude" / "skills")])
    assert (found.value, codes(found)) == ((), ["link-escape"])


def test_a_root_that_leads_out_of_its_project_is_refused(linked: Path) -> None:
    """The root itself may be the link; a sibling with the same beginning is outside too."""
    write_skill(linked.parent / "repository-two", "other")
    link(linked / ".gemini", "../outside")
    link(linked / ".opencode", "../repository-two")
    roots = [project(linked / name, linked) for name in (".gemini", ".opencode")]
    assert codes(read_skills(roots)) == ["link-escape", "link-escape"]


def test_the_plain_folder_is_read_before_a_link_to_it(tmp_path: Path) -> None:
    """Otherwise the skill would bear the link's name for its folder."""
    write_skill(tmp_path, "zebra")
    link(tmp_path / "alias", "zebra")
    found = read_skills([project(tmp_path)], strict=True)
    assert [skill.path for skill in found.value] == [str(tmp_path / "zebra" / "SKILL.md")]
    assert [(f.code, f.path) for f in found.findings] == [
        ("duplicate-link", str(tmp_path / "alias"))
    ]


def test_the_search_ends_at_its_depth_and_says_so(tmp_path: Path) -> None:
    """Six levels below the root are read, the seventh is named in a finding."""
    write_skill(tmp_path / "1/2/3/4/5", "six")
    write_skill(tmp_path / "1/2/3/4/5/6", "seven")
    found = read_skills([project(tmp_path)])
    assert names(found) == ["six"]
    assert [(f.code, f.path) for f in found.findings] == [
        ("depth-limit", str(tmp_path / "1/2/3/4/5/6/seven"))
    ]
    assert names(read_skills([project(tmp_path)], max_depth=7)) == ["seven", "six"]


def test_the_search_ends_after_two_thousand_folders_and_says_so(tmp_path: Path) -> None:
    """The root and 1,999 folders are read; which ones does not depend on the listing."""
    for number in range(2000):
        (tmp_path / f"f{number:04}").mkdir()
    write_skill(tmp_path, "f1998")
    write_skill(tmp_path, "f1999")
    found = read_skills([project(tmp_path)])
    assert names(found) == ["f1998"]
    assert [(f.code, f.path) for f in found.findings] == [("folder-limit", str(tmp_path / "f1999"))]
    (tmp_path / "f0000").rmdir()
    assert codes(read_skills([project(tmp_path)])) == []


def test_dot_folders_and_node_modules_are_not_searched(tmp_path: Path) -> None:
    """As in the agents whose folders these are."""
    for folder in (".system", "node_modules", "kept"):
        write_skill(tmp_path / folder, folder.strip("._").replace("_", "-"))
    assert names(read_skills([project(tmp_path)])) == ["kept"]


def test_a_skill_may_hold_skills(tmp_path: Path) -> None:
    """A folder with a `SKILL.md` is searched further."""
    write_skill(tmp_path, "outer")
    write_skill(tmp_path / "outer", "inner")
    assert names(read_skills([project(tmp_path)])) == ["inner", "outer"]


@contextmanager
def without_privileges() -> Iterator[Path]:
    """A folder in which permissions hold, also where the tests run as root."""
    folder = Path(tempfile.mkdtemp())
    user = os.geteuid()
    folder.chmod(0o777)
    try:
        if user == 0:
            os.seteuid(65534)
        yield folder
    finally:
        os.seteuid(user)
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755)
        shutil.rmtree(folder)


def test_what_cannot_be_read_is_a_finding_and_stops_nothing() -> None:
    """A folder, a file and a root without permission; the good skill is read."""
    with without_privileges() as folder:
        write_skill(folder / "root", "closed")
        write_skill(folder / "root", "good")
        write_skill(folder / "root" / "locked", "inside")
        write_skill(folder / "other", "x")
        (folder / "root" / "closed" / "SKILL.md").chmod(0)
        (folder / "root" / "locked").chmod(0)
        (folder / "other").chmod(stat.S_IXUSR)
        found = read_skills([project(folder / "root"), project(folder / "other")])
        assert names(found) == ["good"]
        assert [(f.code, f.severity, Path(f.path or "").name) for f in found.findings] == [
            ("unreadable-file", "error", "SKILL.md"),
            ("unreadable-folder", "error", "locked"),
            ("unreadable-folder", "error", "other"),
        ]


def test_a_root_that_is_no_folder_is_a_finding(tmp_path: Path) -> None:
    """A missing root is only mentioned; a file in its place is an error."""
    write(tmp_path / "file", "x")
    found = read_skills([project(tmp_path / "none"), project(tmp_path / "file")])
    assert [(f.code, f.severity) for f in found.findings] == [
        ("missing-root", "info"),
        ("unreadable-folder", "error"),
    ]


def test_a_skill_file_that_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """A folder and a pipe of that name: reading a pipe would wait for ever."""
    (tmp_path / "folder" / "SKILL.md").mkdir(parents=True)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "SKILL.md")
    assert codes(read_skills([project(tmp_path)])) == ["not-a-file", "not-a-file"]


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    """One byte beyond the limit is too much."""
    path = write_skill(tmp_path, "large")
    size = path.stat().st_size
    assert names(read_skills([project(tmp_path)], max_file_bytes=size)) == ["large"]
    assert codes(read_skills([project(tmp_path)], max_file_bytes=size - 1)) == ["too-large"]


@pytest.mark.parametrize("name", [b"a\nb", b"a\xff", "a\u2028b".encode(), b"a\x1b[0m"])
def test_a_path_that_cannot_be_shown_on_a_line_is_refused(name: bytes, tmp_path: Path) -> None:
    """A listing gives the path to the model: it must be one line of true text."""
    folder = os.fsencode(tmp_path) + b"/" + name
    os.mkdir(folder)
    with open(folder + b"/SKILL.md", "wb") as file:
        file.write(b"---\nname: a\ndescription: b\n---\n")
    found = read_skills([project(tmp_path)])
    assert (found.value, codes(found)) == ((), ["unprintable-path"])
    assert "\n" not in str(found.findings[0])
    str(found.findings[0]).encode()


def test_spaces_and_letters_in_a_path_are_kept(tmp_path: Path) -> None:
    """Only what breaks a line is refused, not what is merely unusual."""
    path = write_skill(tmp_path / "Ünser Ordner\u00a0\u3000", "good")
    assert [skill.path for skill in read_skills([project(tmp_path)]).value] == [str(path)]


# Which skill wins


def two_scopes(tmp_path: Path) -> list[SkillRoot]:
    """Return a user and a project root that both hold `deploy`."""
    write_skill(tmp_path / "user", "deploy", "The user's.")
    write_skill(tmp_path / "project", "deploy", "The project's.")
    write_skill(tmp_path / "user", "only-user")
    return [SkillRoot(str(tmp_path / "user"), "user"), project(tmp_path / "project")]


@pytest.mark.parametrize(
    ("precedence", "winner", "loser"),
    [("project-first", "project", "user"), ("user-first", "user", "project")],
)
def test_precedence_decides_between_project_and_user(
    precedence: Any, winner: str, loser: str, tmp_path: Path
) -> None:
    """One winner, a finding that names both, and the order of the roots does not matter."""
    roots = two_scopes(tmp_path)
    found = read_skills(roots, precedence=precedence)
    assert [(skill.name, skill.scope) for skill in found.value] == [
        ("deploy", winner),
        ("only-user", "user"),
    ]
    [finding] = found.findings
    assert (finding.code, finding.severity) == ("duplicate-name", "warning")
    assert finding.path == str(tmp_path / loser / "deploy" / "SKILL.md")
    assert str(tmp_path / winner / "deploy" / "SKILL.md") in finding.message
    assert read_skills(roots[::-1], precedence=precedence) == found


def test_project_first_is_the_default(tmp_path: Path) -> None:
    """As the guide for clients has it."""
    roots = two_scopes(tmp_path)
    assert read_skills(roots) == read_skills(roots, precedence="project-first")


def test_within_a_scope_the_earlier_root_wins(tmp_path: Path) -> None:
    """Names are equal after NFKC, so that two look-alikes cannot stand side by side."""
    write_skill(tmp_path / "a", "cr\u00e8me", "First.")
    write_skill(tmp_path / "b", "cre\u0300me", "Second.")
    roots = [project(tmp_path / "a"), project(tmp_path / "b")]
    for order, winner in ((roots, "First."), (roots[::-1], "Second.")):
        found = read_skills(order)
        assert [skill.description for skill in found.value] == [winner]
        assert codes(found) == ["duplicate-name"]


def test_a_refused_skill_does_not_win(tmp_path: Path) -> None:
    """The user's skill stands in for the project's broken one; both facts are told."""
    roots = two_scopes(tmp_path)
    write(tmp_path / "project" / "deploy" / "SKILL.md", "---\nname: deploy\n---\n")
    found = read_skills(roots)
    assert [(skill.name, skill.scope) for skill in found.value] == [
        ("deploy", "user"),
        ("only-user", "user"),
    ]
    assert codes(found) == ["missing-description"]


def test_plugins_do_not_clash_with_anybody(tmp_path: Path) -> None:
    """Qualified names are compared, so `cloud:deploy` and `deploy` are two skills."""
    write_skill(tmp_path / "cloud", "deploy")
    roots = [*two_scopes(tmp_path)[1:], SkillRoot(str(tmp_path / "cloud"), "plugin", None, "cloud")]
    found = read_skills(roots)
    assert [skill.display_name for skill in found.value] == ["cloud:deploy", "deploy"]
    assert found.findings == ()


def test_a_strict_winner_stays_when_its_rival_is_an_error(tmp_path: Path) -> None:
    """The loser is left out in any case; strictness only names it an error."""
    found = read_skills(two_scopes(tmp_path), strict=True)
    assert names(found) == ["deploy", "only-user"]
    assert [(f.code, f.severity) for f in found.findings] == [("duplicate-name", "error")]


def test_results_do_not_depend_on_the_order_of_creation(tmp_path: Path) -> None:
    """The same files written forwards and backwards give the same skills and findings."""
    results = []
    numbers = [f"{number:02}" for number in range(40)]
    for folder, order in (("one", numbers), ("two", numbers[::-1])):
        root = tmp_path / folder / "skills"
        for number in order:
            write(root / number / "SKILL.md", f"---\nname: n{int(number) % 7}\n---\n")
            write_skill(root, f"s{number}", f"Fix #{number}.")
            link(root / f"l{number}", f"s{number}")
        found = read_skills([project(root)])
        results.append(repr(found).replace(str(tmp_path / folder), ""))
    assert results[0] == results[1]
    assert results[0].count("comment-truncation") == 40


def test_a_broken_skill_stops_none_of_the_others(tmp_path: Path) -> None:
    """All cases side by side in one root: each gives what it gives alone."""
    expected_codes: list[str] = []
    expected_names: list[str] = []
    for key, case in CASES.items():
        write_case(tmp_path / key, case)
        expected_codes += [code for code, *_ in case["findings"]]
        expected_names += [skill["name"] for skill in case["skills"]]
    found = read_skills([project(tmp_path)])
    assert sorted(codes(found)) == sorted(expected_codes)
    assert names(found) == sorted(expected_names)


# The usual folders


def test_the_usual_folders_run_from_the_work_folder_up_to_the_repository(tmp_path: Path) -> None:
    """Nearest first; nothing above the repository; the user's folders last."""
    home, repository = tmp_path / "home", tmp_path / "home" / "work" / "repository"
    cwd = repository / "a" / "b"
    (repository / ".git").mkdir(parents=True)
    expected = [
        cwd / ".agents/skills",
        cwd / ".gemini/skills",
        repository / "a/.claude/skills",
        repository / ".agents/skills",
        home / ".claude/skills",
        home / ".codex/skills",
    ]
    for folder in [*expected, home / "work/.agents/skills", repository / "c/.agents/skills"]:
        folder.mkdir(parents=True)
    roots = skill_roots(str(cwd), str(home))
    assert [root.path for root in roots] == [str(path) for path in expected]
    assert [root.scope for root in roots] == ["project"] * 4 + ["user"] * 2
    assert {root.containment for root in roots[:4]} == {str(repository)}
    assert {root.containment for root in roots[4:]} == {None}


def test_without_a_repository_only_the_work_folder_counts(tmp_path: Path) -> None:
    """And a `.git` file, as in a worktree, makes a repository."""
    cwd = tmp_path / "a" / "b"
    for folder in (cwd, tmp_path / "a"):
        (folder / ".agents" / "skills").mkdir(parents=True)
    home = str(tmp_path / "home")
    assert [root.containment for root in skill_roots(str(cwd), home)] == [str(cwd)]
    write(tmp_path / "a" / ".git", "gitdir: elsewhere\n")
    assert len(skill_roots(str(cwd), home)) == 2


def test_the_home_folder_is_the_user_and_no_project(tmp_path: Path) -> None:
    """A repository of dot files in the home folder does not change whose skills these are."""
    (tmp_path / ".git").mkdir()
    write_skill(tmp_path / ".agents" / "skills", "mine")
    (tmp_path / "a").mkdir()
    for cwd in (tmp_path, tmp_path / "a"):
        found = read_skills(skill_roots(str(cwd), str(tmp_path)))
        assert [(skill.name, skill.scope) for skill in found.value] == [("mine", "user")]
        assert found.findings == ()


def test_the_current_user_is_the_default_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`HOME` says where that is."""
    (tmp_path / "home" / ".agents" / "skills").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    [root] = skill_roots(str(tmp_path))
    assert root == SkillRoot(str(tmp_path / "home" / ".agents" / "skills"), "user")


def test_a_work_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    """An empty answer would look like a project without skills."""
    with pytest.raises(ReadError, match="none: not a folder; give the folder"):
        skill_roots(str(tmp_path / "none"), str(tmp_path))
