"""Messages between the program and a driver's own process; small, pickled, over a pipe of the two alone."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import Deadlines
from app.drivers.oracle.clients.library import DriverLibrary
from app.drivers.oracle.settings import OracleSettings
from app.foundation.rows import Cell

LoadLibrary = Callable[[OracleSettings], DriverLibrary]


@dataclass(frozen=True)
class Open:
    """First of all: load the driver and connect. Passwords go through the pipe in memory only and are never shown."""

    settings: OracleSettings
    load: LoadLibrary
    deadlines: Deadlines
    password: str | None = field(repr=False)
    wallet_password: str | None = field(repr=False)


@dataclass(frozen=True)
class Send:
    """Run a statement of the catalogue, which both sides have."""

    number: int
    name: str
    binds: tuple[tuple[str, BindValue], ...]


@dataclass(frozen=True)
class Cancel:
    """Cancel whatever runs."""


@dataclass(frozen=True)
class Close:
    """Close every connection and end."""


@dataclass(frozen=True)
class Opened:
    """The driver is loaded and a connection stands."""

    label: str


@dataclass(frozen=True)
class Done:
    """A statement ran."""

    number: int
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Failed:
    """A statement, or opening (number 0), failed with the driver's or the server's code and text."""

    number: int
    code: str
    text: str


Request = Open | Send | Cancel | Close
Reply = Opened | Done | Failed
