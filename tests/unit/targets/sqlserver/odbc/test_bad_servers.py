"""Real drivers against what is no SQL Server: one sentence each, in time, and never the password."""

import pytest

from app.domain.errors import ConnectionLost, TargetError
from app.domain.statement import StatementRecord
from app.drivers.sqlserver import open_server
from app.drivers.sqlserver.errors import ServerNotReached
from app.foundation.secret import Secret
from app.services.target.target_spec import parse_server
from tests.unit.targets.sqlserver.odbc.real_drivers import (
    DRIVERS,
    Behaviour,
    bad_server,
    closed_port,
    hang_up,
    reset,
    send_garbage,
    stay_silent,
    usable_driver,
)

PASSWORD = "p;w}{x 'ü'"


@pytest.fixture(params=sorted(DRIVERS))
def driver(request: pytest.FixtureRequest) -> str:
    """Each driver this computer has, as `driver=` takes it."""
    return usable_driver(str(request.param))


def refused(driver: str, port: int, records: list[StatementRecord]) -> TargetError:
    """Return the error of opening a port with a driver."""
    url = parse_server(f"sqlserver://anna@127.0.0.1:{port}?trust=yes&login_timeout=1&driver={driver}")
    with pytest.raises(TargetError) as caught:
        open_server(url, Secret(PASSWORD), records.append)
    return caught.value


@pytest.mark.parametrize("behave", [stay_silent, send_garbage, hang_up, reset])
def test_what_is_no_server_is_told_with_host_and_port(driver: str, behave: Behaviour) -> None:
    """Silence, another protocol, a close and a reset end within the time limit, in a sentence that names the port."""
    records: list[StatementRecord] = []
    with bad_server(behave) as port:
        error = refused(driver, port, records)
    assert type(error) is ServerNotReached
    assert isinstance(error, ConnectionLost)
    assert f"127.0.0.1, port {port}" in str(error)
    assert "did not answer as SQL Server" in str(error)
    assert [record.error for record in records] == [str(error)]
    assert PASSWORD not in f"{error} {error.server_error} {records}"


def test_a_closed_port_says_that_nothing_listens(driver: str) -> None:
    """Whatever the driver calls it, a closed port is called one."""
    port = closed_port()
    error = refused(driver, port, [])
    assert f"nothing listens at 127.0.0.1, port {port}" in str(error)


def test_an_unknown_host_is_called_one(driver: str) -> None:
    """A name no resolver knows is not told as a timeout."""
    url = parse_server(f"sqlserver://anna@no-such-host.invalid?trust=yes&login_timeout=1&driver={driver}")
    with pytest.raises(ServerNotReached, match="there is no host"):
        open_server(url, Secret(PASSWORD), lambda _record: None)
