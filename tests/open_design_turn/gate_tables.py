"""When each gate of a user turn is open: its arguments, and the answer."""

from itertools import product

from promptdag.inputs.markdown_fences import Fenced
from promptdag.inputs.stable_instructions import injective_hash, original_hash
from promptdag.sections.open_design_turn.for_this_turn import Selection
from promptdag.sections.open_design_turn.request import ShownComment
from promptdag.sections.open_design_turn.workspace import Snapshot

Table = list[tuple[dict[str, object], bool]]

_LINES = ("a line",)
_KINDS = ("none", "build", "generic")
_FRONT = ("has_instructions", "answers_form", "has_workspace", "has_linked_dirs")
_SELECTION_FIELDS = Selection._fields


def kind_table(*opening: str) -> Table:
    """Return the rows of a gate that asks for the kind of override."""
    return [({"form_override_kind": kind}, kind in opening) for kind in _KINDS]


def selection(*filled: str) -> Selection:
    """Return a selection in which these lists have a line."""
    return Selection(*(_LINES if name in filled else () for name in _SELECTION_FIELDS))


def selection_table(*opening: str) -> Table:
    """Return the rows of a gate that asks for one of these lists, each filled alone."""
    rows: Table = [({"selection": selection()}, False)]
    return rows + [({"selection": selection(name)}, name in opening) for name in _SELECTION_FIELDS]


def listed_table(name: str, entry: object) -> Table:
    """Return the rows of a gate that asks whether a list has an entry."""
    return [({name: ()}, False), ({name: (entry,)}, True)]


def any_table(closed: dict[str, object], opening: dict[str, object]) -> Table:
    """Return the rows of a gate that any one of these values opens."""
    rows: Table = [(closed, False)]
    return rows + [(closed | {name: value}, True) for name, value in opening.items()]


def instructions_table() -> Table:
    """Return the rows of the gate of all instructions; stable ones count where they are sent."""
    names = ("live_daemon", "live_runtime", "live_client")
    closed: dict[str, object] = {"include_stable": True, **dict.fromkeys(names, "")}
    closed |= {"live_override": "", "researches": False, "has_selection": False}
    closed |= {"browser_guard": "", "asks_for_title": False}
    opening: dict[str, object] = {**dict.fromkeys(names, "x"), "live_override": "x"}
    opening |= {"researches": True, "has_selection": True, "browser_guard": "x"}
    opening["asks_for_title"] = True
    rows = any_table(closed, opening)
    unsent = closed | {"include_stable": False}
    rows += [(unsent | {name: "x"}, False) for name in names]
    return [*rows, (unsent, False), (unsent | {"researches": True}, True)]


def stable_table() -> Table:
    """Return the rows of the gate of the stable parts: sent but to a CLI that has them."""
    ours, theirs = injective_hash("abc"), original_hash("abc")
    return [
        (
            {
                "is_resuming": resumes,
                "stored_stable_prompt_hash": stored,
                "stable_prompt_hash": theirs,
                "injective_prompt_hash": ours,
            },
            not (resumes and stored in (ours, theirs)),
        )
        for resumes, stored in product((True, False), (ours, theirs, "other", None))
    ]


def snapshot_table(name: str) -> Table:
    """Return the rows of a gate on a workspace: nothing, a folder, a file, both."""
    rows: Table = []
    for folders, files in product(((), _LINES), repeat=2):
        answers = {"folders": bool(folders), "files": bool(files), "nothing": not folders + files}
        rows.append(({"snapshot": Snapshot("", folders, files)}, answers[name]))
    return rows


def flags_table(first: str, second: str, opening: set[tuple[bool, bool]]) -> Table:
    """Return the whole table of two flags."""
    both = product((True, False), repeat=2)
    return [({first: one, second: other}, (one, other) in opening) for one, other in both]


TABLES: dict[str, Table] = {
    "answers_form": kind_table("build", "generic"),
    "begins_building": kind_table("build"),
    "answers_another_form": kind_table("generic"),
    "writes_files": [
        ({"run_profile": profile}, profile == "filesystem")
        for profile in (None, "filesystem", "text_artifact")
    ],
    "researches": [({"research_enabled": True}, True), ({"research_enabled": False}, False)],
    "has_search_query": [
        ({"search_query": Fenced("```", text)}, bool(text)) for text in ("", "words")
    ],
    "has_selection": selection_table(*_SELECTION_FIELDS),
    "selects_items": selection_table("items"),
    "selects_plugins": selection_table("plugins"),
    "selects_servers": selection_table("servers"),
    "selects_connectors": selection_table("connectors"),
    "asks_for_title": flags_table("title_generation_enabled", "is_resuming", {(True, False)}),
    "has_instructions": instructions_table(),
    "has_front": any_table(
        dict.fromkeys(
            ("has_instructions", "answers_form", "has_workspace", "has_linked_dirs"), False
        ),
        dict.fromkeys(
            ("has_instructions", "answers_form", "has_workspace", "has_linked_dirs"), True
        ),
    ),
    "has_typed": [
        ({"typed": ""}, False),
        ({"typed": " \n\ufeff"}, False),
        ({"typed": " a "}, True),
    ],
    "shows_transcript": flags_table("answers_form", "is_resuming", {(True, False)}),
    "shows_typed": flags_table(
        "answers_form", "is_resuming", {(True, False), (False, True), (False, False)}
    ),
    "has_attachments": listed_table("attached_spans", "1. `a`"),
    "has_comments": listed_table("shown_comments", ShownComment((), (), ())),
    "include_stable": stable_table(),
    "has_workspace": [
        ({"cwd": None}, False),
        ({"cwd": ""}, False),
        ({"cwd": " \n"}, False),
        ({"cwd": "/w"}, True),
    ],
    "lists_folders": snapshot_table("folders"),
    "lists_files": snapshot_table("files"),
    "workspace_is_empty": snapshot_table("nothing"),
    "has_linked_dirs": listed_table("linked_spans", "`/l`"),
}
