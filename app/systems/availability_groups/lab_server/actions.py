"""The lab's effect of each changing statement on groups."""

from app.domain.units import convert
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result, meets
from app.drivers.sqlserver.session import Place
from app.systems.availability_groups.lab.readings import AvailabilityMode, FailoverMode, ReplicaReading
from app.systems.availability_groups.lab_server.discovery import missing_group
from app.systems.availability_groups.lab_server.state import GroupState, LabTables

_SETTABLE = (1462, 9567, 9591, 9592)


class GroupActionAnswers(Answers):
    """Modes, trace flags, test tables and the insert loop."""

    def __init__(self, state: GroupState) -> None:
        self._state = state
        self._lab = state.lab

    def _set_trace_flag(self, place: Place, values: Parameters) -> Result:
        flag, turn_on = int(values["flag"]), int(values["turn_on"]) == 1
        is_expected = meets(values, int(flag in self._lab.server(place.server).trace_flags))
        if flag in _SETTABLE and is_expected:
            self._lab.set_trace_flag(place.server, flag, turn_on)
        return [(int(is_expected),)]

    def _set_server_option(self, place: Place, values: Parameters) -> Result:
        option, options = str(values["option_name"]), self._lab.options(place.server)
        is_expected = option in options and meets(values, options[option])
        if is_expected:
            self._lab.set_option(place.server, option, int(values["value"]))
        return [(int(is_expected),)]

    def _is_primary(self, place: Place, values: Parameters) -> bool:
        group = str(values["group_name"])
        group_state = self._state.group_of(group)
        if group_state is None:
            return False
        if group_state.primary == place.server and all(
            r.server != values["replica_server"] for r in group_state.replicas
        ):
            raise missing_group(group)
        return group_state.primary == place.server

    def _replica(self, values: Parameters) -> ReplicaReading:
        group = self._state.group_of(str(values["group_name"]))
        replicas = () if group is None else group.replicas
        return next(replica for replica in replicas if replica.server == values["replica_server"])

    def _set_availability_mode(self, place: Place, values: Parameters) -> Result:
        is_primary = self._is_primary(place, values)
        is_expected = not is_primary or meets(values, self._replica(values).availability_mode)
        if is_primary and is_expected and values["mode"] in set(AvailabilityMode):
            mode = AvailabilityMode(str(values["mode"]))
            try:
                self._lab.set_availability_mode(str(values["group_name"]), str(values["replica_server"]), mode)
            except ValueError as error:
                raise SqlError(41199, str(error), "42000") from error
        return [(int(is_primary), int(is_expected))]

    def _set_failover_mode(self, place: Place, values: Parameters) -> Result:
        is_primary = self._is_primary(place, values)
        is_expected = not is_primary or meets(values, self._replica(values).failover_mode)
        if is_primary and is_expected and values["mode"] in set(FailoverMode):
            mode = FailoverMode(str(values["mode"]))
            try:
                self._lab.set_failover_mode(str(values["group_name"]), str(values["replica_server"]), mode)
            except ValueError as error:
                raise SqlError(41199, str(error), "42000") from error
        return [(int(is_primary), int(is_expected))]

    def _tables(self, values: Parameters) -> LabTables | None:
        return self._state.tables.get((str(values["database_name"]), str(values["owner"])))

    def _existing(self, values: Parameters) -> LabTables:
        tables = self._tables(values)
        if tables is None:
            raise SqlError(208, f"Invalid object name 'dbo.Replitune source {values['owner']}'.", "42S02")
        return tables

    def _test_tables(self, place: Place, values: Parameters) -> Result:
        if self._state.database_of(str(values["database_name"])) is None:
            return [(0, 0)]
        self._readable(place, values)
        tables = self._tables(values)
        return [(0, 0)] if tables is None else [(3, tables.source_rows)]

    def _left_test_tables(self, place: Place, values: Parameters) -> Result:
        if self._state.database_of(str(values["database_name"])) is None:
            return []
        self._readable(place, values)
        own = sorted(owner for database, owner in self._state.tables if database == values["database_name"])
        return [(f"Replitune source {owner}",) for owner in own]

    def _readable(self, place: Place, values: Parameters) -> None:
        """A secondary's database cannot be read here: its replicas allow no connections."""
        name = str(values["database_name"])
        database = self._lab.database(name)
        if database.server != place.server:
            raise SqlError(976, f"The target database, '{name}', is not accessible for queries here.", "42000")

    def _make_test_tables(self, place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        self._state.writable(name, place.server)
        self._state.tables.setdefault((name, str(values["owner"])), LabTables())
        return []

    def _fill_test_source(self, place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        self._state.writable(name, place.server)
        tables = self._existing(values)
        rows = min(int(values["wanted_rows"]) - tables.source_rows, int(values["most_rows"]))
        if rows > 0:
            self._state.insert(name, 1, rows)
            tables.source_rows += rows
        return [(tables.source_rows,)]

    def _drop_test_tables(self, place: Place, values: Parameters) -> Result:
        name = str(values["database_name"])
        if self._state.database_of(name) is not None:
            self._state.writable(name, place.server)
            self._state.tables.pop((name, str(values["owner"])), None)
        return []

    def _run_insert_loop(self, place: Place, values: Parameters) -> Result:
        name, inserts, rows = str(values["database_name"]), int(values["inserts"]), int(values["rows_per_insert"])
        self._state.writable(name, place.server)
        tables = self._existing(values)
        if inserts < 1 or rows < 1 or rows > tables.source_rows:
            return [(0, 0)]
        load = self._state.insert(name, inserts, rows)
        return [(inserts * rows, round(convert(load.elapsed_s, "s", "us")))]

    def _clear_test_destination(self, place: Place, values: Parameters) -> Result:
        self._state.writable(str(values["database_name"]), place.server)
        self._existing(values)
        return []
