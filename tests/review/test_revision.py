"""A flow as it was: from its own checkout, whatever is installed or in the work tree."""

import sys
from pathlib import Path

import pytest
from promptdag.dataflows.review import (
    Review,
    RevisionError,
    Snapshot,
    base_of,
    read_snapshot,
    revision_of,
)
from promptdag.dataflows.review.revision_process import TreeFinder
from promptdag.dataflows.review.views import Request
from promptdag.inputs.errors import ReadError, UnknownNameError

from .greeter import NAME, TEXTS, git


def test_the_base_is_the_flow_as_it_was(reviewed: Review) -> None:
    """Its code, its templates and its order, with nothing of today in it."""
    assert reviewed.before is not None
    assert [one.name for one in reviewed.before.sections] == [
        *("rules", "hello", "place_note", "farewell"),
    ]
    assert "nice day" in reviewed.before.sections[1].template
    assert '"nowhere"' in reviewed.before.functions[0].code
    assert [one.name for one in reviewed.after.sections] == ["hello", "place_note", "rules"]
    assert "good day" in reviewed.after.sections[0].template


def test_the_label_is_what_was_asked_for_with_its_hash(reviewed: Review, repository: Path) -> None:
    """A tag can move; the hash tells which commit it was."""
    assert reviewed.before is not None
    assert reviewed.before.label == f"past ({git(repository, 'rev-parse', '--short', 'past')})"
    assert reviewed.after.label == "now"


def test_the_repository_is_left_as_it_is(repository: Path, reviewed: Review) -> None:
    """No branch, index or work tree changes, and nothing stays checked out."""
    text = repository / "src" / NAME / "texts" / "hello.md.j2"
    assert text.read_text(encoding="utf-8") == TEXTS["hello"]
    assert git(repository, "diff", "--cached", "--stat") == ""
    assert git(repository, "worktree", "list").count("\n") == 0
    with revision_of(NAME, "past") as base:
        folder = base._folder
        assert (folder / "tree" / "src" / NAME / "texts" / "farewell.md.j2").is_file()
    assert not folder.exists()


def test_a_git_that_runs_the_review_does_not_lead_it_astray(
    repository: Path, monkeypatch: pytest.MonkeyPatch, greeter: object
) -> None:
    """In a hook, git's own variables name another repository and index."""
    monkeypatch.setenv("GIT_DIR", str(repository / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository / "no-index"))
    with revision_of(NAME, "past") as base:
        assert base.take(Request(reference="", label="")).flow == NAME


def test_a_flow_of_this_package_is_built_from_its_own_old_tree() -> None:
    """Sections, inputs and the engine come from the tree; the review itself is the one of today."""
    with revision_of("theway", "HEAD") as base:
        snapshot = base.take(Request(reference="", label="", scenarios={"bare": {"cwd": "/"}}))
        assert {"promptdag.dataflows", "promptdag.inputs", "promptdag.sections"} <= set(
            base._places
        )
        assert all(Path(one).is_relative_to(base._folder) for one in base._places.values())
    assert snapshot.sections[0].name == "harness"
    assert snapshot.scenarios[0].refused == ""


def test_a_revision_that_git_does_not_know_is_told_by_name(greeter: object) -> None:
    """One line, with the name that was asked for."""
    with pytest.raises(RevisionError, match="no revision 'nowhere'"), revision_of(NAME, "nowhere"):
        pass


def test_a_revision_without_the_flow_says_so(repository: Path, greeter: object) -> None:
    """An orphan commit has no module to build from."""
    tree = git(repository, "hash-object", "-t", "tree", "/dev/null", "-w")
    empty = git(repository, "commit-tree", tree, "-m", "empty")
    with pytest.raises(RevisionError, match="has no file in that tree"), revision_of(NAME, empty):
        pass


def test_a_flow_that_cannot_be_built_there_tells_the_last_words(
    repository: Path, greeter: object
) -> None:
    """The other process's error is told in one line."""
    source = repository / "src" / NAME / "__init__.py"
    kept = source.read_text(encoding="utf-8")
    source.write_text("raise RuntimeError('not yet')\n", encoding="utf-8")
    try:
        broken = git(repository, "stash", "create")
    finally:
        source.write_text(kept, encoding="utf-8")
    with revision_of(NAME, broken) as base, pytest.raises(RevisionError, match="not yet"):
        base.take(Request(reference="", label=""))


def test_code_in_no_repository_has_no_past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed wheel lies in no repository of its own."""
    from .greeter import write

    write(tmp_path)
    (tmp_path / "src" / NAME).rename(tmp_path / "src" / "loose_greeter")
    info = tmp_path / "site" / f"{NAME}-1.dist-info"
    info.rename(tmp_path / "site" / "loose-1.dist-info")
    entry = tmp_path / "site" / "loose-1.dist-info" / "entry_points.txt"
    entry.write_text("[promptdag.flows]\nloose = loose_greeter:flow\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "src")
    monkeypatch.syspath_prepend(tmp_path / "site")
    with pytest.raises(RevisionError, match="not a git repository"), revision_of("loose", "HEAD"):
        pass
    sys.modules.pop("loose_greeter", None)


def test_an_unknown_flow_tells_the_nearest() -> None:
    """As everywhere."""
    with pytest.raises(UnknownNameError, match="did you mean 'theway'"), revision_of("thewy", "x"):
        pass


def test_a_snapshot_survives_a_file(reviewed: Review, tmp_path: Path) -> None:
    """What was written is read as it was, and is a base like any other."""
    path = tmp_path / "past.json"
    assert reviewed.before is not None
    path.write_text(reviewed.before.to_json(), encoding="utf-8")
    assert read_snapshot(path) == reviewed.before
    with base_of(NAME, against=str(path)) as base:
        assert base is not None
        assert base.take(Request(reference="", label="")) == reviewed.before


def test_half_a_character_survives_as_well(reviewed: Review) -> None:
    """Signals may hold what no UTF-8 file can."""
    scenario = reviewed.after.scenarios[0].model_copy(update={"signals": {"name": "\ud800"}})
    snapshot = reviewed.after.model_copy(update={"scenarios": (scenario,)})
    assert Snapshot.from_json(snapshot.to_json()) == snapshot


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": 2}', "\xff"])
def test_a_file_that_is_no_snapshot_says_how_to_make_one(text: str, tmp_path: Path) -> None:
    """Also one of another form, which a later version may write."""
    path = tmp_path / "x.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ReadError, match="no snapshot of this version; write one with"):
        read_snapshot(path)


def test_a_module_of_today_never_stands_in_for_one_that_the_tree_lacks(tmp_path: Path) -> None:
    """An editable install would find it behind the tree, and two times would be mixed."""
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "there.py").write_text("")
    finder = TreeFinder({"pack": tmp_path})
    found = finder.find_spec("pack.there", [str(tmp_path)])
    assert found is not None
    assert found.origin == str(tmp_path / "there.py")
    with pytest.raises(ModuleNotFoundError, match=r"the revision has no pack\.gone"):
        finder.find_spec("pack.gone", [str(tmp_path)])
    assert finder.find_spec("package", None) is None
