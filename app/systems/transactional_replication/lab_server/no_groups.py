"""What a server that takes part in no availability group says of them."""

from typing import Final

from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.session import Place
from app.systems.transactional_replication.lab_server.site import DISTRIBUTOR
from app.systems.transactional_replication.lab_server.state import LabState

WITHOUT_ROWS: Final = frozenset({"group_listeners", "group_replicas", "group_databases", "trace_flags"})

_VOLUME: Final = "D:"


class NoGroupAnswers:
    """The statements that discover groups, answered at a server without one; the others need a group to run at."""

    def __init__(self, state: LabState) -> None:
        self._state = state
        self._site = state.site

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        return {
            **{name: lambda _place, _values: [] for name in WITHOUT_ROWS},
            "server_databases": self._databases,
            "server_volumes": self._volumes,
        }

    def _databases(self, place: Place, _values: Parameters) -> Result:
        """A distribution database is none of the user databases."""
        pairs = self._site.pairs
        published = [pair.publisher_db for pair in pairs if self._is_at(place, pair.publisher_db)]
        copies = [pair.subscriber_db for pair in pairs if self._is_at(place, pair.subscriber_db)]
        log_kb = round(self._site.scenario.publisher.log_size_mb * 1e6 / 1024)
        return [(name, None, "ONLINE", "FULL", 0, log_kb, 0, 0) for name in sorted((*published, *copies))]

    def _is_at(self, place: Place, database: str) -> bool:
        server = self._site.server(place.server)
        return server is not None and server.database_role(database) is not None

    def _volumes(self, place: Place, _values: Parameters) -> Result:
        """The simulation knows the Distributor's disk only."""
        if place.server != DISTRIBUTOR:
            return []
        constants = self._site.scenario.distribution_db
        return [(_VOLUME, round(self._state.lab.free_disk_gb * 1e9), round(constants.data_disk_gb * 1e9))]
