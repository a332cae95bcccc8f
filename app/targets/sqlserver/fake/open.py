"""Opening a lab as a target, in this process or in another one."""

import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput, ConnectionLost
from app.domain.ports import StatementSink
from app.foundation.paths import resource_path
from app.foundation.texts import _
from app.lab.scenario import scenario_path
from app.targets.sqlserver.errors import SqlError
from app.targets.sqlserver.fake.client import LabConnection, SocketClock, SocketTransport
from app.targets.sqlserver.fake.faults import Fault, load_site
from app.targets.sqlserver.fake.server import LabClock, LabSqlServer, LabTransport
from app.targets.sqlserver.target import SqlServerTarget

DEFAULT_SCENARIO: Final = "lan"


def lab_file(scenario: Path | None) -> Path:
    """Return the scenario file to use, the default one where none is named."""
    return scenario_path(DEFAULT_SCENARIO) if scenario is None else scenario


def open_lab(
    scenario: Path | None,
    seed: int,
    on_statement: StatementSink,
    noise: bool | None = None,
    faults: Sequence[Fault] = (),
) -> SqlServerTarget:
    """Build a lab in this process, all agents running; its clock is virtual.

    Args:
        scenario: scenario file, None for the default one.
        seed: of the lab's noise: the same seed and statements give the same readings.
        on_statement: receives a record of every statement.
        noise: switches the scenario's noise on or off; None leaves it as the scenario says.
        faults: what goes wrong, besides the faults the file lists.

    Raises:
        BadInput: the scenario cannot be used.
    """
    path = lab_file(scenario)
    constants, listed = load_site(path)
    server = LabSqlServer(constants, seed, noise, (*listed, *faults))
    key = "lab" if scenario is None else f"lab:{_short_name(path)}"
    return SqlServerTarget(LabTransport(server), LabClock(server), on_statement, key, constants.title)


def connect_lab(host: str, port: int, on_statement: StatementSink) -> SqlServerTarget:
    """Connect to a lab that `serve_lab` serves on this machine.

    Raises:
        BadInput: the host is not this machine's loopback address.
        ConnectionLost: no lab answers there.
    """
    _need_loopback(host)
    try:
        connection = LabConnection(host, port)
    except SqlError as error:
        raise ConnectionLost(
            _('no lab answers at {host}:{port}; start one with "replitune lab serve --port {port}"').format(
                host=host, port=port
            ),
            str(error),
        ) from error
    key = f"lab@{host}:{port}"
    return SqlServerTarget(SocketTransport(connection), SocketClock(connection), on_statement, key, key)


def _need_loopback(host: str) -> None:
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise BadInput(_("a lab is reached on this machine only; use 127.0.0.1 instead of {host}").format(host=host))


def _short_name(path: Path) -> str:
    return path.stem if path.resolve().parent == resource_path("lab").resolve() else str(path)
