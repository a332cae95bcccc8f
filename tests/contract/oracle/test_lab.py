"""The adapter on the lab: what it reads, changes and puts back, and the published tests through it."""

from collections.abc import Mapping

import pytest

from app.domain.rights import Mode, Use
from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_faults import FaultKind
from app.drivers.oracle.session import End, RecordingSession
from app.foundation.rows import Cell
from app.lab.faults import Fault
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.oracle_streams.server.rights import read_rights
from app.systems.oracle_streams.subjects import STREAMS
from tests.contract.oracle.lab_bench import CheckingTransport, make_bench

OTHER_PRODUCTS = {name for name in catalogue() if name.endswith(("_goldengate", "_xstream"))}


def test_lab_answers_every_statement_of_streams() -> None:
    """Every statement has an answer; only the variants for other products have none."""
    assert make_bench().server.answered == set(catalogue()) - OTHER_PRODUCTS


def test_reading_statements_answer_as_their_headers_say() -> None:
    """Each reading statement returns its declared columns, types and NULLs at each end it is for."""
    bench = make_bench()
    names = bench.server.state.scenario.names
    values: dict[str, BindValue] = {
        "apply_name": names.apply_name,
        "capture_name": names.capture_name,
        "process_name": names.apply_name,
        "propagation_name": names.propagation_name,
        "parameter_name": "PARALLELISM",
        "schema_name": "STRMADMIN",
        "source_database": bench.server.state.scenario.source.database_name,
        "sid": 41,
        "serial_number": 7,
        "seconds": 1.0,
        "owner": "one laptop",
        "elapsed_s": 60,
    }
    bench.apply(streams_port(bench.target).plan_test_table(bench.path, 10, "S1"))
    streams_port(bench.target).load(bench.path, "insert", 200_000, 100_000, "S1")
    bench.target.clock.sleep(120)
    for name in bench.server.answered:
        statement = catalogue()[name]
        if statement.access == "read" and not bench.server.missing_for(statement, End.SOURCE):
            ends = [end for end in End if statement.runs_at in (end.value, "both")]
            for end in ends:
                bench.session.run(name, end, **{bind: values[bind] for bind in statement.bind_names})


def test_discovery_finds_the_pipeline() -> None:
    """Databases, processes with their states, and the path from capture over propagation to apply."""
    topology = make_bench().topology
    assert [(d.name, d.role, d.version) for d in topology.databases] == [
        ("SRC.EXAMPLE.COM", "Source", "10.2.0.4.0"),
        ("DST.EXAMPLE.COM", "Destination", "10.2.0.4.0"),
    ]
    (path,) = topology.paths
    assert (path.capture, path.propagation, path.apply) == ("STREAMS_CAPTURE", "STREAMS_PROPAGATION", "STREAMS_APPLY")
    apply = topology.process(StreamsComponent.APPLY, path.apply)
    assert apply is not None
    assert (apply.status, apply.state, apply.queue) == ("ENABLED", "IDLE", "STRMADMIN.APPLY_QUEUE")
    assert (topology.apply_errors, topology.long_transactions) == (0, 0)


def test_parameters_say_who_set_them_and_what_is_not_shown() -> None:
    """A value set by a user, a default, and a hidden parameter that the views leave out are three things."""
    bench = make_bench()
    threshold = bench.parameter("TXN_LCR_SPILL_THRESHOLD")
    assert (threshold.effective.value, threshold.effective.origin, threshold.effective.default) == (
        "100000",
        "user",
        "10000",
    )
    assert bench.parameter("CAPTURE_PARALLELISM").effective.origin == "default"
    bench.server.state.lab.set_apply_parameter("_DYNAMIC_STMTS", None)
    assert bench.parameter("_DYNAMIC_STMTS").effective.value == "N", "the base table shows a hidden default"
    hidden = make_bench(faults=tuple(Fault("all_parameters", n, FaultKind.PERMISSION_DENIED) for n in range(1, 9)))
    hidden.server.state.lab.set_apply_parameter("_DYNAMIC_STMTS", None)
    found = hidden.parameter("_DYNAMIC_STMTS")
    assert (found.effective.value, found.effective.origin, found.is_hidden) == ("", "not shown", True)


def test_sample_is_one_round_trip_for_each_database() -> None:
    """A tick costs one statement at each end."""
    bench = make_bench()
    path = bench.path
    bench.transport.calls.clear()
    streams_port(bench.target).sample(path)
    assert dict(bench.transport.calls) == {
        "sample_streams_before_11_2 at source": 1,
        "sample_streams_before_11_2 at destination": 1,
    }


@pytest.mark.parametrize(("operation", "rows", "per_commit"), [("insert", 120_000, 700), ("update", 50_000, 300)])
def test_no_row_more_is_written_than_asked_for(operation: str, rows: int, per_commit: int) -> None:
    """The last portion holds the rows that are left."""
    bench = make_bench()
    streams, path = streams_port(bench.target), bench.path
    bench.apply(streams.plan_test_table(path, rows, "S1"))
    if operation == "update":
        streams.load(path, "insert", rows, per_commit, "S1")
    assert streams.load(path, operation, rows, per_commit, "S1") == rows


@pytest.mark.parametrize(
    ("operation", "rows", "per_commit", "threshold", "minutes", "pause", "spilled"),
    [
        ("insert", 1_000_000, 500, 100_000, 9.0, 1.8, (0, 0)),
        ("update", 100_000, 100_000, 100_001, 4.0, 0.17, (0, 0)),
        ("update", 300_000, 300_000, 100_001, 21.0, 8.0, (0, 0)),
        ("update", 300_000, 300_000, 500_001, 9.0, 1.05, (104_000, 80_000)),
    ],
)
def test_published_tests_come_out_through_the_statements(
    operation: str, rows: int, per_commit: int, threshold: int, minutes: float, pause: float, spilled: tuple[int, int]
) -> None:
    """Times within 10 %, pauses and spills within 5 %, and none where none were printed."""
    bench = make_bench()
    streams, path, clock = streams_port(bench.target), bench.path, bench.target.clock
    bench.apply(streams.plan_test_table(path, rows, "S1"))
    if operation == "update":
        streams.load(path, "insert", rows, 500, "S1")
    clock.sleep(1_200)
    bench.apply(streams.plan_parameter(path, "TXN_LCR_SPILL_THRESHOLD", threshold))
    clock.sleep(60)
    before, started_s = streams.sample(path), clock.monotonic_s()
    assert streams.load(path, operation, rows, per_commit, "S1") == rows
    now = streams.sample(path)
    while now.applied - before.applied < -(-rows // per_commit):
        clock.sleep(1)
        now = streams.sample(path)
    assert (clock.monotonic_s() - started_s) / 60 == pytest.approx(minutes, rel=0.10)
    assert (now.paused_s - before.paused_s) / 60 == pytest.approx(pause, rel=0.05)
    assert now.source_spilled - before.source_spilled == pytest.approx(spilled[0], rel=0.05)
    assert now.destination_spilled - before.destination_spilled == pytest.approx(spilled[1], rel=0.05)
    assert (now.staged > before.staged) is (rows > threshold and per_commit > threshold)


def test_rights_of_a_dba() -> None:
    """A DBA lacks nothing at either database."""
    rights = read_rights(make_bench().session)
    assert rights.login == "STRMADMIN"
    assert {right.server for right in rights.rights} == {"SRC.EXAMPLE.COM", "DST.EXAMPLE.COM"}
    for mode in Mode:
        assert rights.missing(Use(STREAMS, mode)) == ()


def test_rights_of_a_reader_are_told_with_grants() -> None:
    """A login that may only read can observe, and gets the GRANTs for the rest."""

    class Reader(CheckingTransport):
        """Holds the catalogue role alone."""

        def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
            """Answer as to a reader."""
            if statement.name == "privileges":
                return (("role", "SELECT_CATALOG_ROLE"),)
            return super().send(statement, end, binds)

    bench = make_bench()
    session = RecordingSession(Reader(bench.server), bench.target.clock, bench.records.append)
    rights = read_rights(session)
    assert rights.missing(Use(STREAMS, Mode.OBSERVE)) == ()
    grants = {(right.server, right.grant) for right in rights.missing(Use(STREAMS, Mode.HANDS_ON))}
    assert ("SRC.EXAMPLE.COM", "GRANT EXECUTE ON DBMS_AQADM TO STRMADMIN;") in grants
    assert any("GRANT_ADMIN_PRIVILEGE(grantee => 'STRMADMIN')" in grant for _server, grant in grants)
    assert len(rights.missing(Use(STREAMS, Mode.GUIDED))) == 3


def test_rights_that_cannot_be_read_are_unknown() -> None:
    """A database that cannot be asked is told; what it grants is neither held nor missing for certain."""
    bench = make_bench(faults=(Fault("privileges", 2, FaultKind.LOST_BEFORE),))
    rights = read_rights(bench.session)
    assert len(rights.unread) == 1
    assert {right.is_held for right in rights.rights if right.server == "DST.EXAMPLE.COM"} == {None}


def test_health_check_warnings() -> None:
    """What Oracle's health check would warn of is told; a healthy pipeline has nothing to tell."""
    bench = make_bench()
    assert bench.topology.warnings == ()
    bench.server.state.lab.set_propagation_latency(60.0)
    bench.server.state.scenario.initialization["job_queue_processes"] = "2"
    told = " | ".join(bench.topology.warnings)
    assert "STREAMS_PROPAGATION waits up to 60 s" in told
    assert "SRC.EXAMPLE.COM: job_queue_processes is 2" in told
    assert "DST.EXAMPLE.COM: job_queue_processes is 2" in told


def test_spilled_queue_is_warned_of() -> None:
    """A queue that spilled a quarter of its messages, an hour after its start, is told with its share."""
    bench = make_bench()
    path = bench.path
    bench.apply(streams_port(bench.target).plan_test_table(path, 300_000, "S1"))
    bench.apply(streams_port(bench.target).plan_parameter(path, "TXN_LCR_SPILL_THRESHOLD", 500_000))
    streams_port(bench.target).load(path, "insert", 10, 5, "S1")
    bench.server.state.tables[End.SOURCE, "STRMADMIN"].rows = 300_000
    streams_port(bench.target).load(path, "update", 300_000, 300_000, "S1")
    bench.target.clock.sleep(3_600)
    assert any(
        "CAPTURE_QUEUE at SRC.EXAMPLE.COM has spilled 35\u00a0%" in warning for warning in bench.topology.warnings
    )
