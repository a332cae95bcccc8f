"""Releases of Oracle Database, compared number by number."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from app.foundation.texts import _

Release = tuple[int, ...]

# Streams is deprecated from 12.1 on and desupported in 19c, where V$STREAMS_CAPTURE is gone; the 12.2 readme deprecates
# it in a container database: https://docs.oracle.com/cd/E82638_01/readm/deprecated-desupported-features.html
_DEPRECATED_SINCE: Final[Release] = (12, 1)
_DESUPPORTED_SINCE: Final[Release] = (19,)
_OLDEST: Final[Release] = (10, 2)


@cache
def release_of(version: str) -> Release:
    """Return a release such as 11.2.0.4.0 as numbers; parts that are none end it."""
    numbers: list[int] = []
    for part in version.split("."):
        if not part.isdigit():
            break
        numbers.append(int(part))
    return tuple(numbers)


def is_in(release: Release, since: Release, until: Release) -> bool:
    """Tell whether a release lies from `since` up to and without `until`; () is no limit."""
    return (not since or release >= since) and (not until or release < until)


def has_streams(release: Release) -> bool:
    """Tell whether a release still has Streams."""
    return release < _DESUPPORTED_SINCE


def support_warnings(versions: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence for those of some databases in whose release Streams has no future or is older than known.

    Args:
        versions: release of each database, by its name.
    """
    named: dict[str, list[str]] = {}
    for database, version in versions.items():
        if told := _support_of(release_of(version)):
            named.setdefault(told, []).append(_("{database} ({version})").format(database=database, version=version))
    return tuple(told.format(databases=", ".join(databases)) for told, databases in named.items())


def _support_of(release: Release) -> str:
    if not has_streams(release):
        return _(
            "{databases}: Oracle removed Streams in 19c; what can be tuned there are the apply parameters of "
            "GoldenGate and XStream, where their processes run"
        )
    if release >= _DEPRECATED_SINCE:
        return _("{databases}: Oracle Streams is deprecated from 12.1 on and gone in 19c")
    if release < _OLDEST:
        return _("{databases}: this program knows Streams from 10.2 on")
    return ""
