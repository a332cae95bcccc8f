"""The interface of an engine's folder under `drivers/`; the composition root finds it."""

from typing import Protocol

from app.domain.connection import ConnectionWay, ServerUrl
from app.domain.installed import Part
from app.domain.ports import StatementSink
from app.domain.target import Connection
from app.foundation.secret import Secret


class ServerEngine(Protocol):
    """Opens connections to the servers of one engine.

    Attributes:
        CONNECTION_WAYS: ways to reach one, for a form.
    """

    CONNECTION_WAYS: tuple[ConnectionWay, ...]

    def installed_drivers(self) -> tuple[Part, ...]:
        """Return the drivers of this engine, those that are missing among them."""
        ...

    def needs_password(self, url: ServerUrl) -> bool:
        """Tell whether the sign-in needs a password; raises BadInput where the URL cannot be used."""
        ...

    def connect_lab(
        self, host: str, port: int, on_statement: StatementSink, options: tuple[tuple[str, str], ...] = ()
    ) -> Connection:
        """Open a lab another process of this machine serves; raises BadInput or TargetError."""
        ...

    def open_server(
        self, url: ServerUrl, password: Secret | None, on_statement: StatementSink, *others: ServerUrl | Secret | None
    ) -> Connection:
        """Open a connection; raises BadInput or TargetError.

        Args:
            others: address and password of each further server that makes up the target, such as the destination of
                an Oracle pipeline (`destination_of`).
        """
        ...
