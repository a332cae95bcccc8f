"""Where the primary replica is now: changes and their undo work on it, also after a failover."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Details
from app.domain.errors import FailedOver, TargetError
from app.domain.setting import Value
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.texts import _

# A role change waits for redo at the new primary; a cluster decides within its health check time limit (30 s) first.
_ROLE_CHANGE_LIMIT_S: Final = 120.0


@dataclass(frozen=True)
class GroupPlace:
    """A group and where its replicas are, as a change keeps it for another process.

    Attributes:
        group: its name, "" for a standalone database.
        home: the server that was primary when the change was planned.
        servers: of all replicas, the home first.
    """

    group: str
    home: str
    servers: tuple[str, ...]

    def details(self) -> tuple[tuple[str, Value], ...]:
        """Return the details a change keeps of it."""
        return (("group", self.group), ("home", self.home), ("servers", json.dumps(self.servers, ensure_ascii=False)))

    @staticmethod
    def of(change: Change) -> "GroupPlace":
        """Return the place a change is about."""
        return GroupPlace.among(dict(change.details))

    @staticmethod
    def among(details: Details) -> "GroupPlace":
        """Return the place that the details of a change name."""
        servers = tuple(str(name) for name in json.loads(str(details["servers"])))
        return GroupPlace(str(details["group"]), str(details["home"]), servers)


def group_place(group: str, home: str, servers: Iterable[str]) -> GroupPlace:
    """Return a place with its home first among the servers."""
    return GroupPlace(group, home, (home, *(server for server in servers if server != home)))


def master(server: str) -> Place:
    """Return the master database of a replica, where every statement on groups runs; a listener is none."""
    return Place(server, "master", is_instance=True)


def ask_primary(session: Session, group: str, server: str) -> str:
    """Return the primary replica of a group as one server knows it, "" where it cannot tell."""
    rows = session.run("group_primary", master(server), group_name=group)
    return rows[0].text("primary_replica") if rows else ""


class Primaries:
    """Finds the primary replica, also while the role moves from one server to another."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def find(self, place: GroupPlace) -> str:
        """Return the server that is primary now: the home where the database is a standalone one.

        Raises:
            TargetError: no replica that can be reached knows within the limit.
        """
        if not place.group:
            return place.home
        until_s = self._clock.monotonic_s() + _ROLE_CHANGE_LIMIT_S
        while True:
            primary, problem = self._ask_all(place)
            if primary:
                return primary
            if self._clock.monotonic_s() >= until_s:
                raise problem or _unknown(place.group)
            self._clock.sleep(1.0)

    def find_home(self, place: GroupPlace) -> str:
        """Return the home of a place; raises FailedOver where another server is primary now."""
        primary = self.find(place)
        if primary != place.home:
            raise failed_over(place.group, place.home, primary)
        return primary

    def _ask_all(self, place: GroupPlace) -> tuple[str, TargetError | None]:
        problem: TargetError | None = None
        for server in place.servers:
            try:
                primary = ask_primary(self._session, place.group, server)
            except TargetError as error:
                problem = error
                continue
            if primary:
                return primary, None
        return "", problem


def _unknown(group: str) -> TargetError:
    return TargetError(
        _("no replica of group {group} knows which one is primary; bring the group online, then restore again").format(
            group=group
        )
    )


def failed_over(group: str, server: str, primary: str) -> FailedOver:
    """Return the error for a failover that was noticed."""
    return FailedOver(
        _("group {group} failed over from {server} to {primary}; the run ends and everything is undone").format(
            group=group, server=server, primary=primary or _("an unknown replica")
        )
    )
