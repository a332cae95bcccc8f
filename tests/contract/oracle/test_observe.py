"""Observe mode on Streams: states, rates, queues and flow control, by reading alone."""

import json
from collections.abc import Mapping

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.statement import Access, StatementRecord
from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_path
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle
from app.systems.oracle_streams.observed import ObservedPath, StreamsObservation
from app.systems.oracle_streams.observing import observe_streams
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.subjects import SYSTEM_ID
from app.systems.oracle_streams.views.suggested import suggested
from tests.contract.oracle.lab_bench import Bench, CheckingTransport, make_bench
from tests.e2e.program import call
from tests.labs import oracle_over

PROGRAM = build_program()


def busy_bench(threshold: int) -> Bench:
    """Return a pipeline in the middle of one transaction of 300,000 updates."""
    bench = make_bench()
    streams, path = streams_port(bench.target), bench.path
    bench.apply(streams.plan_test_table(path, 300_000, "S1"))
    streams.load(path, "insert", 300_000, 500, "S1")
    bench.target.clock.sleep(1_200)
    bench.apply(streams.plan_parameter(path, "TXN_LCR_SPILL_THRESHOLD", threshold))
    streams.load(path, "update", 300_000, 300_000, "S1")
    bench.target.clock.sleep(360)
    bench.records.clear()
    return bench


def observed(bench: Bench, watch_s: float = 60.0) -> StreamsObservation:
    """Look at a pipeline."""
    return observe_streams(bench.target, Looking(PROGRAM.advisor, LookCost(bench.records), watch_s=watch_s))


def only_path(seen: StreamsObservation) -> ObservedPath:
    """Return the lab's one path."""
    (path,) = seen.paths
    return path


def test_an_idle_pipeline_is_told_as_idle() -> None:
    """Nothing is captured or applied, every stage is idle, and no stage is blamed."""
    path = only_path(observed(make_bench()))
    assert {round(stage.idle_share, 6) for stage in path.stages} == {1.0}
    assert {stage.messages_per_min for stage in path.stages} == {0.0}
    assert (path.bottleneck, path.paused_share, path.apply_errors) == ("", 0.0, 0)


def test_the_values_of_an_experiment_worth_testing_are_grouped_as_in_the_plan() -> None:
    """Six digits in a row are counted by nobody."""
    first, _second = suggested(observed(make_bench()), PROGRAM.families)
    assert first.title == "TXN_LCR_SPILL_THRESHOLD 10,000, 100,000, 500,000"


def test_a_busy_pipeline_names_the_slow_stage_and_flow_control_as_its_symptom() -> None:
    """While a transaction is staged the reader sets the pace, and the capture is paused for flow control behind it."""
    path = only_path(observed(busy_bench(100_001)))
    assert path.bottleneck == "apply reader"
    assert path.bottleneck_share > 0.9
    assert path.paused_share > 0.3
    assert path.staged_messages > 0
    assert path.watched_s == pytest.approx(60.0, abs=1.0)
    reader = next(stage for stage in path.stages if stage.title == "apply reader")
    assert reader.working_share > 0.9
    # staging takes the reader 0.482 + 0.146 + 1.52 ms for a message
    assert reader.messages_per_min == pytest.approx(60_000 / 2.148, rel=0.1)
    queue = path.queues[0]
    assert queue.name == "STRMADMIN.CAPTURE_QUEUE"
    assert 0 < queue.messages <= queue.most_messages


def test_a_look_only_reads_once_a_second_and_says_what_it_cost() -> None:
    """Every statement is marked as reading; each path costs each database one round trip a second at most."""
    bench = busy_bench(500_001)
    seen = observed(bench, 30.0)
    assert {record.access for record in bench.records} == {Access.READ}
    samples = [record for record in bench.records if record.name.startswith("sample_")]
    assert len(samples) <= 2 * (30 + 2)
    assert seen.statements == len(bench.records)
    assert any("keep no history" in sentence for sentence in seen.limits)
    assert [cost.family for cost in seen.costs] == ["streams_apply"]


def test_what_stands_still_comes_first() -> None:
    """A disabled apply is a finding of the look, before anything else."""
    bench = make_bench()
    streams_port(bench.target).stop_apply(bench.path)
    seen = observed(bench)
    assert seen.findings[0].rule == "streams-problems-first"
    assert only_path(seen).apply_status == "DISABLED"


def test_nothing_to_observe_is_one_sentence() -> None:
    """Two databases without a capture and an apply are told as that."""

    class Empty(CheckingTransport):
        """Has no processes."""

        def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
            """Answer as a database without Streams."""
            if statement.name in ("captures", "applies", "propagations", "purposes"):
                return ()
            return super().send(statement, end, binds)

    records: list[StatementRecord] = []
    server = LabOracle(load_scenario(scenario_path("streams-2009")), noise=False)
    target = oracle_over(Empty(server), LabClock(server), records.append)
    with pytest.raises(BadInput, match="neither a capture nor an apply"):
        observe_streams(target, Looking(PROGRAM.advisor, LookCost(), watch_s=5.0))


def test_the_command_prints_it_and_writes_it_as_json() -> None:
    """`observe` tells stages, queues and limits of a lab with Streams; the JSON holds the same under its own key."""
    text = call("observe", "--target", "lab:streams-2009", "--watch", "5").out
    for words in (
        "STREAMS_CAPTURE → STREAMS_PROPAGATION → STREAMS_APPLY",
        "apply servers",
        "8 × IDLE",
        "all of them reading",
    ):
        assert words in text
    document = json.loads(call("observe", "--target", "lab:streams-2009", "--watch", "5", "--json").out)
    assert document["groups"] is None
    assert document["streams"]["paths"][0]["apply_status"] == "ENABLED"


def test_a_look_takes_streams_for_what_they_are() -> None:
    """The common entry finds Streams by what the target can do."""
    seen = look("lab:streams-2009", PROGRAM.advisor, PROGRAM.parts.open_target, watch_s=2.0)
    assert [system.system_id for system, _found in seen.by_system] == [SYSTEM_ID]
    assert isinstance(seen.of(SYSTEM_ID), StreamsObservation)
