"""Reading a target in the background, in words: going on, reached, failed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.errors import ReplituneError, TargetError
from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.services.look.reading import TargetReading


class AttemptState(StrEnum):
    """How the test of a target stands."""

    NONE = "none"
    GOING_ON = "going on"
    REACHED = "reached"
    FAILED = "failed"


@dataclass(frozen=True)
class Attempt:
    """The test of a target, in words.

    Attributes:
        detail: the server's own words, "" where it said nothing.
    """

    state: AttemptState = AttemptState.NONE
    text: str = ""
    detail: str = ""


NO_ATTEMPT: Final = Attempt()


def attempt_begun(title: str) -> Attempt:
    """Return what is shown while a target is being read."""
    return Attempt(AttemptState.GOING_ON, _("Reading {title} …").format(title=title))


def attempt_reached(reading: TargetReading) -> Attempt:
    """Return what is shown once a target was read."""
    found = [text for text in (_groups_reached(reading), _streams_reached(reading)) if text]
    topology = reading.discovery.topology
    if found and not topology.servers:
        return Attempt(AttemptState.REACHED, " ".join(found))
    distributor = next((server for server in topology.servers if server.role == "Distributor"), None)
    if distributor is None:
        return Attempt(AttemptState.REACHED, _("Reached, but no Distributor is set up there."))
    return Attempt(
        AttemptState.REACHED,
        _("Reached: Distributor {name}, SQL Server {version}, {edition}; {publications}, {agents}.").format(
            name=distributor.name,
            version=distributor.version,
            edition=distributor.edition,
            publications=counted(len(topology.publications), _("1 publication"), _("{count} publications")),
            agents=counted(len(topology.agents), _("1 agent"), _("{count} agents")),
        ),
    )


def _groups_reached(reading: TargetReading) -> str:
    groups = reading.discovery.groups
    server = None if groups is None else groups.server_named(groups.connected_to)
    if groups is None or server is None:
        return ""
    return _("Reached: {name}, SQL Server {version}, {edition}; {groups}.").format(
        name=server.name,
        version=server.version,
        edition=server.edition,
        groups=counted(len(groups.groups), _("1 availability group"), _("{count} availability groups")),
    )


def _streams_reached(reading: TargetReading) -> str:
    streams = reading.discovery.streams
    if streams is None:
        return ""
    databases = ", ".join(f"{database.name} ({database.version})" for database in streams.databases)
    paths = counted(len(streams.paths), _("1 Streams path"), _("{count} Streams paths"))
    return _("Reached: {databases}; {paths}.").format(databases=databases, paths=paths)


def attempt_failed(error: BaseException) -> Attempt:
    """Return what is shown when a target could not be read."""
    if isinstance(error, ReplituneError):
        said = error.server_error if isinstance(error, TargetError) else ""
        return Attempt(AttemptState.FAILED, sentence(str(error)), said)
    return Attempt(AttemptState.FAILED, _("Reading failed because of a mistake in this program; see the report."))


def attempt_cancelled() -> Attempt:
    """Return what is shown after a person gave up waiting."""
    return Attempt(AttemptState.FAILED, _("Cancelled; nothing was changed."))


def is_mistake(error: BaseException) -> bool:
    """Tell whether an error is one of the program's own, to be shown as a report."""
    return not isinstance(error, ReplituneError)


def attempt_nothing(why: str) -> Attempt:
    """Return what is shown when a target was read but holds nothing to work with."""
    return Attempt(AttemptState.FAILED, why)
