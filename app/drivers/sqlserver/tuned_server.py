"""A system that is declared parameters of one server: its ports to the program follow from them."""

from collections.abc import Mapping, Sequence

from app.domain.naming import DeclaredTexts
from app.domain.rights import LoginRights, Mode
from app.domain.server import EffectiveParameter
from app.domain.system import System, Unread
from app.domain.target import Connection, Offer, Target
from app.drivers.sqlserver.catalogue import ANY_SERVER
from app.drivers.sqlserver.parameters import HOME, DeclaredParameters, TunedServer
from app.drivers.sqlserver.rights import RightsReader, needed, uses_of
from app.foundation.texts import _


class TunedServerSystem(System):
    """The System port over declared parameters.

    Attributes:
        subject: what its experiments are about.
    """

    engine = "sqlserver"
    declared: DeclaredParameters
    subject: str

    def offer(self, connection: Connection) -> Offer:
        """Return the ports of a server that may have it; sends nothing."""
        return self.declared.offer(connection)

    def discover(self, target: Target, unread: Unread) -> TunedServer | None:
        """Read the parameters in effect, None where there are none."""
        found: TunedServer | None = target.ports(self.system_id).discover()
        return found

    def in_effect(self, found: TunedServer) -> Mapping[str, Sequence[EffectiveParameter]]:
        """Return its parameters."""
        title = self.declared.title.format(server=found.server.name)
        return {f"{title[0].upper()}{title[1:]}": found.parameters}

    def read_rights(self, target: Target, discovered: TunedServer | None) -> LoginRights:
        """Read whether this login has the rights of the statements that set parameters."""
        reader, declared = RightsReader(target.open_connection.session), self.declared
        for server in () if discovered is None else discovered.servers:
            held = reader.ask_server(server.name)
            for need in needed(filter(None, (declared.set, declared.restart)), (ANY_SERVER, HOME)):
                uses = uses_of([self.subject], [Mode.HANDS_ON])
                reader.add(server.name, "", need.right, held, _("its parameters are changed"), uses)
        return reader.found

    @property
    def texts(self) -> DeclaredTexts:  # type: ignore[override]  # read only
        """Whose words the details of its changes are."""
        return self.declared.texts
