"""The effect of changing statements on the lab."""

from collections.abc import Callable, Mapping

from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import KEPT, OracleError
from app.drivers.oracle.session import End
from app.systems.oracle_streams.lab.pipeline import Workload
from app.systems.oracle_streams.lab_server.answers import Answer, Answered, Binds
from app.systems.oracle_streams.lab_server.state import MEGABYTE, SCHEMAS, SIDES, LabState, LabTable


class ChangeActions:
    """Changes of processes, parameters, pool and test table, and the load."""

    def __init__(self, state: LabState) -> None:
        self._state = state

    def answers(self) -> Mapping[str, Answer]:
        """Return an answer for each changing statement."""
        lab = self._state.lab
        return {
            "set_apply_parameter": _expecting(self._shown_parameter, self._set_parameter),
            "set_capture_parameter": _expecting(self._shown_parameter, self._set_parameter),
            "start_apply": self._process(lab.start_apply, "apply_name"),
            "stop_apply": self._process(lab.stop_apply, "apply_name"),
            "set_checkpoint_retention": _expecting(
                lambda _end, _binds: self._state.retention_days, self._set_retention
            ),
            "set_propagation_latency": _expecting(
                lambda _end, _binds: self._state.lab.propagation().latency_s, self._set_latency
            ),
            "set_streams_pool_size": _expecting(lambda end, _binds: self._state.pool_settings[end], self._set_pool),
            "create_load_table": self._create_table,
            "drop_load_table": self._drop_table,
            "prepare_load_table": self._prepare,
            "abort_load_table": self._abort,
            "set_load_instantiation": self._instantiate,
            "load_extent": self._extent,
            "insert_load": self._insert,
            "update_load": self._update,
            "commit_load": self._commit,
            "rollback_load": self._rollback,
            "trace_on": _expecting(self._traced, self._trace_on),
            "trace_off": self._trace_off,
        }

    def _process(self, action: Callable[[], None], name_of: str) -> Answer:
        def run(_end: End, binds: Binds) -> Answered:
            if binds["process_name"] != getattr(self._state.scenario.names, name_of):
                raise OracleError.of_text(f"ORA-26701: STREAMS process {binds['process_name']} does not exist")
            try:
                action()
            except ValueError as error:
                raise OracleError.of_text(f"ORA-26666: cannot alter STREAMS process: {error}") from error
            return ()

        return run

    def _set_parameter(self, end: End, binds: Binds) -> Answered:
        lab, names = self._state.lab, self._state.scenario.names
        process, change = (
            (names.capture_name, lab.set_capture_parameter)
            if end is End.SOURCE
            else (names.apply_name, lab.set_apply_parameter)
        )
        if binds["process_name"] != process:
            raise OracleError.of_text(f"ORA-26701: STREAMS process {binds['process_name']} does not exist")
        value = binds["value"]
        try:
            change(str(binds["parameter_name"]), None if value is None else str(value))
        except (KeyError, ValueError) as error:
            raise OracleError.of_text(f"ORA-23605: invalid value for parameter {error}") from error
        return ()

    def _shown_parameter(self, end: End, binds: Binds) -> str:
        lab, name = self._state.lab, str(binds["parameter_name"])
        parameters = lab.capture_parameters if end is End.SOURCE else lab.apply_parameters
        is_set = parameters.is_set_by_user(name)
        if not is_set and (name.startswith("_") or name not in parameters.names):
            return "/"
        return f"{'YES' if is_set else ''}/{parameters.value(name)}"

    def _set_retention(self, _end: End, binds: Binds) -> Answered:
        self._state.retention_days = float(binds["days"] or 0.0)
        return ()

    def _set_latency(self, _end: End, binds: Binds) -> Answered:
        if binds["propagation_name"] != self._state.scenario.names.propagation_name:
            raise OracleError.of_text("ORA-01403: no data found")
        self._state.lab.set_propagation_latency(float(binds["latency_s"] or 0.0))
        return ()

    def _set_pool(self, end: End, binds: Binds) -> Answered:
        size = int(binds["size_bytes"] or 0)
        side = SIDES[end]
        if binds["instance_name"] not in (None, self._state.instance_name(end)):
            raise OracleError.of_text("ORA-20003: this is another instance of the cluster")
        if 0 < size < self._state.lab.database(side).pool_used_mb * MEGABYTE:
            raise OracleError.of_text("ORA-20002: more of the Streams pool is in use than that")
        self._state.lab.set_pool_size(side, size / MEGABYTE)
        self._state.pool_settings[end] = size
        return ()

    def _create_table(self, end: End, binds: Binds) -> Answered:
        schema = self._schema(binds)
        if (end, schema) in self._state.tables:
            raise OracleError.of_text("ORA-00955: name is already used by an existing object")
        initrans = int(binds["initrans"] or 1)
        self._state.tables[end, schema] = LabTable(initrans, str(binds["remark"]))
        if end is End.DESTINATION:
            self._state.lab.set_initrans(initrans)
        return ()

    def _schema(self, binds: Binds) -> str:
        schema = str(binds["schema_name"])
        if schema not in SCHEMAS:
            raise OracleError.of_text("ORA-01403: no data found")
        return schema

    def _drop_table(self, end: End, binds: Binds) -> Answered:
        schema = self._schema(binds)
        table = self._state.tables.get((end, schema))
        if table is not None and table.remark == binds["remark"]:
            del self._state.tables[end, schema]
            if end is End.SOURCE:
                self._state.prepared.discard(schema)
            else:
                self._state.lab.set_initrans(self._state.scenario.apply.initrans)
        return ()

    def _prepare(self, end: End, binds: Binds) -> Answered:
        schema = _schema_of(binds)
        if (end, schema) not in self._state.tables:
            raise OracleError.of_text("ORA-00942: table or view does not exist")
        self._state.prepared.add(schema)
        return ()

    def _abort(self, _end: End, binds: Binds) -> Answered:
        self._state.prepared.discard(_schema_of(binds))
        return ()

    def _instantiate(self, _end: End, binds: Binds) -> Answered:
        scn = binds["scn"]
        if scn is None:
            self._state.instantiated.pop(_schema_of(binds), None)
        else:
            self._state.instantiated[_schema_of(binds)] = int(scn)
        return ()

    def _table(self, binds: Binds) -> LabTable:
        table = self._state.tables.get((End.SOURCE, self._schema(binds)))
        if table is None:
            raise OracleError.of_text("ORA-00942: table or view does not exist")
        return table

    def _extent(self, _end: End, binds: Binds) -> Answered:
        return [(1, self._table(binds).rows)]

    def _insert(self, _end: End, binds: Binds) -> Answered:
        table, rows = self._table(binds), int(binds["rows_wanted"] or 0)
        self._write(Workload("insert", rows, int(binds["rows_per_commit"] or 1)))
        table.rows += rows
        return [(rows,)]

    def _update(self, _end: End, binds: Binds) -> Answered:
        table = self._table(binds)
        first, last = int(binds["first_id"] or 1), int(binds["last_id"] or 0)
        rows = max(0, min(last, table.rows) - first + 1)
        self._state.open_updates += rows
        return [(rows,)]

    def _commit(self, _end: End, _binds: Binds) -> Answered:
        # the lab writes a transaction as a whole: its time passes here, not with each portion
        rows, self._state.open_updates = self._state.open_updates, 0
        if rows:
            self._write(Workload("update", rows, rows))
        return ()

    def _rollback(self, _end: End, _binds: Binds) -> Answered:
        self._state.open_updates = 0
        return ()

    def _write(self, workload: Workload) -> None:
        lab = self._state.lab
        number = lab.write(workload)
        lab.advance(max(0.0, lab.workload(number).end_s - lab.now_s))

    def _traced(self, _end: End, binds: Binds) -> str:
        return "ENABLED" if _session_of(binds) in self._state.traced_sessions() else "DISABLED"

    def _trace_on(self, _end: End, binds: Binds) -> Answered:
        session = _session_of(binds)
        if session not in {(sid, serial) for _id, sid, serial, _doing in self._state.server_sessions()}:
            raise OracleError.of_text("ORA-00030: User session ID does not exist.")
        self._state.traced.add(session)
        return ()

    def _trace_off(self, _end: End, binds: Binds) -> Answered:
        self._state.traced.discard(_session_of(binds))
        return ()


def _expecting(value_now: Callable[[End, Binds], BindValue], action: Answer) -> Answer:
    """Return an answer that acts only where the value now is the one a statement expects, or where it expects none."""

    def run(end: End, binds: Binds) -> Answered:
        if binds["expected"] not in (None, value_now(end, binds)):
            raise OracleError.of_text(f"ORA-{KEPT}: another value stands there now")
        return action(end, binds)

    return run


def _session_of(binds: Binds) -> tuple[int, int]:
    return int(binds["sid"] or 0), int(binds["serial_number"] or 0)


def _schema_of(binds: Binds) -> str:
    return str(binds["table_name"]).split('"')[1]
