"""The turnstile as the rest of the program knows it: the System port."""

from typing import Final

from app.domain.fact_kind import number
from app.domain.kept import Kept
from app.domain.rig import RigKind
from app.drivers.sqlserver.parameters import TunedServer
from app.drivers.sqlserver.tuned_server import TunedServerSystem
from app.systems.turnstile.settings import TURNSTILE


class TurnstileSystem(TunedServerSystem):
    """The turnstile at the door of a SQL Server."""

    system_id = "turnstile"
    position = 9
    declared = TURNSTILE
    subject = "door"
    capabilities = TURNSTILE.capabilities
    load_statements = frozenset({"pass_turnstile"})
    facts = (number("queue_length_now", "count", "the room in the queue in effect"),)
    keeps = Kept("turnstile", TunedServer)
    nothing_here = "{target} has no turnstile; connect to a server that has one"

    def rig_kind(self, subject: str) -> RigKind:
        """Return what a run needs."""
        rig: RigKind = self.part("trial", "RIG")  # loads analysis
        return rig


SYSTEM: Final = TurnstileSystem()
