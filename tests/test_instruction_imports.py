"""`@path` in instruction files, and the scanner that tells code from text."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from promptdag.inputs.findings import Finding
from promptdag.inputs.instruction_imports import ImportExpander, ImportRules
from promptdag.inputs.instructions import read_instructions
from promptdag.inputs.markdown_code import closing_fence, mask_code


def read(
    folder: Path, files: Mapping[str, str | bytes], **settings: object
) -> tuple[str, tuple[Finding, ...]]:
    """Write the files and return what AGENTS.md became, with the findings."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    found = read_instructions(folder, **({"home": folder / "no-home"} | settings))  # type: ignore[arg-type]
    return found.value[0].content, found.findings


def places(findings: tuple[Finding, ...]) -> list[tuple[str, str, int | None, int | None]]:
    """Return what each finding is, and where."""
    return [(f.code, Path(f.path or "").name, f.line, f.column) for f in findings]


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("@a.md", "A"),
        ("- @a.md", "A"),
        ("  @./a.md  ", "A"),
        ("see @a.md.", "see @a.md.\nA"),
        ("(see @a.md), then", "(see @a.md), then\nA"),
        ("@a.md @b.md", "A\nB"),
        ("both @a.md and @b.md", "both @a.md and @b.md\nA\nB"),
        ("@with\\ blank.md", "W"),
        ("@plain", "P"),
        ("@docs/../a.md", "A"),
        ("mail@a.md", "mail@a.md"),
        ("`@a.md`", "`@a.md`"),
        ("x ``@a.md ` @a.md`` y", "x ``@a.md ` @a.md`` y"),
        ("<!-- @a.md -->", "<!-- @a.md -->"),
        ("\\`@team @a.md `", "\\`@team @a.md `\nA"),
        ("@", "@"),
        ("@team and @scope/package", "@team and @scope/package"),
    ],
)
def test_an_import_alone_is_replaced_and_one_in_a_sentence_is_followed(
    tmp_path: Path, line: str, outcome: str
) -> None:
    """Addresses, names, code and comments are no imports, and no findings."""
    files = {"a.md": "A\n", "b.md": "\nB\n", "with blank.md": "W", "plain": "P", "docs/x": ""}
    content, findings = read(tmp_path, files | {"AGENTS.md": f"first\n{line}\nlast\n"})
    assert content == f"first\n{outcome}\nlast\n"
    assert findings == ()


@pytest.mark.parametrize(
    "code",
    [
        "```\n@a.md\n```",
        "~~~~\n```\n~~~\n@a.md\n~~~~",
        "````\n```\n@a.md\n````",
        "- item\n  ```\n  @a.md\n  ```",
        "> ```\n> @a.md\n> ```",
        "a `code that\nruns on @a.md\nhere` b",
    ],
)
def test_nothing_is_imported_in_code(tmp_path: Path, code: str) -> None:
    """What follows the code is text again."""
    content, findings = read(tmp_path, {"AGENTS.md": f"{code}\n\n@a.md\n", "a.md": "A"})
    assert content == f"{code}\n\nA\n"
    assert findings == ()


def test_imports_are_relative_to_the_file_that_names_them(tmp_path: Path) -> None:
    """Also those of an imported file."""
    files = {"AGENTS.md": "@docs/a.md\n", "docs/a.md": "A\n@more/b.md\n", "docs/more/b.md": "B\n"}
    assert read(tmp_path, files) == ("A\nB\n", ())


def test_the_depth_is_a_setting(tmp_path: Path) -> None:
    """Zero leaves every import text; deeper ones than allowed are told where they stand."""
    files = {"AGENTS.md": "@1.md", "1.md": "one\n@2.md", "2.md": "two\n@3.md", "3.md": "three"}
    assert read(tmp_path, files) == ("one\ntwo\nthree", ())
    assert read(tmp_path, files, max_import_depth=0) == ("@1.md", ())
    content, findings = read(tmp_path, files, max_import_depth=2)
    assert content == "one\ntwo\n@3.md"
    assert places(findings) == [("import-too-deep", "2.md", 2, 1)]


def test_a_cycle_ends(tmp_path: Path) -> None:
    """Also through a link to a file of the chain, and to itself."""
    (tmp_path / "link.md").symlink_to("AGENTS.md")
    files = {"AGENTS.md": "root\n@a.md\n@AGENTS.md", "a.md": "A\n@link.md"}
    content, findings = read(tmp_path, files)
    assert content == "root\nA\n@link.md\n@AGENTS.md"
    assert places(findings) == [("import-cycle", "a.md", 2, 1), ("import-cycle", "AGENTS.md", 3, 1)]


def test_a_fan_of_imports_takes_each_file_once(tmp_path: Path) -> None:
    """Ten files that import each other ten times over would else be 10 ** 5 texts."""
    fan = "".join(f"@{n}.md\n" for n in range(10)) * 10
    files = {f"{n}.md": f"text {n}\n{fan}" for n in range(10)} | {"AGENTS.md": fan}
    content, findings = read(tmp_path, files, max_file_bytes=10**6)
    assert all(content.count(f"text {n}\n") == 1 for n in range(10))
    assert {f.code for f in findings} == {"import-cycle", "import-repeated", "import-too-deep"}


def test_a_file_that_is_in_the_prompt_already_is_not_imported(tmp_path: Path) -> None:
    """The CLAUDE.md of a folder below often imports the AGENTS.md above."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "AGENTS.md").write_text("root")
    (tmp_path / "sub/CLAUDE.md").write_text("@../AGENTS.md\nsub")
    found = read_instructions(tmp_path / "sub", home=tmp_path / "no-home")
    assert [file.content for file in found.value] == ["root", "@../AGENTS.md\nsub"]
    assert [(f.code, f.severity) for f in found.findings] == [("import-repeated", "info")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("@https://example.org/a.md", "import-url"),
        ("@file:///etc/passwd", "import-url"),
        ("@../secret.md", "import-escape"),
        ("@../not-there.md", "import-escape"),
        ("@/etc/passwd", "import-escape"),
        ("@~/secret.md", "import-escape"),
        ("@link.md", "import-escape"),
        ("@linked/secret.md", "import-escape"),
        ("@missing.md", "import-missing"),
        ("@./missing", "import-missing"),
        ("@docs/", "not-a-file"),
        ("@latin.md", "bad-bytes"),
        ("@logo.png", "bad-bytes"),
        ("@" + "x" * 300 + ".md", "import-missing"),
    ],
)
def test_what_may_not_be_imported_stays_text_and_is_told(
    tmp_path: Path, line: str, code: str
) -> None:
    """Whether a file outside exists is not told."""
    repo = tmp_path / "repo"
    (repo / "docs").mkdir(parents=True)
    (tmp_path / "secret.md").write_text("TOP-SECRET")
    (repo / "link.md").symlink_to("../secret.md")
    (repo / "linked").symlink_to("..")
    files = {"AGENTS.md": f"first\nsee {line}\n", "latin.md": b"caf\xe9", "logo.png": b"\x89PNG\0"}
    content, findings = read(repo, files, home=tmp_path)
    assert content == f"first\nsee {line}\n"
    assert [f.code for f in findings] == [code]
    if code.startswith("import-"):
        assert places(findings) == [(code, "AGENTS.md", 2, 5)]
        assert line in findings[0].message


def test_further_folders_may_be_opened_to_imports(tmp_path: Path) -> None:
    """Also those that `~` names."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home/mine.md").write_text("mine")
    (tmp_path / "repo").mkdir()
    content, findings = read(
        tmp_path / "repo",
        {"AGENTS.md": "@~/mine.md"},
        home=tmp_path / "home",
        import_folders=(tmp_path / "home",),
    )
    assert (content, findings) == ("mine", ())


def test_an_import_that_does_not_fit_stays_text_and_a_later_one_gets_in(tmp_path: Path) -> None:
    """Imports are taken whole or not at all, and count in the limit."""
    files = {"AGENTS.md": "@long.md\n@short.md\n", "long.md": "long\n" * 50, "short.md": "short\n"}
    content, findings = read(tmp_path, files, max_file_bytes=200)
    assert content == "@long.md\nshort\n"
    assert places(findings) == [("import-too-large", "AGENTS.md", 1, 1)]
    assert "needs 250 bytes, 181 are left" in findings[0].message
    assert read(tmp_path, files, max_file_bytes=268)[1][0].code == "import-too-large"
    assert read(tmp_path, files, max_file_bytes=269)[0].count("long") == 50


@pytest.mark.parametrize(("profile", "name"), [("claude", "CLAUDE.md"), ("gemini", "GEMINI.md")])
def test_the_other_profiles_import_too(tmp_path: Path, profile: str, name: str) -> None:
    """Five files deep and whole, without a limit; codex has no imports."""
    chain = {f"{n}.md": f"{n}\n@{n + 1}.md\n" for n in range(1, 7)}
    files = chain | {"AGENTS.md": "@1.md", name: "@1.md\n", "1.md": "1\n" * 20_000 + "@2.md"}
    content, findings = read(tmp_path, files, profile=profile)
    assert content == "1\n" * 20_000 + "2\n3\n4\n5\n@6.md\n"
    assert places(findings) == [("import-too-deep", "5.md", 2, 1)]
    assert read(tmp_path, files, profile="codex") == ("@1.md", ())


def test_a_fence_left_open_by_an_import_is_closed(tmp_path: Path) -> None:
    """Else the rest of the importing file would be code."""
    content, findings = read(tmp_path, {"AGENTS.md": "@a.md\nrest\n", "a.md": "A\n```\ncode\n"})
    assert content == "A\n```\ncode\n```\nrest\n"
    assert findings == ()


def test_imports_behind_a_fence_that_is_never_closed_are_told(tmp_path: Path) -> None:
    """They are code, but hardly meant so."""
    content, findings = read(tmp_path, {"AGENTS.md": "```\ncode\n\n@a.md\n", "a.md": "A"})
    assert content == "```\ncode\n\n@a.md\n"
    assert [(f.code, f.severity) for f in findings] == [("unclosed-fence", "info")]


@given(st.text(st.characters(exclude_characters="@\r", exclude_categories=["Cs"])))
def test_a_text_without_imports_stays_as_it_is(text: str) -> None:
    """And so it does when expanded again."""
    expander = ImportExpander(ImportRules(5, (Path("/"),)), None, set())
    text_with_address = f"{text}\nme@example.org\n"
    assert expander.expand(text_with_address, Path("/AGENTS.md"), (0, 0)) == text_with_address
    assert expander.taken == set()


@given(st.text(st.sampled_from("`~ \n>-a1.)#\\<!")))
def test_masking_keeps_every_place(text: str) -> None:
    """Lengths and line ends stay, and what is not blotted out is the text."""
    masked = mask_code(text)
    pairs = zip(text, masked, strict=True)
    assert all(was == now or (now == "`" and was != "\n") for was, now in pairs)
    assert closing_fence(f"{text}\n{closing_fence(text)}") == ""


WORDS = ["```", "````", "~~~", "~~~~", " ```py", "``` a`b", "~~~ x `y`", "> ```", "- ```", "text"]
WORDS += ["# head", "", "", "{} x", "{}", "a ` {} ` b", "a ` {}", "` {} ``", "`` {} ` {} ``"]
WORDS += ["\\` {} `", "1. {}"]


def words_outside_code(text: str) -> list[str]:
    """Return the words that start with `@`, as a whole Markdown parser sees them."""
    inline = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "inline"]
    texts = [child for token in inline for child in token.children or [] if child.type == "text"]
    return [word for child in texts for word in child.content.split() if word.startswith("@")]


def test_the_scanner_agrees_with_a_whole_markdown_parser() -> None:
    """On 700 texts of fences, quotes, lists and code spans."""
    chance = random.Random(20)
    for _ in range(700):
        lines = [chance.choice(WORDS) for _ in range(chance.randint(1, 8))]
        counter = iter(range(100))
        text = "\n".join(lines)
        while "{}" in text:
            text = text.replace("{}", f"@{next(counter)}", 1)
        ours = [word for word in mask_code(text).split() if word.startswith("@")]
        assert ours == words_outside_code(text), text
