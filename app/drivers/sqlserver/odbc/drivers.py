"""The choice of a driver among those installed on this computer."""

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput, Unsupported
from app.drivers.sqlserver.odbc.registry import read_registry
from app.drivers.sqlserver.odbc.settings import ConnectionSettings, Encryption, SignIn
from app.foundation.texts import _


class Dialect(StrEnum):
    """The connection-string dialect of a driver; its value is accepted by `driver=`."""

    MICROSOFT_18 = "18"
    MICROSOFT_17 = "17"
    FREETDS = "freetds"
    MSSQL_PYTHON = "mssql-python"


@dataclass(frozen=True)
class Driver:
    """One driver.

    Attributes:
        name: as registered, or the path of its library; "" for mssql-python, which knows its own.
        label: as a person knows it.
    """

    dialect: Dialect
    name: str
    label: str


@dataclass(frozen=True)
class InstalledDrivers:
    """The drivers installed on this computer.

    Attributes:
        registered: names of the ODBC drivers the driver manager knows.
        odbc_problem: why pyodbc cannot be used, "" where it can.
        has_mssql_python: whether Microsoft's driver in its wheel is there.
        only_32_bit: names of ODBC drivers that Windows has for programs of 32 bits alone; this is none of them.
    """

    registered: tuple[str, ...]
    odbc_problem: str
    has_mssql_python: bool
    only_32_bit: tuple[str, ...] = ()


MSSQL_PYTHON: Final = Driver(Dialect.MSSQL_PYTHON, "", "mssql-python (Microsoft ODBC Driver 18)")
_REGISTERED: Final = (
    ("ODBC Driver 18 for SQL Server", Dialect.MICROSOFT_18),
    ("ODBC Driver 17 for SQL Server", Dialect.MICROSOFT_17),
    ("FreeTDS", Dialect.FREETDS),
)


def find_installed() -> InstalledDrivers:
    """Look at the installed drivers; loads pyodbc, which needs the system's driver manager."""
    has_mssql_python = importlib.util.find_spec("mssql_python") is not None
    try:
        import pyodbc  # type: ignore[import-not-found]  # its stub is not marked as one
    except ImportError as error:  # not installed, or libodbc is missing
        return InstalledDrivers((), str(error), has_mssql_python)
    if sys.platform == "win32":
        listed = read_registry()
        return InstalledDrivers(listed.usable, "", has_mssql_python, listed.only_32_bit)
    try:
        return InstalledDrivers(tuple(pyodbc.drivers()), "", has_mssql_python)
    except pyodbc.Error as error:
        return InstalledDrivers((), str(error), has_mssql_python)


def needs_64_bit(name: str) -> str:
    """Return the remedy for a driver that Windows has for programs of 32 bits alone."""
    return _("{name} is installed for programs of 32 bits only; install its package for 64 bits (x64)").format(
        name=name
    )


def choose_driver(settings: ConnectionSettings, installed: InstalledDrivers) -> Driver:
    """Return the driver to use: the one asked for, else the first with all abilities needed.

    In order: ODBC Driver 18, 17, FreeTDS, mssql-python. FreeTDS verifies no certificate and knows no Entra sign-in,
    so it is passed over where that is asked and mssql-python is there.

    Raises:
        BadInput: the driver asked for is not there, or cannot do what else is asked.
        Unsupported: no driver is there.
    """
    if settings.driver:
        driver = _named(settings.driver, installed)
        problem = missing_ability(driver.dialect, settings)
        if problem:
            raise BadInput(problem)
        return driver
    there = _available(installed)
    if not there:
        raise Unsupported(_none_there(installed), installed.odbc_problem)
    problems = [missing_ability(driver.dialect, settings) for driver in there]
    for driver, problem in zip(there, problems, strict=True):
        if not problem:
            return driver
    raise BadInput(problems[0])


def _none_there(installed: InstalledDrivers) -> str:
    for name, _dialect in _REGISTERED:
        if name in installed.only_32_bit:
            return needs_64_bit(name)
    return _(
        "no driver for SQL Server is installed; install Microsoft's ODBC Driver 18, "
        "or `pip install mssql-python`, which needs no administrator"
    )


def _available(installed: InstalledDrivers) -> Sequence[Driver]:
    registered = [
        Driver(dialect, name, name)
        for name, dialect in _REGISTERED
        if name in installed.registered and not installed.odbc_problem
    ]
    return [*registered, MSSQL_PYTHON] if installed.has_mssql_python else registered


def _named(asked: str, installed: InstalledDrivers) -> Driver:
    if "/" in asked or "\\" in asked:
        return _library(Path(asked), installed)
    wanted = asked.lower()
    for driver in _available(installed):
        if wanted in (driver.dialect.value, driver.name.lower()):
            return driver
    for name in installed.registered:
        if wanted == name.lower():
            return Driver(_dialect_of(name), name, name)
    _refuse_32_bit(wanted, installed)
    names = [driver.name or driver.dialect.value for driver in _available(installed)]
    raise BadInput(
        _('driver "{asked}" is not installed; installed are: {names}').format(
            asked=asked, names=", ".join(names) or _("none")
        )
    )


def _refuse_32_bit(wanted: str, installed: InstalledDrivers) -> None:
    for name in installed.only_32_bit:
        if wanted in (name.lower(), dict(_REGISTERED).get(name)):
            raise BadInput(needs_64_bit(name))


def _library(path: Path, installed: InstalledDrivers) -> Driver:
    if not path.is_file():
        raise BadInput(_("driver {path}: no such file; give the path of the driver's library").format(path=path))
    if installed.odbc_problem:
        raise BadInput(
            _("driver {path} needs the ODBC driver manager: {problem}; use driver=mssql-python").format(
                path=path, problem=installed.odbc_problem
            )
        )
    return Driver(_dialect_of(path.name), str(path), path.name)


def _dialect_of(name: str) -> Dialect:
    lowered = name.lower()
    if "tdsodbc" in lowered or "freetds" in lowered:
        return Dialect.FREETDS
    return Dialect.MICROSOFT_17 if "17" in lowered and "18" not in lowered else Dialect.MICROSOFT_18


def missing_ability(dialect: Dialect, settings: ConnectionSettings) -> str:
    """Return one sentence on the ability a driver lacks, "" where it has all that are needed."""
    for asked, lacking, sentence in _LACKS:
        if dialect in lacking and asked(settings):
            return sentence()
    return ""


_FREETDS: Final = frozenset({Dialect.FREETDS})
_NOT_18: Final = frozenset({Dialect.FREETDS, Dialect.MICROSOFT_17})

Asked = Callable[[ConnectionSettings], bool]

# What is asked, who cannot do it, and the sentence. Sources: MicrosoftDocs/sql-docs:docs/connect/odbc/
# dsn-connection-string-attribute.md; FreeTDS user guide, chapter ODBC connection attributes; mssql-python's list of
# connection string keywords, which has no failover partner.
_LACKS: Final[tuple[tuple[Asked, frozenset[Dialect], Callable[[], str]], ...]] = (
    (
        lambda asked: asked.encryption is not Encryption.NO and not asked.trusts_certificate,
        _FREETDS,
        lambda: _(
            "FreeTDS verifies no certificate: trust the server's certificate unverified (trust=yes), or "
            "install Microsoft's ODBC Driver 18"
        ),
    ),
    (
        lambda asked: asked.sign_in.is_entra,
        _FREETDS,
        lambda: _("FreeTDS knows no Entra sign-in; install Microsoft's ODBC Driver 18"),
    ),
    # MicrosoftDocs/sql-docs:docs/connect/odbc/using-azure-active-directory.md: "Windows driver only"; mssql-python asks
    # Entra itself.
    (
        lambda asked: asked.sign_in is SignIn.ENTRA_INTERACTIVE and os.name != "nt",
        frozenset({Dialect.MICROSOFT_18, Dialect.MICROSOFT_17}),
        lambda: _(
            "Microsoft's ODBC drivers open the browser for Entra sign-in on Windows only; use driver=mssql-python"
        ),
    ),
    (
        lambda asked: asked.encryption is Encryption.STRICT,
        _NOT_18,
        lambda: _("only Microsoft's ODBC Driver 18 knows encrypt=strict; install it, or use driver=mssql-python"),
    ),
    (
        lambda asked: bool(asked.certificate_host or asked.certificate_file),
        _NOT_18,
        lambda: _(
            "only Microsoft's ODBC Driver 18 compares a certificate's name or file; "
            "install it, or use driver=mssql-python"
        ),
    ),
    (
        lambda asked: bool(asked.failover_partner),
        frozenset({Dialect.FREETDS, Dialect.MSSQL_PYTHON}),
        lambda: _("a failover partner needs Microsoft's ODBC Driver 18 or 17 installed; install it"),
    ),
)
