"""Codes of Oracle and its drivers become the product's errors, each with what to do."""

import pickle

import pytest

from app.domain.errors import (
    ConnectionLost,
    Deadlock,
    LoginFailed,
    PermissionDenied,
    ProcessDidNotRespond,
    StatementCancelled,
    StatementTimeout,
    TargetError,
    Unsupported,
)
from app.drivers.oracle.error_table import ENTRIES, ConnectFailed, DriverMissing
from app.drivers.oracle.errors import CONNECTING, OracleError, first_line, is_lost, to_target_error


def told(text: str, statement: str = "captures") -> TargetError:
    """Return the product's error for a server's text."""
    return to_target_error(OracleError.of_text(text), statement, "SELECT_CATALOG_ROLE", "db1:1521/SALES")


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("ORA-01017: invalid username/password; logon denied", LoginFailed, "user name and password"),
        ("ORA-28000: the account is locked", LoginFailed, "ACCOUNT UNLOCK"),
        ("ORA-28001: the password has expired", LoginFailed, "expired"),
        ("ORA-28009: connection as SYS should be as SYSDBA", LoginFailed, "SYSDBA only"),
        ("DPY-3015: password verifier type 0x939 is not supported", LoginFailed, "driver=thick"),
        ("ORA-12514: TNS:listener does not currently know of service", ConnectFailed, "lsnrctl services"),
        ("ORA-12505: TNS:listener does not currently know of SID", ConnectFailed, "service name instead"),
        ("ORA-12541: TNS:no listener", ConnectFailed, "nothing listens"),
        ("ORA-12170: TNS:Connect timeout occurred", ConnectFailed, "firewalls"),
        ("ORA-12154: TNS:could not resolve the connect identifier", ConnectFailed, "tnsnames.ora"),
        ("ORA-28759: failure to open file", ConnectFailed, "wallet"),
        (
            "ORA-01034: ORACLE not available\nORA-27101: shared memory realm does not exist",
            ConnectFailed,
            "until it is",
        ),
        ("DPY-3010: connections to this database server version are not supported", Unsupported, "driver=thick"),
        ("DPY-3001: Native Network Encryption and Data Integrity is only", Unsupported, "network encryption"),
        ("DPI-1047: Cannot locate a 64-bit Oracle Client library", DriverMissing, "Instant Client"),
        ("DPI-1050: Oracle Client library is at version 11.2", Unsupported, "12.1 reaches 10.2"),
        ("ORA-01031: insufficient privileges", PermissionDenied, "SELECT_CATALOG_ROLE"),
        ("ORA-06550: line 2\nPLS-00201: identifier 'DBMS_APPLY_ADM' must be declared", PermissionDenied, "grant it"),
        ("ORA-06550: line 2\nPLS-00103: Encountered the symbol", Unsupported, "cannot run"),
        ("ORA-00942: table or view does not exist", Unsupported, "may not see it"),
        ("ORA-00060: deadlock detected", Deadlock, "run it again"),
        ("DPY-4024: call timeout of 60000 ms exceeded", StatementTimeout, "longer than its limit"),
        ("DPI-1067: call timeout of 5000 ms exceeded with ORA-3156", StatementTimeout, "longer than its limit"),
        ("ORA-01013: user requested cancel", StatementCancelled, "was cancelled"),
        ("DPY-4011: the database or network closed the connection", ConnectionLost, "broke during"),
        ("ORA-03113: end-of-file on communication channel", ConnectionLost, "broke during"),
        ("DPI-1080: connection was closed by ORA-3113", ConnectionLost, "broke during"),
        ("ORA-26672: timeout occurred while stopping STREAMS process", ProcessDidNotRespond, "could not stop"),
        ("ORA-23605: invalid value for STREAMS parameter", TargetError, "does not take this"),
        ("ORA-20002: more of the Streams pool is in use than that", TargetError, "more of the Streams pool"),
        ("ORA-30036: unable to extend segment in undo tablespace", TargetError, "out of space"),
        ("ORA-99999: something new", TargetError, "something new"),
    ],
)
def test_codes_have_sentences(text: str, kind: type[TargetError], words: str) -> None:
    """Each code is the product's kind of error, says what to do, and keeps the server's text."""
    error = told(text)
    assert type(error) is kind
    assert words in str(error)
    assert text in error.server_error


def test_reason_inside_a_wrapper_counts() -> None:
    """Of several codes the one that tells why decides."""
    error = told("DPY-6005: cannot connect to database (CONNECTION_ID=x).\nDPY-3010: connections to this database")
    assert type(error) is Unsupported
    text = "DPY-6005: cannot connect to database (CONNECTION_ID=x).\n[Errno 111] Connection refused"
    assert "nothing listens" in str(told(text, CONNECTING))
    deadlock = told("ORA-06512: at SYS.DBMS_APPLY_ADM\nORA-00060: deadlock detected")
    assert type(deadlock) is Deadlock


def test_loss_while_connecting_is_no_lost_connection() -> None:
    """What breaks before there is a connection has sent nothing."""
    assert type(told("DPY-4011: the database or network closed the connection", CONNECTING)) is ConnectFailed


def test_text_without_a_code_is_a_lost_connection() -> None:
    """What no code explains may have left the connection unusable."""
    error = OracleError.of_text("something odd")
    assert error.code == ""
    assert is_lost(error)
    assert not is_lost(OracleError.of_text("ORA-00942: table or view does not exist"))


def test_every_sentence_can_be_filled() -> None:
    """No sentence asks for more than a statement, its permission, the server and its text."""
    for code in ENTRIES:
        error = to_target_error(OracleError(code, f"{code}: text"), "captures", "CREATE SESSION", "db1")
        assert str(error)
        assert "{" not in str(error)


def test_errors_cross_processes() -> None:
    """An error keeps code and text when it is pickled."""
    error = pickle.loads(pickle.dumps(OracleError.of_text("TNS-12541: no listener")))
    assert (error.code, error.text) == ("TNS-12541", "TNS-12541: no listener")


def test_first_line_skips_wrappers_and_help() -> None:
    """The line shown is the one that tells most."""
    assert first_line("DPY-6005: cannot connect.\nDPY-3010: too old\nHelp: https://x") == "DPY-3010: too old"
    assert first_line("") == ""
