"""Wire formats: what is sent to a provider, and what a provider's format cannot say."""

from .anthropic import to_anthropic
from .gemini import to_gemini
from .marks import MarkPolicy, MarkRuleError, policy_for
from .openai import to_openai, to_responses
from .plain import to_plain
from .wire import Wire

__all__ = [
    "MarkPolicy",
    "MarkRuleError",
    "Wire",
    "policy_for",
    "to_anthropic",
    "to_gemini",
    "to_openai",
    "to_plain",
    "to_responses",
]
