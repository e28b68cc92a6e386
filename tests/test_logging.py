"""A node that fails logs no user text, neither by the plan nor by Hamilton's driver."""

import logging
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow, block
from promptdag.inputs.errors import NodeError
from promptdag.inputs.signals import SessionSignals, TurnSignals
from promptdag.inputs.text import Text
from promptdag.sections import fact, section

SECRET = "the user's own words"


class Fixed(SessionSignals):
    """One text."""

    memory: Text = ""


class Turned(TurnSignals):
    """One text."""

    said: Text = ""


@fact
def broken(memory: str) -> str:
    """Fails on the secret, and holds it in its error."""
    if memory == SECRET:
        raise KeyError(memory)
    return memory


@section(text="{{ broken }}")
def shown(broken: str) -> None:
    """Shows the memory."""


@fact
def messages(said: str) -> list[dict[str, Any]]:
    """Fails on the secret."""
    if said == SECRET:
        raise ValueError(said)
    return []


FLOW = PromptFlow("logged", (block("only", shown),), session=Fixed, turn=Turned, messages=messages)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that anybody logs, tracebacks included."""
    caplog.set_level(logging.DEBUG)
    for name in list(logging.Logger.manager.loggerDict):
        if name.startswith("hamilton"):
            caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def test_a_failing_node_of_a_plan_logs_nothing(log: pytest.LogCaptureFixture) -> None:
    """In a session, an update, a turn and a composition; the message is safe to log."""
    session = FLOW.session()
    calls: list[Any] = [
        lambda: FLOW.session(memory=SECRET),
        lambda: session.update(memory=SECRET),
        lambda: session.turn(said=SECRET),
        lambda: FLOW.compose({"memory": SECRET}),
    ]
    for call in calls:
        with pytest.raises(NodeError) as caught:
            call()
        assert SECRET not in str(caught.value)
        assert SECRET not in repr(caught.value)
    assert log.records == []


def test_a_failing_node_of_the_driver_logs_no_user_text(
    log: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hamilton's own error log prints the inputs of the node that failed."""
    inputs = FLOW.inputs(memory=SECRET, said=SECRET)
    for call in (
        lambda: FLOW.driver.execute(["only_block"], inputs=inputs),
        lambda: FLOW.driver.execute(["messages"], inputs=inputs),
        lambda: FLOW.driver.materialize(additional_vars=["only_block"], inputs=inputs),
    ):
        with pytest.raises((KeyError, ValueError)):
            call()
    formatter = logging.Formatter()
    assert SECRET not in "".join(formatter.format(record) for record in log.records)
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err


def test_other_users_of_hamilton_keep_their_log(log: pytest.LogCaptureFixture) -> None:
    """The filter is ours while we execute, and nobody's afterwards."""
    with pytest.raises(KeyError):
        FLOW.driver.execute(["only_block"], inputs=FLOW.inputs(memory=SECRET))
    logging.getLogger("hamilton.execution.graph_functions").error("somebody else's")
    logging.getLogger("hamilton.driver").error("somebody else's too")
    assert [record.getMessage() for record in log.records if record.levelno >= logging.ERROR] == [
        "somebody else's",
        "somebody else's too",
    ]
