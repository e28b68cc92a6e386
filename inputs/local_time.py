"""Dates with a named time zone. The machine's clock and zone are read here and nowhere else."""

import os
import re
from datetime import date, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

_OFFSET = re.compile(r"UTC([+-])(\d\d):([0-5]\d)")


def time_zone_named(name: str) -> tzinfo:
    """Return a time zone.

    Args:
        name: An IANA name such as `Asia/Shanghai`, `UTC`, or an offset such as `UTC+08:00`.

    Raises:
        ValueError: The name is unknown, or the machine has no database of time zones.
    """
    if name == "UTC":
        return timezone.utc  # noqa: UP017 - one spelling for this and the offsets
    if (found := _OFFSET.fullmatch(name)) and int(found[2]) < 24:
        minutes = int(found[2]) * 60 + int(found[3])
        return timezone(timedelta(minutes=minutes if found[1] == "+" else -minutes))
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise ValueError(
            f"time zone {name!r} is unknown here; give a name like 'Europe/Berlin' or an offset "
            "like 'UTC+01:00'"
        ) from None


def known_time_zone(name: str) -> str:
    """Return the name of a time zone that is known, or raise `ValueError`."""
    time_zone_named(name)
    return name


def local_time_zone() -> str:
    """Return the machine's time zone by name, or its present offset where it has no name."""
    for name in (os.environ.get("TZ", "").removeprefix(":"), _linked_name()):
        try:
            return known_time_zone(name)
        except ValueError:
            continue
    offset = datetime.now().astimezone().strftime("%z")
    return f"UTC{offset[:3]}:{offset[3:5]}"


def today_in(name: str) -> date:
    """Return today's date in a time zone."""
    return datetime.now(time_zone_named(name)).date()


def _linked_name() -> str:
    """Return the name that `/etc/localtime` links to; empty where it is no such link."""
    parts = Path("/etc/localtime").resolve().parts
    return "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else ""
