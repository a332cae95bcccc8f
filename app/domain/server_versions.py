"""SQL Server's versions by the names people call them by, for measurements made elsewhere."""

from collections.abc import Mapping
from typing import Final

# Microsoft Learn: Latest updates and version history for SQL Server.
_VERSIONS: Final = {
    "2005": "9.0",
    "2008": "10.0",
    "2008 R2": "10.50",
    "2012": "11.0",
    "2014": "12.0",
    "2016": "13.0",
    "2017": "14.0",
    "2019": "15.0",
    "2022": "16.0",
    "2025": "17.0",
}


SERVER_VERSION: Final = "server_version"
"""Condition, and column of a file, that names the version of measurements from elsewhere."""


def stated_version(conditions: Mapping[str, object]) -> str:
    """Return the product version that measurements from elsewhere name, "" where they name none."""
    return product_version(str(conditions.get(SERVER_VERSION, "")).strip())


def product_version(stated: str) -> str:
    """Return the product version of a name such as "2016"; any other text unchanged."""
    return _VERSIONS.get(stated, stated)


def release_name(version: str) -> str:
    """Return the name people call a product version by, as "2017" for "14.0.3456.2", "" for one that has none yet."""
    names = {product: name for name, product in _VERSIONS.items()}
    return names.get(".".join(version.split(".")[:2]), "")


def named_version(version: str) -> str:
    """Return a SQL Server's product version with its name before it: "SQL Server 2017 (14.0.3456.2)"."""
    name = release_name(version)
    return f"SQL Server {name} ({version})" if name else version


def major_version_of(stated: str) -> int | None:
    """Return the major version of a name or a product version, None where it is neither."""
    first = product_version(stated).split(".")[0]
    return int(first) if first.isdigit() and int(first) < 100 else None
