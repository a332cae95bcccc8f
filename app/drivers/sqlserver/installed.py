"""Which drivers for SQL Server this computer has."""

import importlib.metadata

from app.domain.installed import Part
from app.drivers.sqlserver.odbc.drivers import find_installed, needs_64_bit
from app.foundation.texts import _


def installed_drivers() -> tuple[Part, ...]:
    """Return pyodbc, each ODBC driver registered, whether or not it can be used, and mssql-python."""
    drivers = find_installed()
    return (
        _package("pyodbc", "pyodbc", drivers.odbc_problem),
        *(Part(f"odbc:{name}", "driver", name, "", is_there=True) for name in drivers.registered),
        *(
            Part(f"odbc:{name}", "driver", name, "", is_there=False, remedy=needs_64_bit(name))
            for name in drivers.only_32_bit
            if "SQL Server" in name
        ),
        _package("mssql-python", _("Microsoft's driver that needs no installation"), ""),
    )


def _package(name: str, title: str, problem: str) -> Part:
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        remedy = _("install it with: pip install {name}").format(name=name)
        return Part(name, "driver", title, "", is_there=False, remedy=remedy)
    return Part(name, "driver", title, version, is_there=not problem, remedy=problem)
