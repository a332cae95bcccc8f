"""Whether a server is old enough not to know what a statement asks for, by the release that the header names."""

import re
from functools import cache
from typing import Final

from app.domain.server_versions import major_version_of

_FIRST_RELEASE: Final = re.compile(r"SQL Server (?P<release>\d{4})(?: and later)?")


@cache
def release_needed(versions: str, server_version: str) -> str:
    """Return the release a header asks for where a server is older, such as "2025"; "" where it is not, or unknown."""
    first = _FIRST_RELEASE.match(versions)
    if first is None:
        return ""
    since, own = major_version_of(first["release"]), major_version_of(server_version)
    return first["release"] if since is not None and own is not None and own < since else ""
