"""The wires that `promptdag compose --format` prints."""

from typing import Any

import click

from .command_parts import print_findings, print_json

WIRES = {
    "openai": "to_openai",
    "responses": "to_responses",
    "gemini": "to_gemini",
    "plain": "to_plain",
}
"""The method of a prompt by the name of its format."""


def print_wire(prompt: Any, name: str) -> None:
    """Print a wire on stdout, and what it could not say on stderr."""
    wire = getattr(prompt, WIRES[name])()
    print_findings(wire.findings)
    if name == "plain":
        click.echo(wire["text"])
    else:
        print_json(_printable(wire))


def _printable(value: Any) -> Any:
    """Return plain data with bytes in base64, as they stand in a request."""
    from base64 import b64encode

    match value:
        case bytes():
            return b64encode(value).decode()
        case dict():
            return {name: _printable(one) for name, one in value.items()}
        case list():
            return [_printable(one) for one in value]
    return value
