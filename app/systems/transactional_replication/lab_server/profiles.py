"""The lab's agent profiles: those SQL Server ships, and the custom ones made in it."""

from dataclasses import dataclass, field
from typing import Final

from app.systems.transactional_replication.server.documented import AGENT_TYPES, documented

SYSTEM_TYPE: Final = 0
CUSTOM_TYPE: Final = 1

# Values of the shipped profiles: MicrosoftDocs/sql-docs replication-agent-profiles.md.
_READER_DEFAULT: Final = {
    "-HistoryVerboseLevel": "1",
    "-LoginTimeOut": "15",
    "-LogScanThreshold": "500000",
    "-PollingInterval": "5",
    "-QueryTimeOut": "1800",
    "-ReadBatchSize": "500",
}
_DISTRIBUTION_DEFAULT: Final = {
    "-BcpBatchSize": "100000",
    "-CommitBatchSize": "100",
    "-CommitBatchThreshold": "1000",
    "-HistoryVerboseLevel": "1",
    "-KeepAliveMessageInterval": "300",
    "-LoginTimeOut": "15",
    "-MaxBcpThreads": "1",
    "-MaxDeliveredTransactions": "0",
    "-PollingInterval": "5",
    "-QueryTimeOut": "1800",
    "-TransactionsPerHistory": "100",
}
_VERBOSE: Final = {"-HistoryVerboseLevel": "2"}
# Lowest legal values of the lab's build where the vendor's pages state none.
_LEAST: Final = {"ReadBatchSize": 1, "CommitBatchSize": 1, "CommitBatchThreshold": 1, "PacketSize": 512}
_MOST: Final = {"PacketSize": 32_767}


@dataclass
class LabProfile:
    """One profile with its values by name, leading dash included."""

    profile_id: int
    name: str
    agent_type: int
    profile_type: int
    values: dict[str, str] = field(default_factory=dict)


class ProfileStore:
    """Profiles of msdb and which agent uses which."""

    def __init__(self) -> None:
        self._profiles: dict[int, LabProfile] = {}
        self._next_id = 2
        self.default_ids = {
            2: self._ship("Default agent profile.", 2, _READER_DEFAULT),
            3: self._ship("Default agent profile.", 3, _DISTRIBUTION_DEFAULT),
        }
        self._ship("Verbose history agent profile.", 2, _READER_DEFAULT | _VERBOSE)
        self._ship("Verbose history agent profile.", 3, _DISTRIBUTION_DEFAULT | _VERBOSE)
        self._next_id = 20

    def all(self) -> list[LabProfile]:
        """Return every profile."""
        return list(self._profiles.values())

    def get(self, profile_id: int) -> LabProfile | None:
        """Return a profile by id."""
        return self._profiles.get(profile_id)

    def find(self, agent_type: int, name: str) -> LabProfile | None:
        """Return a profile by type and name."""
        return next((p for p in self._profiles.values() if p.agent_type == agent_type and p.name == name), None)

    def find_dedicated(self, agent_type: int, name: str) -> LabProfile | None:
        """Return a custom profile with a name this program gives."""
        profile = self.find(agent_type, name)
        is_ours = profile is not None and profile.profile_type == CUSTOM_TYPE and name.startswith("Replitune ")
        return profile if is_ours else None

    def own(self) -> list[LabProfile]:
        """Return custom profiles with names this program gives, by name."""
        own = (p for p in self._profiles.values() if p.profile_type == CUSTOM_TYPE and p.name.startswith("Replitune "))
        return sorted(own, key=lambda profile: profile.name)

    def add(self, agent_type: int, name: str) -> LabProfile:
        """Make a custom profile, born with the values of its type's default."""
        default = self._profiles[self.default_ids[agent_type]]
        profile = LabProfile(self._next_id, name, agent_type, CUSTOM_TYPE, dict(default.values))
        self._profiles[profile.profile_id] = profile
        self._next_id += 1
        return profile

    def drop(self, profile_id: int) -> None:
        """Remove a profile with its values."""
        del self._profiles[profile_id]

    def _ship(self, name: str, agent_type: int, values: dict[str, str]) -> int:
        profile = LabProfile(self._next_id, name, agent_type, SYSTEM_TYPE, dict(values))
        self._profiles[profile.profile_id] = profile
        self._next_id += 1
        return profile.profile_id


def parameter_list(agent_type: int) -> tuple[tuple[str, str, int | None, int | None], ...]:
    """Return the rows of MSagentparameterlist: name without dash, default, limits; none of an unknown type."""
    kinds = [kind for kind, number in AGENT_TYPES.items() if number == agent_type]
    return tuple(
        (
            page.name,
            page.default,
            page.low if page.low is not None else _LEAST.get(page.name, 0),
            page.high if page.high is not None else _MOST.get(page.name),
        )
        for kind in kinds
        for page in sorted(documented(kind).values(), key=lambda page: page.name)
        if page.is_listed
    )
