"""The options of a SQL Server's URL, and network names as servers write them."""

import pytest

from app.domain.errors import BadInput
from app.drivers.sqlserver.odbc.opening import target_key
from app.drivers.sqlserver.odbc.settings import (
    Encryption,
    ServerAddress,
    SignIn,
    needs_password,
    parse_address,
    read_settings,
)
from app.services.target.target_spec import parse_server


def test_usual_settings_encrypt_and_verify() -> None:
    """Without options the connection is encrypted, the certificate verified, and SQL Server's own login used."""
    settings = read_settings(parse_server("sqlserver://anna@db1:1444"))
    assert settings.address == ServerAddress("db1", 1444)
    assert (settings.sign_in, settings.user) == (SignIn.SQL, "anna")
    assert settings.encryption is Encryption.YES
    assert not settings.trusts_certificate
    assert (settings.login_limit_s, settings.statement_limit_s) == (15, 120)


def test_without_a_user_the_account_of_this_computer_signs_in() -> None:
    """`sqlserver://@host\\instance` is Windows sign-in to a named instance, which needs no password."""
    url = parse_server("sqlserver://@DB1\\SALES?auth=windows")
    settings = read_settings(url)
    assert settings.sign_in is SignIn.WINDOWS
    assert settings.address.label == "db1\\SALES"
    assert not needs_password(url)
    assert read_settings(parse_server("sqlserver://db1")).sign_in is SignIn.WINDOWS


def test_every_option_is_read() -> None:
    """Each option reaches its setting, other servers' addresses included."""
    settings = read_settings(
        parse_server(
            "sqlserver://app%40contoso@db1?auth=entra-service-principal&encrypt=strict&certificate_host=sql.contoso"
            "&certificate_file=/c.pem&multi_subnet_failover=yes&intent=readonly&driver=18&login_timeout=5"
            "&statement_timeout=60&server.PUB1=10.0.0.7,1433&server.SUB\\A=host:1500"
        )
    )
    assert settings.user == "app@contoso"
    assert settings.sign_in is SignIn.ENTRA_SERVICE_PRINCIPAL
    assert settings.encryption is Encryption.STRICT
    assert (settings.certificate_host, settings.certificate_file) == ("sql.contoso", "/c.pem")
    assert settings.is_multi_subnet
    assert settings.is_read_only
    assert (settings.driver, settings.login_limit_s, settings.statement_limit_s) == ("18", 5, 60)
    assert dict(settings.servers) == {"PUB1": ServerAddress("10.0.0.7", 1433), "SUB\\A": ServerAddress("host", 1500)}


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlserver://anna@db1?colour=red", 'no option "colour"'),
        ("sqlserver://anna@db1?auth=magic", "must be one of sql, windows"),
        ("sqlserver://anna@db1?trust=maybe", "must be yes or no"),
        ("sqlserver://anna@db1?intent=write", "must be readonly or readwrite"),
        ("sqlserver://anna@db1?login_timeout=0", "1 to 3600"),
        ("sqlserver://anna@db1?login_timeout=²", "1 to 3600"),
        ("sqlserver://anna@db1?driver=", "must not be empty"),
        ("sqlserver://anna@db1/sales", "leave out the database"),
        ("sqlserver://anna@db1\\A:1433", "not both"),
        ("sqlserver://@db1?auth=sql", "needs a user"),
        ("sqlserver://anna@db1?auth=windows", "leave out the user"),
        ("sqlserver://anna@db1?encrypt=strict&trust=yes", "always verifies"),
        ("sqlserver://anna@db1?encrypt=no&certificate_host=x", "no certificate to check"),
        ("sqlserver://anna@db1?failover_partner=b&multi_subnet_failover=yes", "exclude each other"),
        ("sqlserver://anna@db1?server.PUB1=a,b,c", "is no address"),
        ("sqlserver://anna@db1?server.=a", "is no address"),
        ("sqlserver://anna@db1?spn=MSSQLSvc/db1", "an SPN is for Windows sign-in"),
        ("sqlserver://anna@db1?spn.PUB1=MSSQLSvc/pub1", "an SPN is for Windows sign-in"),
        ("sqlserver://@(localdb)\\MSSQLLocalDB", "LocalDB is not supported"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(url: str, says: str) -> None:
    """Unknown options, wrong values and combinations no server could be reached with say what to write instead."""
    with pytest.raises(BadInput, match=says):
        read_settings(parse_server(url))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("SQL01", ServerAddress("SQL01")),
        ("SQL01\\SALES", ServerAddress("SQL01", None, "SALES")),
        ("SQL01,1444", ServerAddress("SQL01", 1444)),
        ("tcp:sql01.contoso.com,1433", ServerAddress("sql01.contoso.com", 1433)),
        ("SQL01\\SALES,1444", ServerAddress("SQL01", 1444)),
        ("[fe80::1],1433", ServerAddress("fe80::1", 1433)),
        ("(local)", ServerAddress("localhost")),
        (".\\SALES", ServerAddress("localhost", None, "SALES")),
        ("", None),
        ("a b", None),
        ("host,99999", None),
        ("x;PWD=1", None),
        ("(localdb)\\MSSQLLocalDB", None),
        ("lpc:SQL01", None),
        ("np:\\\\SQL01\\pipe\\sql\\query", None),
        ("NP:SQL01", None),
    ],
)
def test_network_names_are_read_as_servers_write_them(text: str, address: ServerAddress | None) -> None:
    """Host, instance, port and protocol prefix are understood; anything else is no address."""
    assert parse_address(text) == address


def test_the_key_of_a_target_leaves_out_what_belongs_to_this_computer() -> None:
    """Another computer restores with the same key: no time limits, no path of a library, options in one order."""
    url = parse_server("sqlserver://anna@DB1:1433?trust=yes&login_timeout=5&driver=/opt/libmsodbcsql-18.so&encrypt=yes")
    assert target_key(url) == "sqlserver://anna@db1:1433?encrypt=yes&trust=yes"
    assert target_key(parse_server("sqlserver://anna@db1?driver=freetds")) == "sqlserver://anna@db1?driver=freetds"
