"""The table of prices and rules, and what users put in place of it."""

import json
import re
from pathlib import Path

import pytest
from promptdag.dataflows.providers import UnknownPriceError, load_providers
from promptdag.inputs.errors import ReadError, UnknownNameError


def test_the_table_has_a_date_and_each_provider_a_source() -> None:
    """Prices move: nobody should take them for today's."""
    table = load_providers()
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", table.date)
    assert all(one.source.startswith("https://") for one in table.providers.values())
    for name in table.models:
        model = table.model(name)
        assert model.lifetime().seconds > 0
        assert 0 < model.read_factor < 1


@pytest.mark.parametrize(
    ("name", "minimum", "usd", "read"),
    [
        ("claude-opus-5", 512, 5.0, 0.1),
        ("claude-opus-5-5", 512, 4.0, 0.05),
        ("claude-sonnet-4-5", 1024, 3.0, 0.1),
        ("claude-opus-4-7", 2048, 5.0, 0.1),
        ("claude-haiku-4-5", 4096, 1.0, 0.1),
    ],
)
def test_minima_and_prices_are_those_of_the_pages(
    name: str, minimum: int, usd: float, read: float
) -> None:
    """A row of each minimum."""
    model = load_providers().model(name)
    found = (model.min_cache_tokens, model.usd_per_million_tokens, model.read_factor)
    assert found == (minimum, usd, read)


@pytest.mark.parametrize("end", ["-20260801", "@20260801", "-latest", "-2026-08-01"])
def test_the_date_of_a_model_does_not_matter(end: str) -> None:
    """Names on the wire are dated, and people write a dot."""
    for name in ("claude-opus-4-1", "claude-opus-4.1"):
        assert load_providers().model(f"{name}{end}").name == "claude-opus-4-1"


def test_an_unknown_model_is_an_error_that_names_the_nearest() -> None:
    """A later version has other minima, so it is never taken for an earlier one."""
    with pytest.raises(UnknownNameError, match=r"no model 'claude-opus-4-9'; did you mean"):
        load_providers().model("claude-opus-4-9")


def test_an_override_replaces_what_it_names(tmp_path: Path) -> None:
    """By data or by file; the rest stays."""
    data = {
        "models": {
            "claude-opus-5": {"usd_per_million_tokens": 7},
            "own": {"provider": "anthropic", "usd_per_million_tokens": 1},
        }
    }
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    for override in (data, path):
        table = load_providers(override)
        assert table.model("claude-opus-5").usd_per_million_tokens == 7
        assert table.model("claude-opus-5").min_cache_tokens == 512
        assert table.model("own").lifetime("1h").seconds == 3600
    assert load_providers().model("claude-opus-5").usd_per_million_tokens == 5


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"models": {"x": {"provider": "anthropc"}}}, "no provider 'anthropc'; did you mean"),
        ({"models": {"claude-opus-5": {"price": 1}}}, "models.claude-opus-5.price: Extra inputs"),
        ({"providers": {"gemini": {"default_lifetime": "2h"}}}, "no lifetime '2h'; there are"),
        ({"models": {"claude-opus-5": {"min_cache_tokens": -1}}}, "min_cache_tokens: Input should"),
    ],
)
def test_an_override_that_does_not_fit_is_an_error(override: object, message: str) -> None:
    """A key with a slip in it would change nothing in silence."""
    with pytest.raises(ReadError, match=re.escape(message)):
        load_providers(override)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"), [("{", "not JSON"), ("[]", "a provider table is an object, not list")]
)
def test_a_file_that_is_no_table_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    """The message says which file."""
    path = tmp_path / "prices.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError, match=f"prices.json: {message}"):
        load_providers(path)


def test_a_missing_price_is_an_error_that_shows_the_override() -> None:
    """No price is made up."""
    model = load_providers().model("claude-opus-4")
    with pytest.raises(UnknownPriceError) as found:
        _ = model.usd_per_token
    shown = json.loads(str(found.value).split("as in ")[1])
    assert load_providers(shown).model("claude-opus-4").usd_per_token == 1e-6
