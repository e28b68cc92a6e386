"""Reviews: what a flow is, or what a change of it does, to whom, and what that costs."""

from .change import Review
from .compare import compare
from .markdown import markdown
from .page import page
from .reviewing import (
    Base,
    OtherFlow,
    StoredSnapshot,
    base_of,
    read_snapshot,
    review_flow,
)
from .revision import Revision, RevisionError, revision_of
from .scenarios import Scenario, made_scenarios, scenarios_in
from .summary import summary
from .views import Snapshot

__all__ = [
    "Base",
    "OtherFlow",
    "Review",
    "Revision",
    "RevisionError",
    "Scenario",
    "Snapshot",
    "StoredSnapshot",
    "base_of",
    "compare",
    "made_scenarios",
    "markdown",
    "page",
    "read_snapshot",
    "review_flow",
    "revision_of",
    "scenarios_in",
    "summary",
]
