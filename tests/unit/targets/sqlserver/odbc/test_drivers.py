"""Which driver is taken, by what is installed and what is asked."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput, Unsupported
from app.drivers.sqlserver.odbc.drivers import Dialect, InstalledDrivers, choose_driver, find_installed
from app.drivers.sqlserver.odbc.settings import read_settings
from app.services.target.target_spec import parse_server

NAME_18, NAME_17 = "ODBC Driver 18 for SQL Server", "ODBC Driver 17 for SQL Server"
EVERYTHING = InstalledDrivers((NAME_17, "FreeTDS", NAME_18, "PostgreSQL"), "", True)


def chosen(options: str, installed: InstalledDrivers = EVERYTHING) -> Dialect:
    """Return whose driver is taken for a URL's options."""
    user = "" if "windows" in options or "integrated" in options else "anna"
    return choose_driver(read_settings(parse_server(f"sqlserver://{user}@db1?{options}")), installed).dialect


@pytest.mark.parametrize(
    ("registered", "has_wheel", "dialect"),
    [
        ((NAME_17, "FreeTDS", NAME_18), True, Dialect.MICROSOFT_18),
        ((NAME_17, "FreeTDS"), True, Dialect.MICROSOFT_17),
        (("FreeTDS",), True, Dialect.FREETDS),
        (("PostgreSQL",), True, Dialect.MSSQL_PYTHON),
        ((), True, Dialect.MSSQL_PYTHON),
        (("FreeTDS",), False, Dialect.FREETDS),
    ],
)
def test_the_first_that_is_there_is_taken(registered: tuple[str, ...], has_wheel: bool, dialect: Dialect) -> None:
    """ODBC Driver 18, 17, FreeTDS, then the driver in its wheel."""
    assert chosen("trust=yes", InstalledDrivers(registered, "", has_wheel)) is dialect


def test_without_driver_manager_the_wheel_is_taken() -> None:
    """Where libodbc cannot be loaded no registered driver helps."""
    broken = InstalledDrivers((NAME_18,), "libodbc.so.2: cannot open shared object file", True)
    assert chosen("", broken) is Dialect.MSSQL_PYTHON


def test_freetds_is_not_taken_where_it_would_verify_nothing() -> None:
    """Without the explicit choice to trust, the wheel goes first; without it, one sentence says what to do."""
    assert chosen("", InstalledDrivers(("FreeTDS",), "", True)) is Dialect.MSSQL_PYTHON
    assert chosen("encrypt=no", InstalledDrivers(("FreeTDS",), "", True)) is Dialect.FREETDS
    for installed, options in ((InstalledDrivers(("FreeTDS",), "", False), ""), (EVERYTHING, "driver=freetds")):
        with pytest.raises(BadInput, match=r"FreeTDS verifies no certificate.*trust=yes"):
            chosen(options, installed)


@pytest.mark.skipif(os.name == "nt", reason="there Microsoft's ODBC drivers open the browser themselves")
def test_entra_in_the_browser_is_asked_by_the_driver_that_can() -> None:
    """Off Windows only mssql-python opens one, with Azure's libraries: that is why their bundles hold them."""
    assert chosen("auth=entra-interactive") is Dialect.MSSQL_PYTHON
    assert chosen("auth=entra-password") is Dialect.MICROSOFT_18
    with pytest.raises(BadInput, match=r"on Windows only; use driver=mssql-python"):
        chosen("auth=entra-interactive&driver=18")


@pytest.mark.parametrize(
    ("options", "dialect"),
    [
        ("driver=17", Dialect.MICROSOFT_17),
        ("driver=mssql-python", Dialect.MSSQL_PYTHON),
        ("driver=FreeTDS&trust=yes", Dialect.FREETDS),
        (f"driver={NAME_17}", Dialect.MICROSOFT_17),
    ],
)
def test_a_driver_asked_for_is_taken(options: str, dialect: Dialect) -> None:
    """By short name or by the name it is registered under, in any case."""
    assert chosen(options) is dialect


def test_a_library_is_taken_by_its_path(tmp_path: Path) -> None:
    """A driver nobody could register works by the path of its library, which must exist."""
    library = tmp_path / "libmsodbcsql-18.6.so.2.1"
    library.touch()
    (tmp_path / "libtdsodbc.so").touch()
    assert chosen(f"driver={library}", InstalledDrivers((), "", False)) is Dialect.MICROSOFT_18
    assert chosen(f"driver={tmp_path / 'libtdsodbc.so'}&trust=yes") is Dialect.FREETDS
    with pytest.raises(BadInput, match="no such file"):
        chosen(f"driver={tmp_path / 'missing.so'}")
    with pytest.raises(BadInput, match=r"driver manager.*use driver=mssql-python"):
        chosen(f"driver={library}", InstalledDrivers((), "no libodbc", True))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("driver=oracle", "is not installed; installed are: ODBC Driver 18"),
        ("driver=17&encrypt=strict", "only Microsoft's ODBC Driver 18 knows encrypt=strict"),
        ("driver=17&certificate_host=x", "compares a certificate"),
        ("driver=mssql-python&failover_partner=x", "failover partner needs"),
        ("driver=freetds&trust=yes&auth=entra-password", "no Entra sign-in"),
    ],
)
def test_what_a_driver_cannot_do_is_said_before_connecting(options: str, says: str) -> None:
    """A driver asked for that lacks what else is asked is refused in one sentence."""
    with pytest.raises(BadInput, match=says):
        chosen(options)


def test_abilities_decide_among_those_installed() -> None:
    """Nothing is refused that another installed driver can do."""
    assert chosen("encrypt=strict", InstalledDrivers((NAME_17,), "", True)) is Dialect.MSSQL_PYTHON
    assert chosen("failover_partner=b", InstalledDrivers((NAME_17,), "", True)) is Dialect.MICROSOFT_17
    assert chosen("auth=entra-integrated", InstalledDrivers(("FreeTDS",), "", True)) is Dialect.MSSQL_PYTHON


def test_no_driver_at_all_says_which_to_install() -> None:
    """A bare computer is told what to install, also without administrator."""
    with pytest.raises(Unsupported, match=r"no driver for SQL Server is installed.*mssql-python"):
        chosen("", InstalledDrivers((), "No module named 'pyodbc'", False))


def test_a_driver_for_32_bits_alone_is_told_as_that() -> None:
    """It cannot be loaded, and a person who sees it in Windows' list of drivers would look for another reason."""
    listed = InstalledDrivers((), "", True, (NAME_18, "SQL Server"))
    assert chosen("trust=yes", listed) is Dialect.MSSQL_PYTHON
    for asked in ("driver=18", f"driver={NAME_18}", "driver=SQL Server"):
        with pytest.raises(BadInput, match=r"32 bits only; install its package for 64 bits \(x64\)"):
            chosen(asked, listed)
    with pytest.raises(BadInput, match='driver "17" is not installed'):
        chosen("driver=17", listed)
    with pytest.raises(Unsupported, match=f"{NAME_18} is installed for programs of 32 bits only"):
        chosen("", replace(listed, has_mssql_python=False))


def test_this_computer_is_looked_at() -> None:
    """The real look finds the wheel that is installed for the tests, and drivers by their registered names."""
    installed = find_installed()
    assert installed.has_mssql_python
    assert all(isinstance(name, str) for name in installed.registered)
