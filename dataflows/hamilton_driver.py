"""The Hamilton driver of a flow: the layer that draws, explains and overrides."""

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from types import ModuleType
from typing import Any

from hamilton import base
from hamilton.driver import Driver
from hamilton.lifecycle.base import BaseDoCheckEdgeTypesMatch, BaseDoValidateInput

from ..inputs.errors import UnknownNameError, did_you_mean

_executing: ContextVar[bool] = ContextVar("promptdag_executing", default=False)


class _NoInputs(logging.Filter):
    """Keeps what Hamilton logs of a failed node, its inputs, out of the log while we execute."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _executing.get()


for _name in ("hamilton.execution.graph_functions", "hamilton.driver"):
    logging.getLogger(_name).addFilter(_NoInputs())


class _OurTypes(BaseDoCheckEdgeTypesMatch, BaseDoValidateInput):
    """Says yes to every type: ours are checked when a flow is built and by pydantic.

    Hamilton's own check refuses a real `tuple[str, ...]`.
    """

    def do_check_edge_types_match(self, *, type_from: type, type_to: type) -> bool:
        return True

    def do_validate_input(self, *, node_type: type, input_value: Any) -> bool:
        return True


class FlowDriver(Driver):
    """Hamilton's driver, whose error log does not print user text, and which knows its nodes."""

    def execute(
        self,
        final_vars: list[Any],
        overrides: Any = None,
        display_graph: bool = False,
        inputs: Any = None,
    ) -> Any:
        """Execute as Hamilton does; see `hamilton.driver.Driver.execute`.

        Raises:
            UnknownNameError: An override or input names no node; Hamilton would ignore it.
        """
        self._check("overrides", overrides)
        self._check("inputs", inputs)
        with _without_log():
            return super().execute(final_vars, overrides, display_graph, inputs)

    def materialize(
        self,
        *materializers: Any,
        additional_vars: list[Any] | None = None,
        overrides: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
    ) -> Any:
        """Materialize as Hamilton does; see `hamilton.driver.Driver.materialize`.

        Raises:
            UnknownNameError: An override or input names no node; Hamilton would ignore it.
        """
        self._check("overrides", overrides)
        self._check("inputs", inputs)
        with _without_log():
            return super().materialize(
                *materializers,
                additional_vars=additional_vars,
                overrides=overrides,
                inputs=inputs,
            )

    def _check(self, what: str, values: dict[str, Any] | None) -> None:
        for name in values or ():
            if name not in self.graph.nodes:
                raise UnknownNameError(
                    f"{what}: no node {name!r}{did_you_mean(name, self.graph.nodes)}"
                )


def _drawing(drawn: Callable[..., Any]) -> Callable[..., Any]:
    """Return one of Hamilton's drawing methods, so that it needs no Graphviz on the machine."""

    @wraps(drawn)
    def draw(driver: FlowDriver, *args: Any, **kwargs: Any) -> Any:
        from .pictures.renderer import draw_without_graphviz  # only where something is drawn

        draw_without_graphviz()
        return drawn(driver, *args, **kwargs)

    return draw


for _method in (
    Driver.display_all_functions,
    Driver.display_downstream_of,
    Driver.display_upstream_of,
    Driver.visualize_execution,
    Driver.visualize_materialization,
    Driver.visualize_path_between,
):
    setattr(FlowDriver, _method.__name__, _drawing(_method))


@contextmanager
def _without_log() -> Iterator[None]:
    token = _executing.set(True)
    try:
        yield
    finally:
        _executing.reset(token)


def build_driver(modules: Sequence[ModuleType]) -> FlowDriver:
    """Return a driver over modules of node functions; its `execute` returns a dict."""
    adapters: list[Any] = [base.DictResult(), _OurTypes()]
    # Hamilton asks `inspect.getmodule` of each function, which looks here.
    registered = {module.__name__: module for module in modules}
    sys.modules.update(registered)
    try:
        return FlowDriver({}, *modules, adapter=adapters)
    finally:
        for name in registered:
            del sys.modules[name]
