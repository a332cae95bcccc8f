"""Answers of reading statements."""

from collections.abc import Callable, Iterable, Mapping

from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.systems.oracle_streams.lab.parameters import ParameterSet
from app.systems.oracle_streams.lab_server.dictionary import dictionary_of
from app.systems.oracle_streams.lab_server.sample_answers import SampleAnswers
from app.systems.oracle_streams.lab_server.state import GRANULE_BYTES, MEGABYTE, SCHEMAS, SIDES, LabState

Binds = Mapping[str, BindValue]
Answered = Iterable[tuple[Cell, ...]]
Answer = Callable[[End, Binds], Answered]


class ReadingAnswers:
    """The answers of the dictionary and the V$ views."""

    def __init__(self, state: LabState) -> None:
        self._state = state
        self._sample = SampleAnswers(state)

    def answers(self) -> Mapping[str, Answer]:
        """Return an answer for each reading statement the lab's releases know."""
        return {
            "lab_wait": self._wait,
            "pause": self._pause,
            "pause_before_18": self._pause,
            "server_time": lambda _end, _binds: [(self._state.now(),)],
            "dictionary_columns": lambda end, _binds: dictionary_of(self._state.release(end)),
            "database_info": self._database_info,
            "privileges": self._privileges,
            "captures": self._captures,
            "applies": self._applies,
            "purposes": self._purposes,
            "combined_captures": lambda _end, _binds: (),
            "propagations": self._propagations,
            "propagation_schedule": self._schedule,
            "parameters": self._parameters,
            "all_parameters": self._all_parameters,
            "capture_parameter": self._one_parameter,
            "apply_parameter": self._one_parameter,
            "server_parameters": self._server_parameters,
            "streams_pool": self._pool,
            "pool_advice": self._pool_advice,
            "sample_streams": lambda end, _binds: self._sample.rows(end),
            "sample_streams_before_11_2": lambda end, _binds: self._sample.rows(end),
            "apply_status": self._apply_status,
            "capture_run": self._capture_run,
            "apply_progress": self._apply_progress,
            "capture_retention": self._retention,
            "apply_sessions": self._sessions,
            "source_scn": lambda _end, _binds: [(self._state.scn(), self._state.scenario.source.database_name)],
            "load_table": self._load_table,
            "left_load_tables": self._left_load_tables,
            "load_instantiation": self._instantiation,
            "load_prepared": self._prepared,
            "trace_state": self._trace_state,
            "database_identity": lambda end, _binds: [
                (str(self._state.dbids[end]), self._state.database(end).database_name, self._state.roles[end])
            ],
            "schemas": lambda _end, binds: [(name,) for name in SCHEMAS if name == binds["schema_name"]],
            "own_schema": lambda _end, _binds: [(*2 * (self._state.scenario.names.queue_owner,), "FALSE")],
        }

    def _apply_progress(self, _end: End, binds: Binds) -> Answered:
        is_known = binds["apply_name"] == self._state.scenario.names.apply_name
        return [(self._state.lab.apply().progress_message_number,)] if is_known else []

    def _wait(self, _end: End, binds: Binds) -> Answered:
        seconds = binds["seconds"]
        assert isinstance(seconds, int | float)
        self._state.lab.advance(seconds)
        return [(self._state.lab.now_s,)]

    def _pause(self, end: End, binds: Binds) -> Answered:
        self._wait(end, binds)
        return ()

    def _database_info(self, end: End, _binds: Binds) -> Answered:
        database = self._state.database(end)
        pool_mb = self._state.lab.database(SIDES[end]).pool_size_mb
        banner = f"Oracle Database Enterprise Edition Release {database.version} - 64bit Production"
        host = f"lab-{end.value}"
        return [
            (
                *(database.database_name, database.version, host, "NO", banner, database.version),
                *(str(database.cpus), int(pool_mb * MEGABYTE), "ARCHIVELOG", "YES"),
            )
        ]

    def _privileges(self, _end: End, _binds: Binds) -> Answered:
        return [
            ("role", "SELECT_CATALOG_ROLE"),
            ("role", "DBA"),
            ("system", "ALTER SYSTEM"),
            *(("execute", f"DBMS_{name}") for name in ("APPLY_ADM", "AQADM", "CAPTURE_ADM", "MONITOR", "STREAMS")),
        ]

    def _captures(self, end: End, _binds: Binds) -> Answered:
        if end is not End.SOURCE:
            return ()
        names, state = self._state.scenario.names, self._state.lab.capture()
        return [
            (
                *(names.capture_name, names.queue_owner, names.source_queue, state.status),
                *(self._state.scenario.source.database_name, "LOCAL", self._state.retention_days),
                *(state.error_number, state.error_message or None),
            )
        ]

    def _applies(self, end: End, _binds: Binds) -> Answered:
        if end is not End.DESTINATION:
            return ()
        names, state = self._state.scenario.names, self._state.lab.apply()
        return [
            (
                *(names.apply_name, names.queue_owner, names.destination_queue, "YES", state.status),
                *(state.error_number, state.error_message or None),
            )
        ]

    def _purposes(self, end: End, _binds: Binds) -> Answered:
        names = self._state.scenario.names
        if end is End.SOURCE:
            return [("capture", names.capture_name, "Streams")]
        return [("apply", names.apply_name, "Streams")]

    def _propagations(self, _end: End, _binds: Binds) -> Answered:
        names, state = self._state.scenario.names, self._state.lab.propagation()
        flow_control = "ORA-25307: Enqueue rate too high, flow control enabled" if state.is_in_flow_control else None
        return [
            (
                *(names.propagation_name, names.queue_owner, names.source_queue),
                *(names.queue_owner, names.destination_queue, names.database_link, "TRUE"),
                *(state.status, state.error_message or None, float(state.latency_s), None, None),
                *("Y" if state.status != "ENABLED" else "N", state.failures, flow_control),
            )
        ]

    def _schedule(self, _end: End, binds: Binds) -> Answered:
        names, state = self._state.scenario.names, self._state.lab.propagation()
        if binds["propagation_name"] != names.propagation_name:
            return ()
        return [
            (
                *(names.propagation_name, names.queue_owner, names.source_queue),
                *(names.queue_owner, names.destination_queue, names.database_link, "TRUE"),
                *(float(state.latency_s), None, None),
            )
        ]

    def _parameters(self, end: End, _binds: Binds) -> Answered:
        for component, process, parameters in self._of_end(end):
            for name in parameters.names:
                is_set = parameters.is_set_by_user(name)
                if is_set or not name.startswith("_"):
                    yield component, process, name, parameters.value(name), "YES" if is_set else "NO"

    def _all_parameters(self, end: End, _binds: Binds) -> Answered:
        for component, process, parameters in self._of_end(end):
            for name in parameters.names:
                yield component, process, name, parameters.value(name), int(parameters.is_set_by_user(name))

    def _one_parameter(self, end: End, binds: Binds) -> Answered:
        for _component, process, name, value, is_set in self._parameters(end, binds):
            if (process, name) == (binds["process_name"], binds["parameter_name"]):
                yield value, is_set

    def _of_end(self, end: End) -> Iterable[tuple[str, str, ParameterSet]]:
        lab, names = self._state.lab, self._state.scenario.names
        if end is End.SOURCE:
            return [("capture", names.capture_name, lab.capture_parameters)]
        return [("apply", names.apply_name, lab.apply_parameters)]

    def _server_parameters(self, end: End, _binds: Binds) -> Answered:
        values = {name.lower(): value for name, value in self._state.scenario.initialization.items()}
        values |= {"compatible": self._state.database(end).version}
        values["streams_pool_size"] = str(self._state.pool_settings[end])
        names = {
            *("_job_queue_interval", "aq_tm_processes", "compatible", "control_management_pack_access"),
            *("global_names", "job_queue_processes", "open_links", "parallel_max_servers", "processes"),
            *("sga_target", "statistics_level", "streams_pool_size", "timed_statistics"),
        }
        return [
            (name, values[name], "FALSE", "IMMEDIATE" if name == "streams_pool_size" else "FALSE")
            for name in sorted(names & set(values))
        ]

    def _pool(self, end: End, _binds: Binds) -> Answered:
        state = self._state.lab.database(SIDES[end])
        return [
            (
                str(self._state.pool_settings[end]),
                str(self._state.scenario.initialization.get("sga_target", "0")),
                int(state.pool_size_mb * MEGABYTE),
                int(state.pool_used_mb * MEGABYTE),
                GRANULE_BYTES,
                self._state.instance_name(end),
                "NO",
            )
        ]

    def _pool_advice(self, end: End, _binds: Binds) -> Answered:
        size_mb = self._state.lab.database(SIDES[end]).pool_size_mb
        return [(size_mb * step / 10, step / 10, 0, 0.0) for step in range(1, 21)]

    def _apply_status(self, _end: End, binds: Binds) -> Answered:
        state = self._state.lab.apply()
        if binds["apply_name"] != self._state.scenario.names.apply_name:
            return ()
        coordinator = None if state.coordinator is None else state.coordinator.state
        started = None if coordinator is None else self._started_local(state.startup_s)
        return [(state.status, coordinator, state.error_message or None, started)]

    def _capture_run(self, _end: End, binds: Binds) -> Answered:
        state = self._state.lab.capture()
        is_asked = binds["capture_name"] == self._state.scenario.names.capture_name
        return [(state.state, self._started_local(state.startup_s))] if is_asked and state.is_running else ()

    def _started_local(self, startup_s: float | None) -> str | None:
        moment = self._state.moment(startup_s)
        return None if moment is None else f"{moment:%Y-%m-%d %H:%M:%S}"

    def _retention(self, _end: End, binds: Binds) -> Answered:
        is_asked = binds["capture_name"] == self._state.scenario.names.capture_name
        return [(self._state.retention_days, 1)] if is_asked else ()

    def _sessions(self, _end: End, binds: Binds) -> Answered:
        if binds["apply_name"] != self._state.scenario.names.apply_name:
            return ()
        return self._state.server_sessions()

    def _load_table(self, end: End, binds: Binds) -> Answered:
        table = self._state.tables.get((end, str(binds["schema_name"])))
        return [] if table is None else [(table.initrans, table.initrans, table.remark)]

    def _left_load_tables(self, end: End, _binds: Binds) -> Answered:
        return sorted((schema, table.remark) for (at, schema), table in self._state.tables.items() if at is end)

    def _instantiation(self, _end: End, binds: Binds) -> Answered:
        scn = self._state.instantiated.get(str(binds["schema_name"]))
        is_source = binds["source_database"] == self._state.scenario.source.database_name
        return [(scn,)] if scn is not None and is_source else []

    def _prepared(self, _end: End, binds: Binds) -> Answered:
        return [(self._state.scn(),)] if binds["schema_name"] in self._state.prepared else []

    def _trace_state(self, _end: End, binds: Binds) -> Answered:
        session = (int(binds["sid"] or 0), int(binds["serial_number"] or 0))
        if session not in {(sid, serial) for _id, sid, serial, _doing in self._state.server_sessions()}:
            return []
        return [("ENABLED" if session in self._state.traced_sessions() else "DISABLED",)]
