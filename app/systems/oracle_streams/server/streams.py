"""A Streams pipeline as experiments see it; every call raises TargetError."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, PermissionDenied, Unsupported
from app.domain.happening import PastReadings
from app.domain.ports import ServerChanges
from app.domain.setting import Value
from app.domain.target import Gate
from app.drivers.oracle.past_work import PastWork
from app.drivers.oracle.scripts import Where
from app.drivers.oracle.session import End, Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import (
    StreamsComponent,
    StreamsPath,
    StreamsProcess,
    StreamsTopology,
    Technology,
)
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.server.attribute_changes import plan_latency, plan_pool, plan_retention
from app.systems.oracle_streams.server.discover import Pipeline, read_pipeline
from app.systems.oracle_streams.server.documented import PARAMETERS, DocumentedParameter, ValueKind, documented
from app.systems.oracle_streams.server.executor import OracleExecutor
from app.systems.oracle_streams.server.identity import Identity, end_of_change, placed, read_identity, why_moved
from app.systems.oracle_streams.server.load import load_rows
from app.systems.oracle_streams.server.parameter_changes import (
    end_of,
    parameter_process,
    plan_process_parameter,
    run_of_process,
)
from app.systems.oracle_streams.server.process_changes import plan_apply_stopped, plan_traced
from app.systems.oracle_streams.server.process_control import ApplyControl
from app.systems.oracle_streams.server.sampling import Parts, make_sample, queue_of, read_parts
from app.systems.oracle_streams.server.table_changes import plan_test_table, read_leftover_tables
from app.systems.oracle_streams.server.values import check_gate, size_bytes, spelled
from app.systems.oracle_streams.server.views import is_one_database

# Beyond the apply servers: their coordinator's own, and one that the database keeps for itself.
_SPARE_INITRANS: Final = 2
_FEWEST_INITRANS: Final = 16


class OracleStreamsPort:
    """Reads a pipeline, plans its changes, loads its test table.

    Args:
        load_schema: schema of the test table, "" for the one the connection works in.
        gate: by which the apply is stopped and started.
        changes: tell whether it is.
    """

    def __init__(
        self,
        session: Session,
        clock: Clock,
        control: ApplyControl,
        load_schema: str,
        gate: Gate,
        changes: ServerChanges,
    ) -> None:
        self._gate = gate
        self._changes = changes
        self._session = session
        self._clock = clock
        self._control = control
        self._load_schema = load_schema
        self._pipeline: Pipeline | None = None
        self._past: PastWork | None = None
        self._executor = OracleExecutor(session, clock, self._where)
        self._began_with: dict[End, Identity] = {}

    def discover(self) -> StreamsTopology:
        """Read databases, processes, paths and parameters."""
        self._pipeline = read_pipeline(self._session)
        return self._pipeline.topology

    def why_moved(self) -> str:
        """Return why an end is no longer the database it was when this was asked first, "" where both are."""
        told = (why_moved(self._session, end, self._identity(end).text) for end in self._ends())
        return next((why for why in told if why), "")

    def _identity(self, end: End) -> Identity:
        if end not in self._began_with:
            self._began_with[end] = read_identity(self._session, end)
        return self._began_with[end]

    def _placed(self, changes: Iterable[Change]) -> tuple[Change, ...]:
        """Return changes that are made and undone in the databases of now only."""
        return tuple(self._found(placed(change, self._identity(end_of_change(change)))) for change in changes)

    def _found(self, change: Change) -> Change:
        """Return a change with the run its process is in, where it counts from a start of that."""
        return change if parameter_process(change) is None else change.found_in(run_of_process(self._control, change))

    def sample(self, path: StreamsPath) -> StreamsSample:
        """Read the whole pipeline, one round trip per database."""
        pipeline = self._known()
        capture = pipeline.topology.process(StreamsComponent.CAPTURE, path.capture)
        apply = pipeline.topology.process(StreamsComponent.APPLY, path.apply)
        technology = pipeline.technology(StreamsComponent.APPLY, path.apply)
        source = Parts(read_parts(self._session, End.SOURCE, pipeline.source.sample_of(technology)))
        destination = source
        if not is_one_database(self._session):
            destination = Parts(read_parts(self._session, End.DESTINATION, pipeline.destination.sample_of(technology)))
        return make_sample(source, destination, path, (queue_of(capture), queue_of(apply)))

    def read_source_scn(self) -> int:
        """Read the source's present SCN: earlier commits have none above it."""
        return self._session.run("source_scn", End.SOURCE)[0].whole("current_scn")

    def read_applied_scn(self, path: StreamsPath) -> int | None:
        """Read up to which SCN of the source the path's apply has applied everything, None where it says nothing."""
        rows = self._session.run("apply_progress", End.DESTINATION, apply_name=path.apply)
        return max((row.whole("applied_scn") for row in rows), default=None)

    def begin_past(self) -> PastReadings:
        """Return the readings before a time that counts: the processors' totals."""
        self._past = PastWork(self._session, {end: self._known().views(end).name for end in self._ends()})
        return self._past.begin()

    def past_readings(self, elapsed_s: float) -> PastReadings:
        """Return the readings of both databases about the last seconds, once `begin_past` was asked for."""
        return {} if self._past is None else self._past.readings(elapsed_s)

    def plan_parameter(self, path: StreamsPath, name: str, value: Value) -> tuple[Change, ...]:
        """Return the changes that give a parameter of the path's processes or databases this value; () where it has it.

        Names are those of `StreamsParameter.effective`: CAPTURE_PARALLELISM is the capture's, PARALLELISM the apply's;
        `streams_pool_size` is set at both databases.

        Raises:
            BadInput: an unknown name, a value outside its limits, a release without it, or no way back.
        """
        parameter = documented(name)
        if parameter is None:
            raise BadInput(
                _('there is no parameter "{name}" this program changes; it changes {known}').format(
                    name=name, known=", ".join(p.name for p in PARAMETERS if p.is_changed)
                )
            )
        if parameter.kind is ValueKind.BYTES:
            size = size_bytes(parameter.name, value)
            return self._placed(change for end in self._ends() for change in plan_pool(self._executor, end, size))
        return self._placed(self._plan_process_parameter(path, parameter, spelled(parameter, value)))

    def _plan_process_parameter(
        self, path: StreamsPath, parameter: DocumentedParameter, value: str
    ) -> tuple[Change, ...]:
        process = self._process(path, parameter.component)
        if process.technology is Technology.GOLDENGATE:
            raise BadInput(
                _(
                    "{process} belongs to GoldenGate, which writes its own values at its next start; set {parameter} "
                    "with INTEGRATEDPARAMS in its parameter file"
                ).format(process=process.name, parameter=parameter.server_name)
            )
        end = end_of(process.component)
        views = self._known().views(end)
        check_gate(parameter, views.release, views.name)
        if parameter.kind is ValueKind.DAYS:
            return plan_retention(self._executor, process.name, float(value))
        if parameter.kind is ValueKind.SECONDS:
            return plan_latency(self._executor, process.name, float(value))
        return plan_process_parameter(self._executor, process, parameter, value, self._gate.undone_soon())

    def plan_restart(self, path: StreamsPath) -> tuple[Change, ...]:
        """Return the change "apply stopped", whose undo starts it again; the apply runs now."""
        apply, release = self._process(path, StreamsComponent.APPLY), self._known().views(End.DESTINATION).release
        return self._placed([plan_apply_stopped(self._where(End.DESTINATION), apply, release)])

    def stop_apply(self, path: StreamsPath) -> None:
        """Stop the apply, never by force, and wait until its coordinator is gone; raises ProcessDidNotRespond."""
        stop = partial(self._control.stop, path.apply, self._known().technology(StreamsComponent.APPLY, path.apply))
        stopped = partial(self._stopped, path)
        self._gate.switch(_("Stop {name}"), stopped, stop, self._changes.is_applied, is_stop=True)

    def start_apply(self, path: StreamsPath) -> None:
        """Start the apply and wait until its coordinator runs; raises ProcessDidNotRespond."""
        start = partial(self._control.start, path.apply, self._known().technology(StreamsComponent.APPLY, path.apply))
        stopped = partial(self._stopped, path)
        self._gate.switch(_("Start {name}"), stopped, start, self._changes.is_undone, is_undo=True)

    def _stopped(self, path: StreamsPath) -> Change:
        (change,) = self.plan_restart(path)
        return change

    def plan_test_table(self, path: StreamsPath, rows: int, owner: str) -> tuple[Change, ...]:
        """Return the changes that make the test table at both ends, INITRANS for the apply servers; undo drops it.

        The table stays empty; `load` fills it. INITRANS is 16 at least, as in the published tests, and two more than
        the apply has servers.
        """
        pipeline = self._known()
        servers = next(
            (
                int(p.effective.value)
                for p in pipeline.topology.parameters
                if p.effective.name == "PARALLELISM" and p.process == path.apply and p.effective.value.isdigit()
            ),
            1,
        )
        initrans = max(_FEWEST_INITRANS, servers + _SPARE_INITRANS)
        return self._placed(
            plan_test_table(self._executor, self._ends(), self._schema(), pipeline.source.name, initrans, owner)
        )

    def read_leftovers(self) -> tuple[str, ...]:
        """Return one sentence for each thing an earlier session left."""
        try:
            return read_leftover_tables(self._executor, self._ends())
        except PermissionDenied:  # nor could a session have made one
            return ()

    def load(self, path: StreamsPath, operation: str, rows: int, rows_per_commit: int, owner: str) -> int:
        """Insert or update rows of the test table at the source ("insert", "update"); return rows written."""
        return load_rows(self._session, self._schema(), operation, rows, rows_per_commit)

    def plan_trace(self, path: StreamsPath) -> tuple[Change, ...]:
        """Return the change that traces one apply server with event 10046; undo ends it."""
        apply = self._process(path, StreamsComponent.APPLY)
        return self._placed([plan_traced(self._executor, apply)])

    def _known(self) -> Pipeline:
        if self._pipeline is None:
            self._pipeline = read_pipeline(self._session)
        return self._pipeline

    def _where(self, end: End) -> Where:
        """Return where scripts of one end are run: its address for a person, its global name for the script."""
        return Where(self._session.server_of(end), self._known().views(end).name)

    def _ends(self) -> tuple[End, ...]:
        """Return both ends, the source first; only it where both are one database."""
        return (End.SOURCE,) if is_one_database(self._session) else (End.SOURCE, End.DESTINATION)

    def _process(self, path: StreamsPath, component: StreamsComponent) -> StreamsProcess:
        names = {
            StreamsComponent.CAPTURE: path.capture,
            StreamsComponent.PROPAGATION: path.propagation,
            StreamsComponent.APPLY: path.apply,
        }
        name = names[component]
        process = self._known().topology.process(component, name)
        if process is None:
            raise Unsupported(
                _("path {path} has no {component}, so there is nothing of it to change").format(
                    path=path.name, component=component.value
                )
            )
        return process

    def _schema(self) -> str:
        if not self._load_schema:
            self._load_schema = self._session.run("own_schema", End.SOURCE)[0].text("schema_name")
        return self._load_schema
