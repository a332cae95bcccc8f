"""Oracle Streams through named statements: two databases, any driver, or the lab.

A driver has one place to go: a `Transport` (see `session.py`); `drivers/` holds them. A target is a pipeline: its URL
names the source database, option `destination` the other one, which the caller resolves (`destination_of`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.targets.oracle.installed import installed_drivers
from app.targets.oracle.url import ENGINE_ID, destination_of, needs_password, with_destination
from app.targets.oracle.ways import CONNECTION_WAYS

if TYPE_CHECKING:
    from app.domain.connection import ServerUrl
    from app.domain.ports import StatementSink
    from app.foundation.secret import Secret
    from app.targets.oracle.fake import Fault
    from app.targets.oracle.target import OracleTarget

__all__ = [
    "CONNECTION_WAYS",
    "ENGINE_ID",
    "destination_of",
    "installed_drivers",
    "needs_password",
    "open_lab",
    "open_server",
    "with_destination",
]


# What follows is imported when used: the process around a driver imports this package, and needs neither.
def open_server(
    url: "ServerUrl",
    password: "Secret | None",
    on_statement: "StatementSink",
    destination: "ServerUrl | None" = None,
    destination_password: "Secret | None" = None,
) -> "OracleTarget":
    """Open the pipeline whose source database a URL names; see `opening.open_server`."""
    from app.targets.oracle.opening import open_server as opened

    return opened(url, password, on_statement, destination, destination_password)


def open_lab(
    scenario: Path | None,
    seed: int,
    on_statement: "StatementSink",
    noise: bool | None = None,
    faults: "Sequence[Fault]" = (),
) -> "OracleTarget":
    """Open a lab of kind "streams" in this process; see `fake.open_lab`."""
    from app.targets.oracle.fake import open_lab as opened

    return opened(scenario, seed, on_statement, noise, faults)
