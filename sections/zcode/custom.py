"""The sections that the caller adds: one place for each bucket, behind its built-in sections."""

from ...inputs.zcode import CustomSection
from ..declare import Named, section_list


def _of_bucket(
    sections: tuple[CustomSection, ...], target: str, cache_hint: str
) -> tuple[Named, ...]:
    return tuple(
        Named(one.source, one.content)
        for one in sections
        if (one.injection_target, one.cache_hint) == (target, cache_hint)
    )


@section_list()
def custom_system_stable(custom_sections: tuple[CustomSection, ...]) -> tuple[Named, ...]:
    """The caller's sections for the stable system block."""
    return _of_bucket(custom_sections, "system", "stable")


@section_list()
def custom_system_dynamic(custom_sections: tuple[CustomSection, ...]) -> tuple[Named, ...]:
    """The caller's sections for the dynamic system block."""
    return _of_bucket(custom_sections, "system", "dynamic")


@section_list()
def custom_user_stable(custom_sections: tuple[CustomSection, ...]) -> tuple[Named, ...]:
    """The caller's stable sections for the message in the user's role."""
    return _of_bucket(custom_sections, "meta_user", "stable")


@section_list()
def custom_user_dynamic(custom_sections: tuple[CustomSection, ...]) -> tuple[Named, ...]:
    """The caller's dynamic sections for the message in the user's role."""
    return _of_bucket(custom_sections, "meta_user", "dynamic")
