"""What the stages of a Streams pipeline do, from states with numbers and misspellings inside, and from counters."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.systems.oracle_streams.analysis.growth import growth_of, stage_shares, staged_messages
from app.systems.oracle_streams.analysis.samples import BUSY, samples_of
from app.systems.oracle_streams.analysis.stages import Doing, Stage, doing_of, pace_setter
from app.systems.oracle_streams.readings import TO_APPLY, StreamsSample

START = datetime(2009, 5, 26, tzinfo=UTC)
IDLE = (
    ("capture", "WAITING FOR REDO"),
    ("propagation", "SCHEDULE ENABLED"),
    ("reader", "IDLE"),
    ("coordinator", "IDLE"),
    ("server 1", "IDLE"),
    ("server 2", "IDLE"),
)
EMPTY = StreamsSample(
    at=START,
    capture_started=START,
    apply_started=START,
    captured=0,
    enqueued=0,
    paused_s=0.0,
    source_spilled=0,
    destination_spilled=0,
    source_waiting=0,
    destination_waiting=0,
    propagated=0,
    dequeued=0,
    staged=0,
    staged_s=0.0,
    staged_transactions=0,
    received=0,
    applied=0,
    server_messages=0,
    source_redo_mb=0.0,
    destination_redo_mb=0.0,
    source_pool_share=0.0,
    destination_pool_share=0.0,
    states=IDLE,
    apply_status="ENABLED",
    apply_errors=0,
    latency_s=None,
)


def at(offset_s: float, sample: StreamsSample) -> StreamsSample:
    """Return a reading taken so long after the first."""
    return replace(sample, offset_s=offset_s)


def with_states(**wanted: str) -> StreamsSample:
    """Return an idle pipeline with other states; "server_1" stands for "server 1"."""
    changed = {name.replace("_", " "): state for name, state in wanted.items()}
    return replace(EMPTY, states=tuple((name, changed.get(name, state)) for name, state in IDLE))


@pytest.mark.parametrize(
    ("component", "state", "doing"),
    [
        ("capture", "CAPTURING CHANGES", Doing.WORKING),
        ("capture", "EVAULATING RULE", Doing.WORKING),
        ("capture", "PAUSED FOR FLOW CONTROL", Doing.HELD),
        ("capture", "WAITING FOR REDO: FILE NA, THREAD 1, SEQUENCE 7", Doing.IDLE),
        ("capture", "WAITING FOR TRANSACTION;WAITING FOR NETWORK", Doing.IDLE),
        ("capture", "WAITING FOR DICTIONARY REDO: FIRST SCN 12", Doing.STARTING),
        ("capture", "MINING (PROCESSED SCN=123)", Doing.STARTING),
        ("capture", "WAITING FOR 2 SUBSCRIBER(S) INITIALIZING", Doing.BLOCKED),
        ("capture", "WAITING FOR PROPAGATION TO START", Doing.BLOCKED),
        ("capture", "", Doing.ABSENT),
        ("reader", "DEQUEUE MESSAGES", Doing.WORKING),
        ("reader", "SPILLING", Doing.STAGING),
        ("reader", "PAUSED - WAITING FOR DDL TO COMPLETE", Doing.BLOCKED),
        ("server 3", "EXECUTE TRANSACTION", Doing.WORKING),
        ("server 3", "WAIT DEPENDENCY", Doing.WAIT_DEPENDENCY),
        ("server 3", "WAIT COMMIT", Doing.WAIT_COMMIT),
        ("server 3", "WAIT FOR NEXT CHUNK", Doing.WAIT_CHUNK),
        ("server 3", "IDLE", Doing.IDLE),
    ],
)
def test_states_are_understood(component: str, state: str, doing: Doing) -> None:
    """By how they begin, whatever numbers and networks stand behind."""
    assert doing_of(component, state) is doing


@pytest.mark.parametrize(
    ("now", "stage"),
    [
        (with_states(), None),
        (with_states(capture="CAPTURING CHANGES"), Stage.CAPTURE),
        (with_states(capture="PAUSED FOR FLOW CONTROL", reader="DEQUEUE MESSAGES"), Stage.READER),
        (with_states(capture="PAUSED FOR FLOW CONTROL", reader="SPILLING"), Stage.READER),
        (with_states(server_1="EXECUTE TRANSACTION"), Stage.SERVERS),
        (with_states(reader="DEQUEUE MESSAGES", server_1="EXECUTE TRANSACTION"), Stage.READER),
        (
            with_states(reader="DEQUEUE MESSAGES", server_1="EXECUTE TRANSACTION", server_2="WAIT COMMIT"),
            Stage.SERVERS,
        ),
        (replace(with_states(), propagated=10), Stage.PROPAGATION),
        (replace(with_states(capture="CREATING LCR"), propagated=10), Stage.CAPTURE),
    ],
)
def test_the_stage_that_sets_the_pace(now: StreamsSample, stage: Stage | None) -> None:
    """All servers before the reader, the reader before a single server, and a held capture never."""
    assert pace_setter(EMPTY, now) is stage


def test_growth_leaves_out_what_a_restart_hides() -> None:
    """An interval in which a process or an instance started again counts for nothing of its own, and is counted."""
    later = replace(EMPTY, captured=100, server_messages=90, applied=9, source_redo_mb=5.0, paused_s=1.0)
    again = replace(later, apply_started=START + timedelta(minutes=5), server_messages=10, applied=1, captured=150)
    reopened = replace(again, source_redo_mb=1.0, captured=160, server_messages=30, applied=3)
    grown = growth_of([at(float(i), s) for i, s in enumerate((EMPTY, later, again, reopened))])
    assert grown.restarts == 2
    assert grown.of("captured") == 160
    assert grown.of("server_messages") == 90 + 20
    assert grown.of("applied") == 9 + 2
    assert grown.of("source_redo_mb") == 5.0
    assert growth_of([at(0.0, EMPTY)]).of("captured") == 0


def test_shares_are_of_the_time_between_first_and_last_reading() -> None:
    """Each interval counts for what is seen at its end; servers for their mean."""
    busy = with_states(capture="PAUSED FOR FLOW CONTROL", reader="DEQUEUE MESSAGES", server_1="EXECUTE TRANSACTION")
    shares = stage_shares([at(0.0, EMPTY), at(3.0, busy), at(4.0, EMPTY)])
    assert shares.capture == {Doing.HELD: 0.75, Doing.IDLE: 0.25}
    assert shares.reader[Doing.WORKING] == 0.75
    assert shares.servers[Doing.WORKING] == pytest.approx(0.375)
    assert shares.pace == {Stage.READER: 0.75}
    assert shares.bottleneck is Stage.READER
    assert stage_shares([at(0.0, EMPTY)]).bottleneck is None


@pytest.mark.parametrize(
    ("messages", "threshold", "staged"),
    [(10_200, 10_000, 10_100), (10_000, 10_000, 0), (10_001, 10_000, 10_000), (300_000, 100_100, 299_900), (5, 2, 4)],
)
def test_staged_messages_are_those_of_the_manual(messages: int, threshold: int, staged: int) -> None:
    """The threshold first, then portions of a hundred, the last part stays in memory."""
    assert staged_messages(messages, threshold) == staged


def test_a_latency_of_an_earlier_load_is_not_sampled() -> None:
    """Until something of this trial is applied, what the database shows is an earlier load's."""
    old = at(1.0, replace(EMPTY, latency_s=900.0))
    grown = growth_of([at(0.0, EMPTY), old])
    shares = stage_shares([at(0.0, EMPTY), old])
    taken = {sample.stream: sample for sample in samples_of(old, grown, shares)}
    assert TO_APPLY not in taken
    assert set(BUSY) <= set(taken)
    fresh = at(2.0, replace(EMPTY, latency_s=12.0, applied=1))
    grown = growth_of([at(0.0, EMPTY), old, fresh])
    assert {s.stream: s.value for s in samples_of(fresh, grown, shares)}[TO_APPLY] == 12.0
