"""Sampling one database: one round trip at the primary and one at each secondary."""

from app.domain.errors import TargetError
from app.drivers.sqlserver.past_work import running_work
from app.drivers.sqlserver.session import Rows, Session
from app.foundation.rows import Row
from app.model.reading import read_as
from app.systems.availability_groups.readings import GroupSample, ReplicaReading, ServerReading
from app.systems.availability_groups.server.replicas import master


class GroupSampler:
    """Takes samples; a secondary that cannot be asked is left out until the next discovery."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._silent: set[str] = set()

    def forget_silent(self) -> None:
        """Ask every secondary again."""
        self._silent.clear()

    def primary_rows(self, group: str, database: str, server: str) -> Rows:
        """Return the rows of the primary, one for each secondary of the database, at least one."""
        return self._session.run("group_sample_primary", master(server), group_name=group, database_name=database)

    def sample(self, group: str, database: str) -> GroupSample:
        """Read primary and secondaries."""
        rows = self.primary_rows(group, database, self._session.own_server)
        own = rows[0].text("own_server")
        secondaries = {row.text("replica_server"): row for row in rows if not row.is_null("replica_server")}
        asked = {server: self._ask(group, database, server) for server in secondaries}
        servers = {own: rows[0], **{server: row for server, row in asked.items() if row is not None}}
        return read_as(
            GroupSample,
            rows[0],
            **({} if group else {"primary": own}),
            # a secondary knows its redo best; the primary's figures of it are what it last heard
            readings=tuple(read_as(ReplicaReading, asked[server] or row, row) for server, row in secondaries.items()),
            servers=tuple(read_as(ServerReading, row, server=server) for server, row in servers.items()),
            work=running_work([(own, rows[0])]),
        )

    def _ask(self, group: str, database: str, server: str) -> Row | None:
        if server in self._silent or server == self._session.own_server:
            return None
        try:
            return self._session.run(
                "group_sample_secondary", master(server), group_name=group, database_name=database
            )[0]
        except TargetError:
            # A replica that went down would hold up every further tick by its connection's time limit.
            self._silent.add(server)
            return None
