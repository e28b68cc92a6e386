"""The front matter that most files have, read without a YAML parser."""

import re

from .front_matter_yaml import Value

_KEY = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


def simple_fields(head: str) -> dict[str, Value] | None:
    """Return the fields of front matter in which every line is `key: value`, else `None`.

    Most files are like this, and reading them so takes a tenth of the time. A value is either
    plain text in which YAML sees nothing special, or quoted without an escape; a property test
    compares the result with `YamlReader`. In doubt the answer is `None`: `isprintable` refuses
    TAB, controls, what YAML 1.1 takes for a line end, and much that is harmless.
    """
    fields: dict[str, Value] = {}
    for line in head[:-1].split("\n"):
        key, _, written = line.partition(": ")
        written = written.strip(" ")
        if key in fields or not written or not line.isprintable() or not _KEY.fullmatch(key):
            return None
        quote = written[0]
        if quote in "\"'":
            if len(written) < 2 or written.find(quote, 1) != len(written) - 1 or "\\" in written:
                return None
            fields[key] = written[1:-1]
        elif quote.isalnum() and ": " not in written and " #" not in written and written[-1] != ":":
            fields[key] = written
        else:
            return None
    return fields
