"""What lineage tells of the two orders."""

from promptdag.dataflows import PromptFlow

from .flows import built
from .readme_tables import CHANGES, rewritten


def sections(flow: PromptFlow) -> list[str]:
    """Return the names of all sections."""
    return [one.place.section.name for one in flow.positions]


def test_both_orders_hold_the_same_sections_each_once() -> None:
    """A better order leaves nothing out and says nothing twice."""
    original, cache_first = sections(built("zcode")), sections(built("zcode_cache_first"))
    assert sorted(original) == sorted(cache_first)
    assert len(set(original)) == len(original)


def test_the_constant_block_is_reached_by_what_chooses_the_identity_alone() -> None:
    """No path, model, memory or git can move what all sessions share."""
    graph = built("zcode_cache_first").graph
    assert set(graph.signals_of("constant_fingerprint")) == {
        *("tools", "custom_system_prompt", "workflow_actor_name", "workflow_actor_persona"),
        "output_style_prompt",
    }


def test_no_path_of_the_session_model_or_git_reaches_the_users_block() -> None:
    """The memory folder is the user's; all else that moves stands behind."""
    reached = built("zcode_cache_first").graph.signals_of("user_fingerprint")
    assert not [
        name
        for name in reached
        if name.startswith(("env_info", "model_", "gen_ui", "presentation", "current_date"))
    ]


def test_the_originals_shared_block_holds_a_path() -> None:
    """The fault that the page tells of, by lineage."""
    assert "gen_ui_output_directory" in built("zcode").graph.signals_of("stable_fingerprint")


def test_model_and_git_stand_last_in_the_system_part() -> None:
    """What moves most often costs least."""
    flow = built("zcode_cache_first")
    system = [one.place.section.name for one in flow.positions if one.block.target == "system"]
    assert system[-2:] == ["env_info", "system_context"]


def test_each_change_of_the_page_costs_less_in_the_better_order() -> None:
    """Model, git, directory, folder, memory and style alike."""
    for _, change in CHANGES.values():
        assert rewritten("zcode_cache_first", change)[1] < rewritten("zcode", change)[1]


def test_the_model_and_the_tools_drift_and_git_is_a_snapshot() -> None:
    """What can move at each step is marked; what is read once is not."""
    signals = built("zcode").graph.signals
    drifting = {name: leaf.life for name, leaf in signals.items() if leaf.drifts}
    assert drifting == dict.fromkeys(("tools", "model_provider_id", "model_model_id"), "step")
