"""Real drivers of Oracle against a listener on loopback: what goes wrong while connecting, in a person's words."""

import importlib.util
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import TargetError, Unsupported
from app.drivers.oracle.clients.opening import DatabaseAccess, open_transport
from app.drivers.oracle.error_table import ConnectFailed, DriverMissing
from app.drivers.oracle.settings import DriverChoice, HostPort, OracleSettings
from app.foundation.secret import Secret
from tests.contract.oracle.tns_stub import (
    Answer,
    TnsStub,
    accept_as_old,
    babble,
    hang_up,
    keep_silent,
    refuse,
    resend_for_ever,
)

pytest.importorskip("oracledb", reason="python-oracledb is not installed")
# python-oracledb leaves the socket of a failed attempt to the garbage collector
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"),
]

BASE = OracleSettings(user="SCOTT", service="sales", login_limit_s=2)


def problem_at(settings: OracleSettings) -> TargetError:
    """Return what connecting fails with; its text and the driver's hold no password."""
    with pytest.raises(TargetError) as caught:
        open_transport(DatabaseAccess(settings, Secret("tiger-pw"), Secret("wallet-pw")), None)
    assert "-pw" not in f"{caught.value} {caught.value.server_error}"
    return caught.value


def problem_with(answer: Answer, settings: OracleSettings = BASE) -> TargetError:
    """Return what connecting to a listener that answers like that fails with."""
    with TnsStub(answer) as stub:
        return problem_at(replace(settings, addresses=(HostPort("127.0.0.1", stub.port),)))


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (refuse(12514), ConnectFailed, "knows no such service"),
        (refuse(12516), ConnectFailed, "no free handler"),
        (refuse(12528), ConnectFailed, "no free handler"),
        (refuse(12999), ConnectFailed, "ORA-12999"),
        (accept_as_old(312), Unsupported, "older than 12.1"),
        (accept_as_old(314), Unsupported, "driver=thick"),
        (babble, ConnectFailed, "check that an Oracle listener answers"),
        (hang_up, ConnectFailed, "broke off while connecting"),
        (resend_for_ever, ConnectFailed, "broke off while connecting"),
        (keep_silent, ConnectFailed, "did not answer in time"),
    ],
    ids=["service", "handler", "starting", "other", "10.2", "11.2", "babble", "hang-up", "resend", "silent"],
)
def test_listener_that_does_not_let_in(answer: Answer, kind: type[TargetError], words: str) -> None:
    """Each refusal, an old server, another kind of server and silence have a sentence of their own."""
    found = problem_with(answer)
    assert type(found) is kind
    assert words in str(found)


def test_unknown_sid() -> None:
    """A SID the listener does not know is told as one."""
    found = problem_with(refuse(12505), replace(BASE, service="", sid="ORCL"))
    assert "knows no such SID" in str(found)


def test_connect_data_names_service_or_sid_and_program() -> None:
    """What reaches the listener asks for the service or the SID of the URL."""
    for settings, wanted in ((BASE, b"(SERVICE_NAME=sales)"), (replace(BASE, service="", sid="ORCL"), b"(SID=ORCL)")):
        with TnsStub(refuse(12514)) as stub:
            problem_at(replace(settings, addresses=(HostPort("127.0.0.1", stub.port),)))
        assert wanted in stub.requests[0]


def test_second_address_of_a_cluster_is_tried() -> None:
    """Where the first listener is down, the next one is asked."""
    with TnsStub(refuse(12514)) as stub:
        found = problem_at(
            replace(BASE, addresses=(HostPort("127.0.0.1", closed_port()), HostPort("127.0.0.1", stub.port)))
        )
    assert len(stub.requests) == 1
    assert "knows no such service" in str(found)


def closed_port() -> int:
    """Return a port nothing listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def test_nothing_listens() -> None:
    """A closed port and an unknown host are told apart."""
    refused = problem_at(replace(BASE, addresses=(HostPort("127.0.0.1", closed_port()),)))
    assert "nothing listens" in str(refused)
    unknown = problem_at(replace(BASE, addresses=(HostPort("no-such-host.invalid", 1521),)))
    assert "unknown here" in str(unknown)


def test_alias_from_tnsnames(tmp_path: Path) -> None:
    """An alias is looked up in the folder given; an unknown one, or a folder without the file, says so."""
    alias = replace(BASE, service="", alias="SALES", tns_admin=str(tmp_path))
    assert "is in no tnsnames.ora" in str(problem_at(alias))
    with TnsStub(refuse(12514)) as stub:
        address = f"(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT={stub.port}))"
        (tmp_path / "tnsnames.ora").write_text(
            f"SALES=(DESCRIPTION={address}(CONNECT_DATA=(SERVICE_NAME=sales.example)))\n", encoding="utf-8"
        )
        assert "knows no such service" in str(problem_at(alias))
        assert b"(SERVICE_NAME=sales.example)" in stub.requests[0]
    assert "is in no tnsnames.ora" in str(problem_at(replace(alias, alias="OTHER")))


def test_wallet_that_is_not_there(tmp_path: Path) -> None:
    """A missing wallet is told before anything is asked of the server."""
    found = problem_with(babble, replace(BASE, is_encrypted=True, wallet=str(tmp_path)))
    assert "wallet" in str(found)
    assert "ewallet.pem" in str(found)


def test_port_without_encryption() -> None:
    """TCPS against a port that does not speak it is told as such."""

    def answer_plainly(connection: socket.socket, _over: object) -> None:
        connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")

    found = problem_with(answer_plainly, replace(BASE, is_encrypted=True))
    assert "the encrypted connection to" in str(found)


def test_thick_without_a_client_library(tmp_path: Path) -> None:
    """python-oracledb with no client library says what to install, from the process it has of its own."""
    found = problem_with(babble, replace(BASE, driver=DriverChoice.THICK, client=str(tmp_path)))
    assert type(found) is DriverMissing
    assert "Instant Client" in str(found)
    assert "DPI-1047" in found.server_error


def test_cx_oracle_without_a_client_library_or_itself(tmp_path: Path) -> None:
    """cx_Oracle says which of the two is missing."""
    found = problem_with(babble, replace(BASE, driver=DriverChoice.CX_ORACLE, client=str(tmp_path)))
    assert type(found) is DriverMissing
    if importlib.util.find_spec("cx_Oracle") is None:
        assert "cx_Oracle is not installed" in str(found)
    else:
        assert "DPI-1047" in found.server_error


def test_both_ends_have_drivers_of_their_own(tmp_path: Path) -> None:
    """A thin end that was tried first does not keep the other one from a client library."""
    with TnsStub(accept_as_old(314)) as stub:
        old = replace(BASE, addresses=(HostPort("127.0.0.1", stub.port),))
        assert "driver=thick" in str(problem_at(old))
        found = problem_at(replace(old, driver=DriverChoice.THICK, client=str(tmp_path)))
    assert type(found) is DriverMissing
