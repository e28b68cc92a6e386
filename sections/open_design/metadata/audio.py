"""Bullets for sound, and the choice of a voice."""

import json
import re
from typing import NamedTuple

from ....inputs.javascript_text import entries
from ....inputs.open_design import Voice
from ....inputs.open_design_metadata import Kind
from ....inputs.open_design_text import one_line, shown
from ...declare import fact, gate, section

MAX_VOICES = 100


@gate
def is_audio(metadata_kind: Kind | None) -> bool:
    """Open when the kind is audio."""
    return metadata_kind == "audio"


@gate
def audio_kind_is_known(metadata_audio_kind: str | None) -> bool:
    """Open when metadata says what kind of sound, not blank."""
    return bool(metadata_audio_kind)


@section(gate=is_audio)
def audio_kind(audio_kind_is_known: bool, metadata_audio_kind: str | None) -> None:
    """Speech, music or effects."""


@gate
def audio_model_is_known(metadata_audio_model: str | None) -> bool:
    """Open when metadata says the audio model, not blank."""
    return bool(metadata_audio_model)


@section(gate=is_audio)
def audio_model(audio_model_is_known: bool, metadata_audio_model: str | None) -> None:
    """By which model."""


@gate
def audio_duration_is_known(metadata_audio_duration: int | float | None) -> bool:
    """Open when metadata says how many seconds the sound has."""
    return metadata_audio_duration is not None


@fact
def audio_duration_seconds(metadata_audio_duration: int | float | None) -> str:
    """How many seconds the sound has."""
    return shown(metadata_audio_duration)


@section(gate=is_audio)
def audio_duration(audio_duration_is_known: bool, audio_duration_seconds: str) -> None:
    """How long it is."""


@gate
def voice_is_known(metadata_voice: str | None) -> bool:
    """Open when metadata says the voice, not blank."""
    return bool(metadata_voice)


@gate
def concerns_voice(metadata_voice: str | None, metadata_audio_kind: str | None) -> bool:
    """Open when metadata says the voice, or the sound is speech."""
    return bool(metadata_voice) or metadata_audio_kind == "speech"


@section(gate=(is_audio, concerns_voice))
def voice(voice_is_known: bool, metadata_voice: str | None) -> None:
    """Who speaks."""


@fact
def voice_form_fits(
    metadata_kind: Kind | None,
    metadata_audio_kind: str | None,
    metadata_audio_model: str | None,
    metadata_voice: str | None,
    audio_voice_options: tuple[Voice, ...] | None,
) -> bool:
    """Whether a form asks for an ElevenLabs voice: speech by it, none chosen, some found."""
    wanted = ("audio", "speech", "elevenlabs-v3")
    asked = (metadata_kind, metadata_audio_kind, metadata_audio_model) == wanted
    return asked and not metadata_voice and bool(audio_voice_options)


@gate
def offers_voices(voice_form_fits: bool) -> bool:
    """Open when speech by elevenlabs-v3 has no voice yet, and voices were found."""
    return voice_form_fits


class VoiceOption(NamedTuple):
    """One option of the form, as JSON; the last has no comma."""

    label: str
    value: str
    comma: str


@fact
def voice_options(audio_voice_options: tuple[Voice, ...] | None) -> tuple[VoiceOption, ...]:
    """The first hundred voices as options of a form."""
    voices = (audio_voice_options or ())[:MAX_VOICES]
    last = len(voices) - 1
    return tuple(
        VoiceOption(_json(_voice_label(one)), _json(one.voice_id), "," if at < last else "")
        for at, one in enumerate(voices)
    )


def _voice_label(one: Voice) -> str:
    told = [one_line(v) for _, v in entries(one.labels or {}) if isinstance(v, str) and v.strip()]
    detail = " · ".join(told) or one.category
    return f"{one.name} — {detail}" if detail else one.name


def _json(text: str) -> str:
    """Return text as JSON that holds no tag: `<` is escaped, so no name can close the form."""
    return json.dumps(text, ensure_ascii=False).replace("<", "\\u003c")


@section(gate=(is_audio, offers_voices))
def voice_choice() -> None:
    """A voice is to be chosen."""


@section(gate=(is_audio, offers_voices))
def voice_form(voice_options: tuple[VoiceOption, ...]) -> None:
    """Choose a voice."""


@fact
def voice_count(audio_voice_options: tuple[Voice, ...] | None) -> int:
    """How many voices were found."""
    return len(audio_voice_options or ())


@gate
def leaves_voices_out(audio_voice_options: tuple[Voice, ...] | None) -> bool:
    """Open when more voices were found than the form takes."""
    return len(audio_voice_options or ()) > MAX_VOICES


@fact
def max_voices() -> int:
    """How many voices the form takes."""
    return MAX_VOICES


@section(gate=(is_audio, offers_voices, leaves_voices_out))
def voice_limit(max_voices: int, voice_count: int) -> None:
    """Not every voice is in the form."""


_NO_KEY = re.compile("no ElevenLabs API key", re.IGNORECASE)
_STATUS = re.compile(
    r"\((?P<bracketed>[1-5][0-9]{2})(?: [^)]*)?\)|\bHTTP[ /:]*(?P<named>[1-5][0-9]{2})\b"
    r"|\b(?P<known>400|401|403|404|429|500|502|503|504)\b",
    re.IGNORECASE,
)
_REASONS = {
    "400": "Bad Request",
    "401": "Unauthorized",
    "403": "Forbidden",
    "404": "Not Found",
    "429": "Too Many Requests",
    "500": "Internal Server Error",
    "502": "Bad Gateway",
    "503": "Service Unavailable",
    "504": "Gateway Timeout",
}


class VoiceError(NamedTuple):
    """What may be said of a failed lookup.

    Attributes:
        known: Whether there was an error at all.
        no_key: Whether the key is missing.
        status: ` (502 Bad Gateway)`, or empty where no status is known.
    """

    known: bool
    no_key: bool
    status: str


@fact
def voice_error(audio_voice_options_error: str | None) -> VoiceError:
    """A class and a status instead of the error's words, which nobody here wrote."""
    error = one_line(audio_voice_options_error or "")
    if not error or _NO_KEY.search(error):
        return VoiceError(bool(error), bool(error), "")
    found = _STATUS.search(error)
    if found is None:
        return VoiceError(True, False, "")
    code = found["bracketed"] or found["named"] or found["known"]
    return VoiceError(True, False, f" ({' '.join((code, *_REASONS.get(code, '').split()))})")


@fact
def voice_error_concerns() -> bool:
    """Whether a failed lookup of voices matters: for every kind of sound, as in the original."""
    return True


@gate
def tells_voice_error(
    voice_form_fits: bool, voice_error: VoiceError, voice_error_concerns: bool
) -> bool:
    """Open when no form of voices is shown, and their lookup failed.

    Under consistent gates only for speech by elevenlabs-v3.
    """
    return voice_error.known and not voice_form_fits and voice_error_concerns


@gate
def voice_key_is_missing(voice_error: VoiceError) -> bool:
    """Open when the lookup of voices failed for want of a key."""
    return voice_error.no_key


@section(gate=(is_audio, tells_voice_error))
def voice_lookup(voice_key_is_missing: bool, voice_error: VoiceError) -> None:
    """Voices could not be looked up; only a class and a status are told."""


@gate
def is_sound_effect(metadata_audio_kind: str | None) -> bool:
    """Open when the sound is an effect."""
    return metadata_audio_kind == "sfx"


@section(gate=(is_audio, is_sound_effect))
def sfx_discovery() -> None:
    """What to know of an effect before it is made."""


@section(gate=is_audio)
def audio_action(media_is_disabled: bool, host_media_command: str) -> None:
    """What to do for a sound."""
