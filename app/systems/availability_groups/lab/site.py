"""Everything that exists in one simulated site, built from a scenario and found by name."""

import zlib
from typing import Final, TypeVar

import numpy as np

from app.lab.client_rate import ClientRate
from app.systems.availability_groups.lab.commit_path import CommitPath
from app.systems.availability_groups.lab.copying import CopyOperation
from app.systems.availability_groups.lab.flows import Flows
from app.systems.availability_groups.lab.load import InsertLoop
from app.systems.availability_groups.lab.log import TransactionLog
from app.systems.availability_groups.lab.noise import Noise
from app.systems.availability_groups.lab.readings import (
    AvailabilityMode,
    FailoverMode,
    SeedingMode,
    SynchronizationState,
)
from app.systems.availability_groups.lab.scenario import AvailabilityScenario, DatabaseConstants, GroupConstants
from app.systems.availability_groups.lab.servers import Server
from app.systems.availability_groups.lab.shipping import LogStream
from app.systems.availability_groups.lab.state import Copy, Database, Group, Replica

_CLIENT_STREAM: Final = 0x07AF

ThingT = TypeVar("ThingT")


class Site:
    """Servers, groups, databases, loads and operations; knows the state, not the events.

    Attributes:
        loads, operations: by id, in order of their start; ended ones stay.
    """

    def __init__(self, scenario: AvailabilityScenario, noise: Noise) -> None:
        self.scenario = scenario
        self.noise = noise
        self.path = CommitPath(scenario.insert, scenario.flush, scenario.transport)
        self.flows = Flows(scenario.copying, scenario.transport)
        delay_s = scenario.transport.trace_flag_delay_s
        self.servers = {constants.name: Server(constants, delay_s) for constants in scenario.servers}
        self.groups = {constants.name: self._group(constants) for constants in scenario.groups}
        self.databases: dict[str, Database] = {}
        self.loads: dict[int, InsertLoop] = {}
        self.operations: dict[int, CopyOperation] = {}
        self._running_loads: list[InsertLoop] = []
        self._running_operations: list[CopyOperation] = []
        for database in scenario.databases:
            self._add(database)

    def add_load(self, load: InsertLoop) -> None:
        """Take in an insert loop that starts."""
        self.loads[load.load_id] = load
        self._running_loads.append(load)

    def add_operation(self, operation: CopyOperation) -> None:
        """Take in an operation that starts."""
        self.operations[operation.operation_id] = operation
        self._running_operations.append(operation)

    def _group(self, constants: GroupConstants) -> Group:
        replicas = {
            replica.server: Replica(
                server=self.servers[replica.server],
                availability_mode=AvailabilityMode(replica.availability_mode),
                failover_mode=FailoverMode(replica.failover_mode),
                seeding_mode=SeedingMode(replica.seeding_mode),
                may_create_any_database=replica.may_create_any_database,
                session_timeout_s=replica.session_timeout_s,
            )
            for replica in constants.replicas
        }
        primary = self.servers[constants.replicas[0].server]
        return Group(constants.name, replicas, primary, constants.required_synchronized_secondaries_to_commit)

    def _add(self, constants: DatabaseConstants) -> None:
        group = self.groups[constants.group] if constants.group else None
        server = self.servers[constants.server] if group is None else group.primary
        assert server is not None
        log = TransactionLog(constants.log_size_mb, server.data_disk)
        client = None
        rate = constants.background_statements_per_s
        if constants.client is not None:
            place = zlib.crc32(constants.name.encode())
            client = ClientRate(constants.client, np.random.default_rng((self.noise.seed, _CLIENT_STREAM, place)))
            rate = client.per_s(0.0)
        database = Database(
            name=constants.name,
            server=server,
            group=group,
            data_mb=constants.data_mb,
            compressible_share=constants.compressible_share,
            recovery_model=constants.recovery_model,
            log=log,
            log_backup_every_s=constants.log_backup_every_s,
            next_log_backup_s=constants.log_backup_every_s,
            client=client,
            background_every_s=1.0 / rate if rate else 0.0,
            background_rows=constants.background_rows_per_statement,
        )
        for replica in () if group is None else group.replicas.values():
            if replica.server is not server and group is not None:
                stream = LogStream(log, server, replica.server, 0.0)
                is_synchronous = group.is_commit_synchronous(replica.server.name)
                state = SynchronizationState.SYNCHRONIZED if is_synchronous else SynchronizationState.SYNCHRONIZING
                stream.state = state
                stream.is_suspended = replica.server.name in constants.suspended_at
                database.copies[replica.server.name] = Copy(replica.server, 0.0, 0.0, stream)
        self.databases[constants.name] = database

    def server(self, name: str) -> Server:
        """Return a server; raises LookupError."""
        return _found(self.servers, name, "server")

    def group(self, name: str) -> Group:
        """Return a group; raises LookupError."""
        return _found(self.groups, name, "availability group")

    def replica(self, group: str, server: str) -> Replica:
        """Return a replica; raises LookupError."""
        return _found(self.group(group).replicas, server, "replica")

    def database(self, name: str) -> Database:
        """Return a database; raises LookupError."""
        return _found(self.databases, name, "database")

    def operation(self, operation_id: int) -> CopyOperation:
        """Return an operation; raises LookupError."""
        if operation_id not in self.operations:
            raise LookupError(f"there is no operation {operation_id}")
        return self.operations[operation_id]

    def load(self, load_id: int) -> InsertLoop:
        """Return an insert loop; raises LookupError."""
        if load_id not in self.loads:
            raise LookupError(f"there is no insert loop {load_id}")
        return self.loads[load_id]

    def databases_of(self, group: Group) -> list[Database]:
        """Return the databases of a group."""
        return [database for database in self.databases.values() if database.group is group]

    def running_loads(self) -> list[InsertLoop]:
        """Return the insert loops that have not ended."""
        self._running_loads = [load for load in self._running_loads if load.is_running]
        return self._running_loads

    def running_operations(self) -> list[CopyOperation]:
        """Return the operations that have not ended."""
        self._running_operations = [operation for operation in self._running_operations if operation.is_running]
        return self._running_operations

    def streams(self) -> list[tuple[Database, LogStream]]:
        """Return every log stream with its database."""
        return [(database, stream) for database in self.databases.values() for stream in database.streams()]


def _found(things: dict[str, ThingT], name: str, what: str) -> ThingT:
    if name not in things:
        raise LookupError(f"there is no {what} {name!r}; there are {', '.join(things) or 'none'}")
    return things[name]
