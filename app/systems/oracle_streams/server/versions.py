"""Releases of Oracle Database, compared number by number."""

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


def support_warning(database: str, version: str) -> str:
    """Return one sentence where Streams has no future in a release, or the release is older than any fact here."""
    release = release_of(version)
    if not has_streams(release):
        return _(
            "{database} is {version}: Oracle removed Streams in 19c; what can be tuned there are the apply parameters "
            "of GoldenGate and XStream, where their processes run"
        ).format(database=database, version=version)
    if release >= _DEPRECATED_SINCE:
        return _("{database} is {version}: Oracle Streams is deprecated from 12.1 on and gone in 19c").format(
            database=database, version=version
        )
    if release < _OLDEST:
        return _("{database} is {version}; this program knows Streams from 10.2 on").format(
            database=database, version=version
        )
    return ""
