"""Where each server is reached: as the person says, else as the server opened first says, else by its name."""

from dataclasses import replace

from app.domain.errors import BadInput
from app.drivers.sqlserver.odbc.settings import ConnectionSettings, ServerAddress, parse_address
from app.drivers.sqlserver.session import Rows
from app.foundation.texts import _


class AddressBook:
    """Addresses by server name, read once after connecting; names are compared as servers do, without case.

    Attributes:
        own_name: name of the server the target was opened with; its address until it has told its name.
        has_told: whether it has.
    """

    def __init__(self, settings: ConnectionSettings) -> None:
        self.own_name = settings.address.label
        self.has_told = False
        self._main = settings.address
        self._given = {name.casefold(): address for name, address in settings.servers}
        self._spns = {name.casefold(): spn for name, spn in settings.spns}
        self._told: dict[str, ServerAddress] = {}

    def learn(self, rows: Rows) -> None:
        """Take over the rows of statement `server_addresses`."""
        for row in rows:
            name = row.text("server_name")
            if row.whole("is_own") == 1:
                self.own_name, self.has_told = name, True
            else:
                address = parse_address(row.text("data_source"))
                if address is not None:
                    self._told[name.casefold()] = address

    def address_of(self, server: str) -> ServerAddress:
        """Return where a server is reached.

        Raises:
            BadInput: nobody says where, and its name is no network name.
        """
        if self.is_own(server):
            return self._main
        return self.own_address_of(server)

    def is_own(self, server: str) -> bool:
        """Tell whether it is the server the target was opened with."""
        return server.casefold() in (self.own_name.casefold(), self._main.label.casefold())

    def own_address_of(self, server: str) -> ServerAddress:
        """Return where a server is reached by its own name, whatever address the target names; raises BadInput."""
        key = server.casefold()
        address = self._given.get(key) or self._told.get(key) or parse_address(server)
        if address is None:
            raise BadInput(
                _('the address of server "{server}" is not known; add server.{server}=host,port to the target').format(
                    server=server
                )
            )
        return replace(address, spn=self._spns.get(key, ""))
