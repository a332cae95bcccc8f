"""Connection strings of each driver: encryption, sign-in, and values that try to add keywords."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.drivers.sqlserver.odbc.addresses import AddressBook
from app.drivers.sqlserver.odbc.connection_string import connection_string, quoted, quoted_for_freetds
from app.drivers.sqlserver.odbc.drivers import MSSQL_PYTHON, Dialect, Driver
from app.drivers.sqlserver.odbc.settings import ServerAddress, read_settings
from app.foundation.secret import Secret
from app.services.target.target_spec import parse_server

MICROSOFT = Driver(Dialect.MICROSOFT_18, "ODBC Driver 18 for SQL Server", "")
FREETDS = Driver(Dialect.FREETDS, "FreeTDS", "")
# An ODBC value in braces: everything up to a brace that is not doubled.
VALUE = re.compile(r"\{((?:[^}]|\}\})*)\}")


def made(driver: Driver, url: str, password: str | None = "secret", address: ServerAddress | None = None) -> str:
    """Return the connection string of a URL."""
    settings = read_settings(parse_server(url))
    secret = None if password is None else Secret(password)
    return connection_string(driver, settings, secret, address or settings.address, "master")


def test_microsoft_driver_encrypts_verifies_and_says_who_asks() -> None:
    """The usual string: encrypted, certificate verified, no reconnecting behind our back, the program's name."""
    assert made(MICROSOFT, "sqlserver://anna@db1:1444") == (
        "DRIVER={ODBC Driver 18 for SQL Server};SERVER={db1,1444};Encrypt={yes};TrustServerCertificate={no};"
        "ConnectRetryCount={0};APP={Replitune};DATABASE={master};UID={anna};PWD={secret};"
    )


def test_every_option_becomes_its_keyword() -> None:
    """Strict encryption, certificate, failover over subnets and intent are the driver's own keywords."""
    text = made(
        MICROSOFT,
        "sqlserver://anna@db1\\S?encrypt=strict&certificate_host=x&certificate_file=/c.pem&multi_subnet_failover=yes"
        "&intent=readonly",
    )
    for part in (
        "SERVER={db1\\S}",
        "Encrypt={strict}",
        "HostNameInCertificate={x}",
        "ServerCertificate={/c.pem}",
        "MultiSubnetFailover={Yes}",
        "ApplicationIntent={ReadOnly}",
    ):
        assert f";{part};" in text
    assert ";Failover_Partner={db2};" in made(MICROSOFT, "sqlserver://anna@db1?failover_partner=db2")


@pytest.mark.parametrize(
    ("auth", "user", "ends"),
    [
        ("windows", "", "DATABASE={master};Trusted_Connection={Yes};"),
        ("entra-integrated", "", "Authentication={ActiveDirectoryIntegrated};"),
        ("entra-interactive", "anna", "Authentication={ActiveDirectoryInteractive};UID={anna};"),
        ("entra-password", "anna", "Authentication={ActiveDirectoryPassword};UID={anna};PWD={secret};"),
        ("entra-service-principal", "id", "Authentication={ActiveDirectoryServicePrincipal};UID={id};PWD={secret};"),
    ],
)
def test_each_sign_in_is_named_as_the_driver_names_it(auth: str, user: str, ends: str) -> None:
    """Sign-in methods carry exactly the keywords they need, and a password only where there is one."""
    for driver in (MICROSOFT, MSSQL_PYTHON):
        assert made(driver, f"sqlserver://{user}@db1?auth={auth}").endswith(ends)


@pytest.mark.parametrize("driver", [MICROSOFT, FREETDS, MSSQL_PYTHON])
def test_from_outside_the_domain_the_service_is_named(driver: Driver) -> None:
    """An SPN goes with Windows sign-in, to the server it is given for only."""
    url = "sqlserver://@db1?trust=yes&spn=MSSQLSvc/db1.contoso.com:1433&spn.PUB1=MSSQLSvc/pub1.contoso.com"
    settings = read_settings(parse_server(url))
    book = AddressBook(settings)
    assert made(driver, url, None).endswith("Trusted_Connection={Yes};ServerSPN={MSSQLSvc/db1.contoso.com:1433};")
    other = made(driver, url, None, book.address_of("pub1"))
    assert other.endswith("Trusted_Connection={Yes};ServerSPN={MSSQLSvc/pub1.contoso.com};")
    assert "ServerSPN" not in made(driver, url, None, book.address_of("sub1"))


def test_mssql_python_sets_driver_and_application_itself() -> None:
    """It refuses these two keywords, so they are left out; the rest is the same."""
    text = made(MSSQL_PYTHON, "sqlserver://anna@db1?trust=yes")
    assert text.startswith("SERVER={db1};Encrypt={yes};TrustServerCertificate={yes};")
    assert "DRIVER=" not in text
    assert "APP=" not in text


def test_freetds_is_told_in_its_own_words() -> None:
    """FreeTDS takes host and port apart, and encryption under another name."""
    assert made(FREETDS, "sqlserver://anna@db1:1444?trust=yes") == (
        "DRIVER={FreeTDS};SERVER={db1};PORT={1444};TDS_Version={7.4};Encryption={require};ClientCharset={UTF-8};"
        "APP={Replitune};DATABASE={master};UID={anna};PWD={secret};"
    )
    assert "SERVER={db1\\S};TDS_Version" in made(FREETDS, "sqlserver://anna@db1\\S?trust=yes")
    assert "Encryption={off}" in made(FREETDS, "sqlserver://anna@db1?encrypt=no")


def test_partner_and_intent_belong_to_the_server_the_target_names() -> None:
    """Another server of the topology is neither asked for a mirror nor for a readable secondary."""
    url = "sqlserver://anna@db1?failover_partner=db2&intent=readonly"
    other = made(MICROSOFT, url, address=ServerAddress("pub1"))
    assert "Failover_Partner" not in other
    assert "ApplicationIntent" not in other


@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
def test_any_value_stays_one_value(value: str) -> None:
    """Whatever a password holds, the braces end where it ends, and it reads back as it was."""
    match = VALUE.fullmatch(quoted(value))
    assert match is not None
    assert match[1].replace("}}", "}") == value


@given(st.text(alphabet="};{=a ", min_size=1))
def test_freetds_values_end_where_they_should_or_are_refused(value: str) -> None:
    """FreeTDS ends a value at the first `};`: what holds one inside cannot be told to it, and is refused."""
    if "};" in value:
        with pytest.raises(BadInput, match="FreeTDS cannot take"):
            quoted_for_freetds(value)
    else:
        text = quoted_for_freetds(value) + ";"
        assert text.index("};") == len(text) - 2


def test_a_nul_character_is_refused_without_showing_the_value() -> None:
    """A driver would stop reading there; the sentence does not repeat a password."""
    for driver in (MICROSOFT, FREETDS):
        with pytest.raises(BadInput, match="NUL character") as caught:
            made(driver, "sqlserver://anna@db1?trust=yes", "hid\0den")
        assert "hid" not in str(caught.value)
