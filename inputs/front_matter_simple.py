"""The front matter that most files have, read without a YAML parser."""

import re

from .front_matter_yaml import Value

# TAB, every control character, what YAML 1.1 takes for a line end, and what libyaml refuses.
_NOT_SIMPLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def simple_fields(head: str) -> dict[str, Value] | None:
    """Return the fields of front matter in which every line is `key: value`, else `None`.

    Most files are like this, and reading them so takes a tenth of the time. A value is either
    plain text in which YAML sees nothing special, or quoted without an escape; a property test
    compares the result with `YamlReader`. In doubt the answer is `None`.
    """
    if _NOT_SIMPLE.search(head):
        return None
    fields: dict[str, Value] = {}
    for line in head[:-1].split("\n"):
        key, _, written = line.partition(": ")
        written = written.strip(" ")
        if key in fields or not _is_simple_key(key) or not written:
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


def _is_simple_key(key: str) -> bool:
    return (
        key.isascii()
        and key[:1].isalnum()
        and len(key) < 100
        and key.replace("-", "").replace("_", "").isalnum()
    )
