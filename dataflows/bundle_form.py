"""How a bundle is written: wrapper, headers, notices, and what no content can forge.

    <system-reminder>                                                   opening
    <context-fragment authority="host" id="runtime.host-state">         header
    …
    </context-fragment>                                                 footer
    <context-fragment authority="untrusted-data" id="plugins.catalog">
    <untrusted-data id="6b0c…">                                         made from the body
    …
    </untrusted-data id="6b0c…">                                        closes the data
    [cut: the first 120 of 900 characters are kept]                     outside of the data
    </context-fragment>
    </system-reminder>                                                  closing

Every piece ends with a newline, and the next starts with `<`. At such a seam no pretoken of
o200k_base or cl100k_base can cross, so the count of the whole is exactly the sum of the counts of
the pieces: of all their alternatives only those for punctuation with line ends after it and for
blanks take a newline, and these go on with nothing but line ends, blanks or `/`.
"""

import re
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from unicodedata import normalize

import regex

from ..inputs.errors import PromptdagError
from ..inputs.tokens import replace_surrogates
from ..sections.fragment import AUTHORITIES, Fragment
from .cut import Kept

_HEADER = re.compile(r"<(?P<name>[^\W\d_][\w-]*)( [^<>\n]*)?>")
_TAG_NAME = re.compile(r"<[\s/]*([^\W\d_][\w-]*)")
_SEAM = re.compile(r"[^\s/]")

# `<` and its compatibility forms; then blanks, slashes and characters that show nothing; then a
# name that such characters may be strewn into. The runs hold no `<`: the scan is linear.
_OPENERS = "<\uff1c\ufe64"
_TAG_LIKE = regex.compile(
    rf"[{_OPENERS}]"
    r"(?P<tail>[\s/\p{Cc}\p{DI}\p{Cf}]*+(?P<name>[\w\-\p{DI}\p{Cf}\p{Cc}--\s]++))",
    regex.V1,
)
_INVISIBLE = regex.compile(r"[\p{DI}\p{Cf}\p{Cc}]")


class BundleFormError(PromptdagError):
    """A form in which pieces could not be told apart or not be counted alone."""


@dataclass(frozen=True)
class BundleForm:
    """The wording of a bundle; all of it is counted.

    Attributes:
        opening: Before the first fragment: empty, or text that ends with a newline.
        closing: After the last one: empty, or a newline and text that starts with no blank or `/`.
        header: One tag with the fields `{authority}` and `{id}`; its name makes the footer.
        authority_labels: What `{authority}` shows, in the order of `AUTHORITIES`.
        data_tag: The tag around untrusted data.
        head_notice: The line after a text of which the beginning is kept; with any of the fields
            `{kept}` and `{total}` (characters) and `{id}`.
        tail_notice: The line before a text of which the end is kept; same fields.

    Raises:
        BundleFormError: A text does not have its shape.
    """

    opening: str = ""
    closing: str = ""
    header: str = '<context-fragment authority="{authority}" id="{id}">'
    authority_labels: tuple[str, str, str, str] = AUTHORITIES
    data_tag: str = "untrusted-data"
    head_notice: str = "[cut: the first {kept} of {total} characters are kept]"
    tail_notice: str = "[cut: the last {kept} of {total} characters are kept]"
    footer: str = field(init=False)
    reserved_tags: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._check_frame()
        self._check_wording()
        name = _header_name(self.header)
        texts = (self.opening, self.closing, f"<{name}>", f"<{self.data_tag}>")
        found = (tag for text in texts for tag in _TAG_NAME.findall(text))
        object.__setattr__(self, "footer", f"</{name}>")
        object.__setattr__(self, "reserved_tags", frozenset(_folded(tag) for tag in found))

    def write(self, fragment: Fragment, kept: Kept) -> str:
        """Return the piece of a fragment, from its header to the newline after its footer."""
        body = _line_ended(self.defuse(kept.text))
        if fragment.authority == "untrusted-data":
            body = self._as_data(body)
        if kept.rule != "no":
            body = self._with_notice(fragment, kept, body)
        label = self.authority_labels[AUTHORITIES.index(fragment.authority)]
        header = self.header.format(authority=label, id=fragment.id)
        return f"{header}\n{body}{self.footer}\n"

    def defuse(self, text: str) -> str:
        """Return the text with `&lt;` for the `<` of every tag that only the bundle may write.

        Whatever the tag's case, spacing, width or invisible characters; the rest is verbatim but
        for lone surrogates, which cannot be sent.
        """
        text = replace_surrogates(text)
        if not any(opener in text for opener in _OPENERS):
            return text
        return _TAG_LIKE.sub(self._defused, text)

    def _defused(self, match: regex.Match[str]) -> str:
        forged = _folded(match["name"]) in self.reserved_tags
        return "&lt;" + match["tail"] if forged else match[0]

    def _as_data(self, body: str) -> str:
        nonce = content_nonce(body)
        return f'<{self.data_tag} id="{nonce}">\n{body}</{self.data_tag} id="{nonce}">\n'

    def _with_notice(self, fragment: Fragment, kept: Kept, body: str) -> str:
        template = self.tail_notice if kept.rule == "tail" else self.head_notice
        notice = template.format(kept=kept.chars, total=len(fragment.content), id=fragment.id)
        return f"{notice}\n{body}" if kept.rule == "tail" else f"{body}{notice}\n"

    def _check_frame(self) -> None:
        if self.opening and not self.opening.endswith("\n"):
            raise BundleFormError(f"opening {self.opening!r} must end with a newline, or be empty")
        if self.closing and not (self.closing[0] == "\n" and _SEAM.match(self.closing, 1)):
            raise BundleFormError(
                f"closing {self.closing!r} must be a newline and then neither a blank nor '/', "
                f"or be empty"
            )

    def _check_wording(self) -> None:
        if _header_name(f"<{self.data_tag}>") != self.data_tag or not self.data_tag:
            raise BundleFormError(f"data_tag {self.data_tag!r} must be the name of a tag")
        shown = self._shown("header", self.header, authority="A", id="i.d")
        if "A" not in shown or "i.d" not in shown or not _header_name(self.header):
            raise BundleFormError(
                f"header {self.header!r} must be one tag that shows {{authority}} and {{id}}, "
                f"like {BundleForm.header!r}"
            )
        for label in self.authority_labels:
            if not label.strip() or set(label) & set('<>"\n'):
                raise BundleFormError(
                    f"authority label {label!r} must be a word without quotes, brackets, newlines"
                )
        for name in ("head_notice", "tail_notice"):
            notice = self._shown(name, getattr(self, name), kept=1, total=2, id="i.d")
            if not notice.strip() or "\n" in notice:
                raise BundleFormError(f"{name} {notice!r} must be one line that is not blank")

    def _shown(self, name: str, template: str, **fields: object) -> str:
        try:
            return template.format(**fields)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            raise BundleFormError(
                f"{name} {template!r} cannot be filled in ({error!r}); its fields are "
                f"{', '.join('{' + field + '}' for field in fields)}"
            ) from error


def _header_name(header: str) -> str:
    match = _HEADER.fullmatch(header)
    return match["name"] if match else ""


def _line_ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _folded(name: str) -> str:
    return normalize("NFKC", _INVISIBLE.sub("", name)).casefold()


def content_nonce(body: str) -> str:
    """Return an id made from the body that does not occur in it.

    Source: blake2b of the body, 8 bytes; the salt counts up until the id is absent.
    """
    folded = body.casefold()
    digests = (blake2b(body.encode(), digest_size=8, salt=salt.to_bytes(8)) for salt in count())
    return next(nonce for digest in digests if (nonce := digest.hexdigest()) not in folded)
