"""The registry of policies: what must hold of it, and how a breach is told."""

from dataclasses import replace

import pytest
from promptdag.dataflows import minimal_agent
from promptdag.dataflows.minimal_agent import POLICIES
from promptdag.dataflows.policies import Policy, PolicyError, check_policies, named_tools
from promptdag.inputs.errors import FlowError
from promptdag.sections import Section, gate, section
from promptdag.sections.minimal_agent.conduct import talks_with_user
from promptdag.sections.minimal_agent.tools import TOOL_CAPABILITIES
from promptdag.sections.packs import DefaultPack

from ..flows import built

TOOLS = {"Read": frozenset({"read"}), "Edit": frozenset({"edit"}), "Odd": frozenset({"odd"})}


@gate
def may_read(capabilities: frozenset[str]) -> bool:
    """Open when files can be read."""
    return "read" in capabilities


@gate
def may_edit(capabilities: frozenset[str]) -> bool:
    """Open when files can be read and edited."""
    return capabilities >= {"read", "edit"}


@gate
def by_surface(surface: str) -> bool:
    """Open when the surface is known."""
    return surface != ""


def rule(name: str, text: str, *gates: object) -> Section:
    """Return a section with this prose."""

    def declared() -> None:
        """A rule."""

    declared.__name__ = name
    slot = f"{{% block a %}}{text}{{% endblock %}}"
    return section(text=slot, gate=gates)(declared)  # type: ignore[arg-type]


IDENTITY = Policy("identity.calm", "identity", rule("calm", "Stay calm."))
CAPABILITY = Policy(
    "files.look",
    "capability",
    rule("look", "Use Read first.", may_read),
    requires=frozenset({"read"}),
)


def broken(policy: Policy, *others: Policy) -> str:
    """Return what is said of a registry with a policy that breaks a rule."""
    with pytest.raises(PolicyError) as caught:
        check_policies((*others, policy), TOOLS, DefaultPack())
    assert isinstance(caught.value, FlowError)
    assert policy.id in caught.value.ids
    return str(caught.value)


def test_a_sound_registry_passes() -> None:
    """One policy of each layer, with and without a when."""
    timely = Policy(
        "identity.time", "identity", rule("t", "Be quick.", by_surface), when=by_surface
    )
    check_policies((IDENTITY, CAPABILITY, timely), TOOLS, DefaultPack())
    check_policies((), TOOLS, DefaultPack())


@pytest.mark.parametrize(
    ("policy", "others", "said"),
    [
        (
            replace(IDENTITY, section=rule("other", "Another one.")),
            (IDENTITY,),
            "policies 'identity.calm' and 'identity.calm' have the same id 'identity.calm'; take",
        ),
        (
            replace(IDENTITY, id="identity.b"),
            (IDENTITY,),
            "have the same section 'calm'; take one of them away",
        ),
        (
            replace(IDENTITY, layer="identitiy"),  # type: ignore[arg-type]
            (),
            "layer 'identitiy' is unknown; did you mean 'identity'?",
        ),
        (replace(IDENTITY, section=rule("e", " ")), (), "'identity.calm' has no text; write one"),
        (
            replace(CAPABILITY, requires=frozenset({"raed"})),
            (),
            "requires 'raed', which no tool gives, so it could never appear; did you mean 'read'?",
        ),
        (
            replace(IDENTITY, requires=frozenset({"read"})),
            (),
            "is of the identity layer and requires ['read']; if it does not hold",
        ),
        (
            replace(IDENTITY, section=rule("n", "用Read先看。")),
            (),
            "is of the identity layer and names the tool 'Read'; if it does not hold",
        ),
        (
            replace(CAPABILITY, requires=frozenset()),
            (),
            "is of the capability layer and requires nothing; name what it requires, or file it",
        ),
        (
            replace(CAPABILITY, section=rule("u", "Look first, as with Edit.", may_read)),
            (),
            "names no tool that gives ['read']; if it holds without the tool, file it under",
        ),
        (
            replace(CAPABILITY, section=rule("g", "Use Read.")),
            (),
            "requires ['read'], and with [] its section is open; let requires and gate agree",
        ),
        (
            replace(CAPABILITY, section=rule("g", "Use Read.", may_edit)),
            (),
            "requires ['read'], and with ['read'] its section is closed; let requires and gate",
        ),
        (
            replace(CAPABILITY, section=rule("g", "Use Read.", may_read, by_surface)),
            (),
            "gate 'by_surface' asks surface; the gate of what it requires asks capabilities alone",
        ),
        (
            replace(IDENTITY, when=by_surface),
            (),
            "when=by_surface does not open section 'calm'; give the section that gate",
        ),
        (
            Policy("identity.b", "identity", rule("b", "Be fair; STAY  calm!")),
            (IDENTITY,),
            "policies 'identity.calm' and 'identity.b' both say 'STAY  calm'; say it once",
        ),
    ],
)
def test_a_breach_is_told_with_what_to_do(
    policy: Policy, others: tuple[Policy, ...], said: str
) -> None:
    """Each rule of the registry has its own message."""
    assert said in broken(policy, *others)


def test_a_policy_that_needs_two_capabilities_opens_with_both_alone() -> None:
    """A gate that asks one of the two is found."""
    both = frozenset({"read", "edit"})
    check_policies(
        (replace(CAPABILITY, section=rule("g", "Read, Edit.", may_edit), requires=both),),
        TOOLS,
        DefaultPack(),
    )
    lax = replace(CAPABILITY, section=rule("g", "Read, Edit.", may_read), requires=both)
    assert "with ['read'] its section is open" in broken(lax)


def test_a_name_of_a_tool_is_a_whole_word() -> None:
    """Chinese may stand next to it, letters and digits may not."""
    names = ("Read", "Edit")
    assert named_tools("先用Read，再用 `Edit`。", names) == names  # noqa: RUF001 - Chinese
    assert named_tools("Reader, Edit2, _Read, read, EDIT", names) == ()


def test_the_registry_is_checked_under_the_pack_that_is_used(tmp_path: object) -> None:
    """A text pack can break the filing rule as well; building the flow says so."""
    folder = tmp_path / "mine"  # type: ignore[operator]
    folder.mkdir()
    source = '{% extends "evidence.md.j2" %}{% block policy__evidence %}Use Grep.{% endblock %}'
    (folder / "evidence.md.j2").write_text(source)
    with pytest.raises(PolicyError, match=r"identity.evidence.* names the tool 'Grep'"):
        minimal_agent.flow(folder)


def test_each_section_of_the_base_is_a_layer_or_a_policy() -> None:
    """A rule that is no policy would be missing from the manifest's list."""
    names = {position.place.section.name for position in built("minimal_agent").positions}
    layers = {"policy_stable", "env", "reminder_note", "tools"}
    assert names - layers == {one.section.name for one in POLICIES}


def test_open_policies_follow_profile_and_tools() -> None:
    """In the order of the registry; a gate that is overridden counts."""
    flow = built("minimal_agent")
    bare = flow.compose({"cwd": "/w", "profile": "subagent"})
    assert bare.value("enabled_policy_ids") == tuple(
        one.id for one in POLICIES if one.layer == "identity" and one.when is not talks_with_user
    )
    full = flow.compose({"cwd": "/w", "tool_names": list(TOOL_CAPABILITIES)})
    assert full.value("enabled_policy_ids") == tuple(one.id for one in POLICIES)
    inputs = flow.inputs(cwd="/w", tool_names=list(TOOL_CAPABILITIES))
    asked = flow.driver.execute(
        ["enabled_policy_ids"], inputs=inputs, overrides={"can_browse": False}
    )
    gone = set(full.value("enabled_policy_ids")) - set(asked["enabled_policy_ids"])
    assert gone == {"web.leave-to-human"}


def test_unknown_tools_give_nothing() -> None:
    """The catalogue lists them all the same."""
    prompt = built("minimal_agent").compose({"cwd": "/w", "tool_names": ["Zed", "read"]})
    assert prompt.value("enabled_capabilities") == ()
    assert "Zed, read" in prompt.text
