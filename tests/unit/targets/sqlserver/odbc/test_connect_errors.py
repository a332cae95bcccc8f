"""Why a connection could not be made: each cause has its own sentence with server, host and port."""

import socket

import pyodbc  # type: ignore[import-not-found]  # its stub is not marked as one
import pytest

from app.domain.errors import LoginFailed, NotTrusted, TargetError, Unsupported
from app.drivers.sqlserver.errors import (
    DatabaseUnavailable,
    ServerNotReached,
    SqlError,
    to_target_error,
)
from app.drivers.sqlserver.odbc.connect_errors import Attempt, connect_error, refuse_old
from app.drivers.sqlserver.odbc.pyodbc_library import PyodbcLibrary
from app.drivers.sqlserver.odbc.reaching import Reached, reach
from app.drivers.sqlserver.odbc.settings import ServerAddress, read_settings
from app.foundation.secret import Secret
from app.services.target.target_spec import parse_server


def attempt_of(url: str = "sqlserver://anna@db1:1444", server: str = "DIST1") -> Attempt:
    """Return a try to connect to a URL's server."""
    settings = read_settings(parse_server(url))
    return Attempt(server, settings.address, "distribution", "ODBC Driver 18 for SQL Server", settings)


def told(
    number: int,
    text: str,
    state: str = "08001",
    url: str = "sqlserver://anna@db1:1444",
    found: Reached = Reached.ANSWERS,
) -> TargetError:
    """Return the product's error of what a driver reported while connecting."""
    error = connect_error(SqlError(number, text, state), attempt_of(url), Secret("hunter2"), lambda _host, _port: found)
    return to_target_error(error, "server_addresses", "public", "DIST1")


@pytest.mark.parametrize(
    ("number", "text", "state", "kind", "says"),
    [
        (18456, "Login failed for user 'anna'.", "28000", LoginFailed, "check user name, password and sign-in"),
        (0, "Login failed for user 'anna'.", "28000", LoginFailed, "check user name, password and sign-in"),
        (18470, "The account is disabled.", "42000", LoginFailed, 'login "anna" is disabled'),
        (18486, "Locked out.", "28000", LoginFailed, "ask its DBA to unlock"),
        (18487, "Expired.", "28000", LoginFailed, "has expired"),
        (18488, "Must change.", "28000", LoginFailed, "must be changed"),
        (18452, "Untrusted domain.", "28000", LoginFailed, "does not trust the domain"),
        (18451, "Only administrators.", "28000", LoginFailed, "only administrators"),
        (18461, "Single user.", "28000", LoginFailed, "single-user mode"),
        (4060, "Cannot open database.", "42000", DatabaseUnavailable, 'database "distribution" cannot be opened'),
        (942, "Database is offline.", "42000", DatabaseUnavailable, "it is offline, being restored, missing"),
        (0, "Cannot open database.", "42000", DatabaseUnavailable, 'database "distribution" cannot be opened'),
        (17142, "Paused.", "08004", TargetError, "refused the connection with error 17142"),
        (0, "certificate verify failed:self-signed certificate", "08001", NotTrusted, "trust=yes"),
        (
            0,
            "The certificate chain was issued by an authority that is not trusted.",
            "08001",
            NotTrusted,
            "trust",
        ),
        (0, "certificate verify failed:certificate has expired", "08001", NotTrusted, "has expired"),
        (0, "The target principal name is incorrect.", "08001", NotTrusted, "certificate_host=NAME"),
        (0, "certificate verify failed:hostname mismatch", "08001", NotTrusted, "another name"),
        (20, "Encryption not supported on SQL Server.", "08001", ServerNotReached, "offers no encryption"),
        (0, "SSL routines::unsupported protocol", "08001", ServerNotReached, "only an old TLS"),
        (0, "Can't open lib '/x.so' : file not found", "01000", Unsupported, "cannot be loaded"),
        (0, "Cannot generate SSPI context", "HY000", LoginFailed, "sign in to the domain"),
        (0, "Azure AD authentication failed", "08001", LoginFailed, "Entra sign-in"),
        (0, "Error Locating Server/Instance Specified", "08001", ServerNotReached, "SQL Server Browser"),
    ],
)
def test_each_cause_says_what_to_do(number: int, text: str, state: str, kind: type[TargetError], says: str) -> None:
    """The server's number decides first, then what stands in the driver's text."""
    error = told(number, text, state)
    assert type(error) is kind
    assert says in str(error)
    assert "db1" in str(error) or "driver" in str(error)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (Reached.UNKNOWN_HOST, 'there is no host "db1"'),
        (Reached.REFUSED, "nothing listens at db1, port 1444"),
        (Reached.SILENT, "db1, port 1444 does not answer"),
        (Reached.ANSWERS, "did not answer as SQL Server"),
    ],
)
def test_where_the_driver_says_nothing_the_network_is_looked_at(found: Reached, says: str) -> None:
    """A driver's "timeout expired" becomes what is really at that address."""
    error = told(0, "Login timeout expired", "HYT00", found=found)
    assert type(error) is ServerNotReached
    assert says in str(error)
    assert "DIST1 at db1:1444" in str(error)


def test_an_instance_that_is_not_found_says_so() -> None:
    """A named instance needs SQL Server Browser, unless the host is already unknown."""
    url = "sqlserver://anna@db1\\SALES"
    assert 'instance "SALES" was not found at db1' in str(told(0, "Login timeout expired", "HYT00", url))
    assert "there is no host" in str(told(0, "Login timeout expired", "HYT00", url, Reached.UNKNOWN_HOST))


def test_strict_encryption_an_older_server_refuses_is_named() -> None:
    """A server that hangs up on TDS 8 is not called silent."""
    error = told(0, "TCP Provider: Error code 0x2746", "08S01", "sqlserver://anna@db1?encrypt=strict")
    assert "refused encrypt=strict" in str(error)


def test_a_refused_windows_account_is_not_told_to_check_its_password() -> None:
    """There is no password to check."""
    error = told(18456, "Login failed for user 'X\\y'.", "28000", "sqlserver://@db1")
    assert "refused this computer's account" in str(error)


def test_a_password_a_driver_repeats_is_masked() -> None:
    """Neither sentence nor what is kept for the log shows it."""
    error = told(18456, "Login failed, PWD=hunter2; was wrong", "28000")
    assert "hunter2" not in str(error)
    assert "hunter2" not in error.server_error
    assert "PWD=***" in str(error)


@pytest.mark.parametrize(
    ("version", "is_refused"), [("10.50.6000", True), ("11.00.3000", False), ("", False), ("x", False)]
)
def test_a_server_before_2012_is_refused(version: str, is_refused: bool) -> None:
    """Its version, as it told it at login, is too old; one that tells none is not held against it."""
    error = refuse_old(version, attempt_of())
    assert (error is not None) is is_refused
    if error is not None:
        assert type(to_target_error(error, "x", "y", "z")) is Unsupported
        assert "needs SQL Server 2012" in error.sentence


def test_reaching_tells_listening_from_closed_ports_and_names_that_do_not_exist() -> None:
    """A look at an address sends nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert reach("127.0.0.1", port) is Reached.ANSWERS
    assert reach("127.0.0.1", port) is Reached.REFUSED
    assert reach("no-such-host.invalid", 1433) is Reached.UNKNOWN_HOST
    assert reach("a" * 300, 1433) is Reached.UNKNOWN_HOST
    assert ServerAddress("fe80::1", 1433).label == "[fe80::1]:1433"


MS = "[Microsoft][ODBC Driver 18 for SQL Server]"


@pytest.mark.parametrize(
    ("record", "kind", "says"),
    [
        (
            "SSL-Anbieter: Die Zertifikatkette wurde von einer nicht vertrauenswürdigen Zertifizierungsstelle "
            "ausgestellt. (-2146893019)",
            NotTrusted,
            "trust=yes",
        ),
        ("SSL-Anbieter: Der Zielprinzipalname ist falsch. (-2146893022)", NotTrusted, "certificate_host="),
        ("SSL Provider: The target principal name is incorrect. (-2146893022)", NotTrusted, "another name"),
        ("SSL-Anbieter: Das empfangene Zertifikat ist abgelaufen. (-2146893016)", NotTrusted, "expired"),
        (
            "SSL-Anbieter: Client und Server können nicht kommunizieren, da sie keinen gemeinsamen Algorithmus "
            "besitzen. (-2146893007)",
            ServerNotReached,
            "old TLS",
        ),
        (
            "SQL Server Network Interfaces: The target principal name is incorrect. (-2146893022)",
            LoginFailed,
            "spn=",
        ),
        ("SQL Server-Netzwerkschnittstellen: Der Zielprinzipalname ist falsch. (-2146893022)", LoginFailed, "spn="),
        ("Der SSPI-Kontext kann nicht generiert werden. (-2146893042)", LoginFailed, "sign in to the domain"),
        ("SSL-Anbieter: Die Verbindung wurde geschlossen. (10054)", ServerNotReached, "agree on encryption"),
        ("TCP-Anbieter: Der Zielcomputer verweigerte die Verbindung. (10061)", ServerNotReached, "nothing listens"),
        ("SSL-Anbieter: Die lokale Sicherheitsautorität ist nicht erreichbar. (-2146893052)", ServerNotReached, "TLS"),
        ("Die lokale Sicherheitsautorität ist nicht erreichbar. (-2146893052)", LoginFailed, "(LSA)"),
        ("SQL Server-Netzwerkschnittstellen: Die Uhren sind zu verschieden. (-2146893020)", LoginFailed, "clock"),
        ("SSL-Anbieter: Die Sperrfunktion war nicht erreichbar. (-2146885613)", NotTrusted, "revoked"),
        ("Die Verschlüsselung wird von SQL Server nicht unterstützt. (20)", ServerNotReached, "encrypt=no"),
        ("SQL Server-Netzwerkschnittstellen: Fehler beim Suchen [xFFFFFFFF]. (-1)", ServerNotReached, "Browser"),
        ("Die Datenquelle wurde nicht gefunden. (0)", Unsupported, "choose another one with driver="),
    ],
)  # fmt: skip
def test_a_cause_is_known_by_its_number_in_any_language(record: str, kind: type[TargetError], says: str) -> None:
    """Drivers speak Windows' language; their numbers and states, and names such as SSL, are the same everywhere."""
    state = "IM002" if record.startswith("Die Daten") else "08001"
    message = f"[{state}] {MS}{record} (SQLDriverConnect); [{state}] {MS}Client kann keine Verbindung herstellen (0)"
    told_by_driver = PyodbcLibrary().to_sql_error(pyodbc.Error(state, message), None)
    error = connect_error(told_by_driver, attempt_of(), None, lambda _host, _port: Reached.REFUSED)
    assert error.kind is kind
    assert says in error.sentence


@pytest.mark.parametrize(
    ("records", "kind", "says"),
    [
        (
            f"[08001] {MS}Client unable to establish connection (0); [08001] {MS}SSL-Anbieter: Die Zertifikatkette "
            "wurde von einer nicht vertrauenswürdigen Zertifizierungsstelle ausgestellt. (-2146893019)",
            NotTrusted,
            "is not trusted by this computer",
        ),
        (
            f"[HYT00] {MS}Anmeldungstimeout abgelaufen (0); [08001] {MS}TCP-Anbieter: Eine vorhandene Verbindung wurde "
            "vom Remotehost geschlossen. (10054)",
            ServerNotReached,
            "closed the connection in the handshake",
        ),
        (
            f"[08001] {MS}TCP Provider: Error code 0x2746 (10054); [08001] {MS}Client unable to connect (0)",
            ServerNotReached,
            "closed the connection in the handshake",
        ),
        (
            f"[08001] {MS}Client unable to establish connection (0); [28000] {MS}[SQL Server]Login failed. (18456)",
            LoginFailed,
            "check user name",
        ),
    ],
)
def test_every_record_of_an_error_is_looked_at(records: str, kind: type[TargetError], says: str) -> None:
    """A driver may put the sentence that says nothing first."""
    told_by_driver = PyodbcLibrary().to_sql_error(pyodbc.Error("08001", records), None)
    error = connect_error(told_by_driver, attempt_of(), Secret("hunter2"), lambda _host, _port: Reached.ANSWERS)
    assert error.kind is kind
    assert says in error.sentence


@pytest.mark.parametrize("url", ["sqlserver://anna@db1:1444", "sqlserver://anna@db1:1444?encrypt=no"])
def test_a_text_that_names_another_vendors_server_is_left_out(url: str) -> None:
    """FreeTDS calls each server as Sybase's was called; nobody looks for one at a SQL Server's port."""
    error = told(0, "Unable to connect: Adaptive Server is unavailable or does not exist", url=url)
    assert "Adaptive" not in str(error)
    assert not error.server_error
    assert "did not answer as SQL Server (15 s are allowed); check the port" in str(error)
