"""The facts that decide what is made: against the rule as it is written, and recorded vectors."""

from itertools import product
from typing import Any

import pytest
from promptdag.inputs.open_design import OpenDesignSignals

from .flows import VECTORS, flow

KINDS = ("deck", "image", "video", "audio", "prototype", "other", "brand", None)
MODES = (None, "prototype", "deck", "image")
MODE_LISTS: tuple[list[str] | None, ...] = (
    None,
    [],
    ["prototype"],
    ["deck"],
    ["image"],
    ["image", "image"],
    ["deck", "image"],
    ["prototype", "image"],
)
EXCLUSIVE = {"deck", "image", "video", "audio"}
MEDIA = {"image", "video", "audio"}


def _signals(kind: str | None, mode: str | None, modes: list[str] | None) -> dict[str, Any]:
    given: dict[str, Any] = {"metadata": {"kind": kind}} if kind else {}
    return (
        given
        | ({"skillMode": mode} if mode else {})
        | ({} if modes is None else {"skillModes": modes})
    )


def _late(kind: str | None, mode: str | None, modes: list[str] | None) -> str | None:
    """The rule, step by step: kind, then the skill's mode, then the only one of all modes."""
    if kind in EXCLUSIVE:
        return kind
    if mode in EXCLUSIVE:
        return mode
    active = {mode} if modes is None else set(modes)
    wanted = active & EXCLUSIVE
    return wanted.pop() if len(wanted) == 1 else None


def _freeform(kind: str | None, mode: str | None, modes: list[str] | None) -> bool:
    active = ([mode] if mode else []) if modes is None else modes
    return len(active) == 0 and kind in (None, "other")


def test_the_surface_rule_over_all_256_combinations() -> None:
    """Late surface, early media and freeform, each against its own oracle; 32 rows disagree."""
    disagree = 0
    for row in product(KINDS, MODES, MODE_LISTS):
        kind, mode, _ = row
        session = flow().session(**_signals(*row)).turnless()
        late, early = session.value("exclusive_surface"), session.value("early_media")
        assert late == _late(*row), row
        assert early is (kind in MEDIA or mode in MEDIA), row
        assert session.value("freeform") is _freeform(*row), row
        disagree += early is not (late in MEDIA)
    assert disagree == 32


def test_consistent_gates_never_disagree_on_media() -> None:
    """Over all 256 combinations discovery and the media contract exclude each other."""
    for row in product(KINDS, MODES, MODE_LISTS):
        prompt = flow(gates="consistent").compose(_signals(*row))
        assert prompt.value("early_media") is (prompt.value("exclusive_surface") in MEDIA), row
        if row[1] is not None:
            assert prompt.value("freeform") is False


@pytest.mark.parametrize("row", VECTORS["resolveExclusiveSurface"])
def test_the_recorded_surfaces(row: dict[str, Any]) -> None:
    """The original's own answers."""
    prompt = flow().compose(row["args"])
    assert prompt.value("exclusive_surface") == row["late"]
    assert prompt.value("early_media") is row["early_media"]


@pytest.mark.parametrize("row", VECTORS["executionProfile"])
def test_the_recorded_profiles(row: dict[str, Any]) -> None:
    """The profile that follows from the stream."""
    prompt = flow().compose({"streamFormat": row["args"][0]})
    assert prompt.value("execution_profile") == row["result"]


@pytest.mark.parametrize("given", ["filesystem", "text_artifact"])
@pytest.mark.parametrize("stream", [None, "plain"])
def test_a_given_profile_wins(given: str, stream: str | None) -> None:
    """Against its stream too; under consistent gates a plain stream wins."""
    signals = {"executionProfile": given, "streamFormat": stream}
    assert flow().compose(signals).value("execution_profile") == given
    consistent = flow(gates="consistent").compose(signals).value("execution_profile")
    assert consistent == ("text_artifact" if stream else given)


@pytest.mark.parametrize("row", VECTORS["preflight"])
def test_the_recorded_preflight(row: dict[str, Any]) -> None:
    """Which files a skill's body names."""
    prompt = flow().compose({"skillBody": row["body"]})
    assert list(prompt.value("preflight_refs")) == row["refs"]
    assert prompt.value("has_skill_seed") is row["has_skill_seed"]


@pytest.mark.parametrize("row", VECTORS["codex_gate"])
def test_the_recorded_codex_gates(row: dict[str, Any]) -> None:
    """The model and the gates, one by one and together."""
    names = ("agentId", "metadata", "mediaExecution")
    prompt = flow().compose({name: row[name] for name in names})
    assert prompt.value("codex_imagegen_model") == row["model_id"]
    assert prompt.value("codex_can_make_images") is row["gate2"]
    assert prompt.value("codex_may_make_images") is row["gate3"]
    assert bool(prompt.value("codex_imagegen_text")) is row["rendered"]


@pytest.mark.parametrize("model", ["gpt-image-2x", "xgpt-image-2", "GPT-IMAGE-2", "gpt-image", ""])
def test_a_model_that_only_looks_alike_is_not_codexs(model: str) -> None:
    """The catalogue decides, not the prefix alone."""
    signals = {"agentId": "codex", "metadata": {"kind": "image", "imageModel": model}}
    assert flow().compose(signals).value("codex_imagegen_model") == ""


@pytest.mark.parametrize("row", VECTORS["elevenlabs_error"])
def test_the_recorded_voice_errors(row: dict[str, Any]) -> None:
    """A class and a status; any three digits are not a status."""
    right = row.get("right", row)
    error = flow().compose({"audioVoiceOptionsError": row["error"]}).value("voice_error")
    assert error.known
    assert error.no_key is (right["class"] == "missing_key")
    assert error.status == (f" ({right['status']})" if right["status"] else "")


@pytest.mark.parametrize("row", VECTORS["ui_locale"])
def test_the_recorded_locales(row: dict[str, Any]) -> None:
    """Whether a locale speaks, in which language, and with samples."""
    prompt = flow().compose({"locale": row["locale"]})
    text = prompt.value("ui_locale_text")
    assert bool(text) is row["rendered"]
    if row["rendered"]:
        assert f"`{row['locale']}` ({row['language_name']})" in text
        assert ("pick_direction" in text) is row["sample_copy"]


@pytest.mark.parametrize(
    ("signals", "fact", "default", "consistent"),
    [
        ({"agentId": " Gemini "}, "is_gemini", False, True),
        ({"mediaExecution": {"mode": "disabled"}}, "may_dispatch_media", True, False),
        ({"streamFormat": "plain"}, "may_dispatch_media", True, False),
        ({"streamFormat": "plain"}, "media_is_disabled", False, True),
        ({"skillMode": "prototype", "skillModes": []}, "freeform", True, False),
        (
            {"skillMode": "image", "metadata": {"kind": "prototype"}},
            "shows_html_rules",
            True,
            False,
        ),
        (
            {"metadata": {"kind": "audio", "audioKind": "sfx"}, "audioVoiceOptionsError": "boom"},
            "tells_voice_error",
            True,
            False,
        ),
        (
            {
                "metadata": {
                    "kind": "audio",
                    "audioKind": "speech",
                    "audioModel": "elevenlabs-v3",
                },
                "audioVoiceOptionsError": "boom",
            },
            "tells_voice_error",
            True,
            True,
        ),
    ],
)
def test_what_the_original_contradicts_is_decided_once(
    signals: dict[str, Any], fact: str, default: bool, consistent: bool
) -> None:
    """The default does as the original; consistent gates decide from one fact."""
    assert flow().compose(signals).value(fact) is default
    assert flow(gates="consistent").compose(signals).value(fact) is consistent


def test_null_fields_are_absent_ones() -> None:
    """A session that was written with nulls is the session without them."""
    names = [field.alias for field in OpenDesignSignals.model_fields.values() if field.alias]
    skipped = {"tools", "host", "includeCodexImagegenOverride"}
    nulls = {name: None for name in names if name not in skipped}
    assert flow().compose(nulls).text == flow().compose({}).text
    listed = {"activeStageBlocks": [None, ""], "connectedExternalMcp": [{"id": None}]}
    assert flow().compose(listed).text == flow().compose({}).text
