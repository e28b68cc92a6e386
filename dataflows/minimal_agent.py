"""minimal_agent: a stable base, and a turn context that is fitted into a budget."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..inputs.minimal_agent import MinimalAgentSignals, MinimalAgentTurn
from ..inputs.minimal_agent_call import signals_of_call
from ..sections.minimal_agent import (
    advisor,
    catalogues,
    conduct,
    environment,
    memory,
    project,
    runtime,
    sources,
    tasks,
    tools,
)
from ..sections.packs import FolderPack, Texts, text_pack
from . import minimal_agent_turn as turn
from .bundle_form import BundleForm
from .fit import Bundle
from .flow import PromptFlow
from .minimal_agent_turn import with_reminder
from .order import block, group, place
from .policies import Policy, check_policies, enabled_policies
from .reminders import REMINDER
from .transient import transient

__all__ = [
    "BLOCKS",
    "POLICIES",
    "base_text",
    "flow",
    "joined_text",
    "transient_bundle",
    "transient_text",
    "with_reminder",
]

POLICIES = (
    Policy("identity.engineer", "identity", conduct.engineer),
    Policy("identity.evidence", "identity", conduct.evidence),
    Policy("identity.answers", "identity", conduct.answers),
    Policy("identity.consent", "identity", conduct.consent),
    Policy("identity.scope", "identity", conduct.scope),
    Policy(
        "identity.midway-messages",
        "identity",
        conduct.midway_messages,
        when=conduct.talks_with_user,
    ),
    Policy(
        "files.read-before-edit",
        "capability",
        tools.read_before_edit,
        requires=frozenset({"files.read", "files.edit"}),
    ),
    Policy(
        "files.parallel-reads",
        "capability",
        tools.parallel_reads,
        requires=frozenset({"files.read", "files.edit"}),
    ),
    Policy(
        "files.search-before-shell",
        "capability",
        tools.search_before_shell,
        requires=frozenset({"files.search", "shell"}),
    ),
    Policy("agents.delegate", "capability", tools.delegate, requires=frozenset({"agents"})),
    Policy("advisor.consult", "capability", tools.consult_advisor, requires=frozenset({"advisor"})),
    Policy("questions.ask", "capability", tools.ask_user, requires=frozenset({"questions"})),
    Policy("web.search", "capability", tools.search_web, requires=frozenset({"web.search"})),
    Policy(
        "web.fetch-before-browser",
        "capability",
        tools.fetch_before_browser,
        requires=frozenset({"web.fetch", "web.browse"}),
    ),
    Policy(
        "web.leave-to-human",
        "capability",
        tools.leave_to_human,
        requires=frozenset({"web.browse"}),
    ),
)
"""The registry: what the agent is obliged to, in the order of the base."""

_IDENTITY = [place(one.section, cache="stable") for one in POLICIES if one.layer == "identity"]
_CAPABILITY = [one.section for one in POLICIES if one.layer == "capability"]

BLOCKS = (
    block(
        "base",
        place(conduct.policy_stable, *_IDENTITY, join="\n\n", cache="stable"),
        environment.env,
        place(environment.reminder_note, cache="stable"),
        # The newline stands whether or not a line follows, as in the original.
        group(place(tools.tools, after="\n"), group(*_CAPABILITY, join="\n")),
        join="\n\n",
        cache="session",
        cache_control="ephemeral",
    ),
)

_FRAGMENTS = (
    runtime.runtime_host_state,
    memory.memory_sections,
    advisor.diagnostic_advisor,
    catalogues.skills_catalog,
    catalogues.plugins_catalog,
    project.project_instructions,
    tasks.tasks_active,
)

_CHINESE = BundleForm(
    opening=REMINDER.opening,
    closing=REMINDER.closing,
    authority_labels=("宿主状态", "约束", "用户证据", "不可信数据"),
    head_notice="[已截断：共 {total} 个字符，保留开头 {kept} 个]",  # noqa: RUF001 - Chinese
    tail_notice="[已截断：共 {total} 个字符，保留末尾 {kept} 个]",  # noqa: RUF001 - Chinese
)
_ENGLISH = BundleForm(
    opening=REMINDER.opening,
    closing=REMINDER.closing,
    authority_labels=("host state", "constraint", "user-evidence", "untrusted-data"),
)

_ENGLISH_TEXTS = Path(conduct.__file__).parent / "texts" / "english"

# With less room than this a cut would keep a line or two of a catalogue.
_MIN_CUT_TOKENS = 64


def flow(texts: Texts = "default", form: BundleForm | None = None) -> PromptFlow:
    """A stable base with typed policies, and a turn context fitted into a token budget.

    Build it once in a process.

    Args:
        texts: The text pack: `default` is Chinese, `english` is the second one; `skeleton`, or a
            folder of templates.
        form: Wrapper, labels and notices of the turn context, for a pack in another language;
            `None` for those that go with the two packs that are built in.

    Raises:
        PolicyError: The registry breaks a rule under this text pack.
    """
    english = texts == "english"
    pack = FolderPack(_ENGLISH_TEXTS) if english else text_pack(texts)
    check_policies(POLICIES, tools.TOOL_CAPABILITIES, pack)
    return PromptFlow(
        "minimal_agent",
        BLOCKS,
        session=MinimalAgentSignals,
        turn=MinimalAgentTurn,
        facts=(enabled_policies(POLICIES), turn),
        also=(
            turn.base_hash,
            turn.context_fragments,
            turn.transient_text,
            turn.joined_text,
            turn.envelope_manifest,
            turn.envelope,
            sources.source_findings,
            memory.memory_query,
            tasks.tasks_query,
        ),
        all_of=(conduct, environment, tools),
        transient=transient(
            *_FRAGMENTS,
            budget="transient_budget_tokens",
            form=form or (_ENGLISH if english else _CHINESE),
            min_cut_tokens=_MIN_CUT_TOKENS,
        ),
        messages=turn.messages,
        texts=pack,
        original=signals_of_call,
        doc="a stable base and a budgeted turn context",
    )


def base_text(built: PromptFlow, signals: Mapping[str, Any]) -> str:
    """Return the base alone; nothing of the turn is computed."""
    text: str = _node(built, signals, "base_block").text
    return text


def transient_text(built: PromptFlow, signals: Mapping[str, Any]) -> str:
    """Return the turn context alone, without the reminder around it; no base is computed."""
    text: str = _node(built, signals, "transient_text")
    return text


def transient_bundle(built: PromptFlow, signals: Mapping[str, Any]) -> Bundle:
    """Return the bundle alone, with its report; no base is computed."""
    bundle: Bundle = _node(built, signals, "bundle")
    return bundle


def joined_text(built: PromptFlow, signals: Mapping[str, Any]) -> str:
    """Return the base, a blank line and the turn context, for hosts that send one text."""
    text: str = _node(built, signals, "joined_text")
    return text


def _node(built: PromptFlow, signals: Mapping[str, Any], name: str) -> Any:
    inputs = built.inputs(**signals_of_call(signals))
    return built.driver.execute([name], inputs=inputs)[name]
