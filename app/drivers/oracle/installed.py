"""Which drivers for Oracle this computer has."""

import importlib.metadata

from app.domain.installed import Part
from app.foundation.texts import _


def installed_drivers() -> tuple[Part, ...]:
    """Return python-oracledb, which needs no client for servers from 12.1 on, and cx_Oracle, which is optional."""
    return (
        _package("oracledb", _("python-oracledb"), _("install it with: pip install 'oracledb>=3.4.2,<4'")),
        _package(
            "cx_Oracle",
            _("cx_Oracle (optional second driver)"),
            _("only for sites that use it: pip install --no-build-isolation 'setuptools<75' cx_Oracle==8.3.0"),
        ),
    )


def _package(name: str, title: str, remedy: str) -> Part:
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Part(name, "driver", title, "", is_there=False, remedy=remedy)
    return Part(name, "driver", title, version, is_there=True)
