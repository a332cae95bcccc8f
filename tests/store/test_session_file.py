"""Session files: everything comes back, in one file, for one writer and any number of readers."""

import dataclasses
import math
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import StoreError
from app.domain.events import (
    ChangeApplied,
    ChangeRestored,
    Note,
    RunFinished,
    RunStarted,
    RunStatus,
    SamplesTaken,
    StepStarted,
    TrialFinished,
    TrialStarted,
)
from app.domain.happening import Happening, Work
from app.domain.measurement import BACKLOG, WINDOW_RATE, Measurement, Sample, TrialStatus
from app.domain.plan import Phase
from app.domain.session import SessionRecord
from app.store.connection import read_number
from app.store.recorder import SessionRecorder
from app.store.session_file import SessionStore, create_session_file, open_for_reading, open_for_writing
from tests.store.sample import (
    ENVIRONMENT,
    HEADER,
    PLAN,
    SESSION_ID,
    START,
    TARGET,
    make_change,
    make_record,
    make_spec,
    make_statement,
    make_trial,
)
from tests.store.test_codec import SETTINGS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a session file may be made."""
    return tmp_path / "client.replitune"


@pytest.fixture
def store(path: Path) -> Iterator[SessionStore]:
    """Return a new session file, open for writing."""
    with create_session_file(path) as opened:
        yield opened


def start(store: SessionStore) -> SessionRecorder:
    """Begin a session with one run."""
    recorder = store.start_session(HEADER)
    recorder.record(RunStarted("E1", PLAN, TARGET, START))
    return recorder


def read(store: SessionStore) -> SessionRecord:
    """Read the newest session of a file that is being written."""
    with store.reader() as reader:
        return reader.read_session()


def test_a_whole_session_comes_back(path: Path) -> None:
    """Every field of a session read back equals the one written."""
    with create_session_file(path) as store:
        store.add_session(make_record())
    with open_for_reading(path) as reader:
        record = reader.read_session(SESSION_ID)
        assert record == make_record()
        assert repr(record) == repr(make_record())
        assert reader.read_session() == record
        assert all(not trial.samples for run in reader.read_session(with_samples=False).runs for trial in run.trials)


def test_what_else_ran_comes_back_with_its_trial_and_is_part_of_the_fingerprint(path: Path, tmp_path: Path) -> None:
    """It is evidence: a file that tells of a backup is not the one that does not."""
    record, other = make_record(), tmp_path / "other.replitune"
    ran = (Happening(Work.JOB, "DIST1", "clean up"), Happening(Work.OTHER_PROGRAMS, "PUB1", share=0.4))
    run = record.runs[0]
    trials = (dataclasses.replace(run.trials[0], happenings=ran), *run.trials[1:])
    told = dataclasses.replace(record, runs=(dataclasses.replace(run, trials=trials), *record.runs[1:]))
    hashes = []
    for file, session in ((path, told), (other, record)):
        with create_session_file(file) as store:
            store.add_session(session)
        with open_for_reading(file) as reader:
            assert reader.read_session() == session
            hashes.append(reader.session_hash())
    assert hashes[0] != hashes[1]


def test_published_means_and_ranges_come_back_and_are_part_of_the_fingerprint(path: Path, tmp_path: Path) -> None:
    """How many runs a value is the mean of, their scatter, and a range are evidence like the value itself."""
    record, other = make_record(), tmp_path / "other.replitune"
    first, second = record.imported
    means = (dataclasses.replace(first, runs=5, sd=1.5), dataclasses.replace(second, half_range=0.5))
    told = dataclasses.replace(record, imported=means)
    hashes = []
    for file, session in ((path, told), (other, record)):
        with create_session_file(file) as store:
            store.add_session(session)
        with open_for_reading(file) as reader:
            assert reader.read_session() == session
            hashes.append(reader.session_hash())
    assert hashes[0] != hashes[1]


MEASUREMENTS = st.builds(
    Measurement,
    family=st.text(),
    trial_id=st.text(),
    block=st.integers(1, 2**40),
    metric=st.text(),
    value=st.floats(min_value=1e-30, max_value=1e30),
    unit=st.text(),
    setting=SETTINGS,
    conditions=SETTINGS,
    phase=st.sampled_from(Phase),
)
# What can have been measured, and what a series without an end is told by.
SAMPLED = st.sampled_from((0.0, math.inf, -math.inf)) | st.floats(1e-30, 1e30) | st.floats(-1e30, -1e-30)
SAMPLES = st.builds(Sample, st.text(), SAMPLED, SAMPLED, st.text())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)
@given(st.lists(MEASUREMENTS, max_size=5), st.lists(SAMPLES, max_size=5), st.text())
def test_any_measurement_and_sample_comes_back(
    store: SessionStore, measurements: list[Measurement], samples: list[Sample], text: str
) -> None:
    """Whatever names, numbers and units there are, they are read back exactly."""
    trial = dataclasses.replace(
        make_trial(1), measurements=tuple(measurements), samples=tuple(samples), failed_checks=(text,)
    )
    base = make_record()
    with store.reader() as reader:
        count = len(reader.list_sessions())
    record = dataclasses.replace(
        base,
        session_id=f"S{count:06}",
        created_utc=START + timedelta(seconds=count),
        title=text,
        runs=(dataclasses.replace(base.runs[0], trials=(trial,)),),
        imported=tuple(measurements),
        changes=(),
    )
    store.add_session(record)
    assert read(store) == record


def test_events_of_a_run_make_the_same_record(store: SessionStore) -> None:
    """A run recorded event by event reads back as what the events said."""
    recorder = start(store)
    recorder.save_environment(ENVIRONMENT)
    recorder.add_statement(make_statement(1))
    first, second = make_trial(1, samples=4), make_trial(2, status=TrialStatus.NOT_USED)
    recorder.record(StepStarted("E1", "starting"))
    recorder.record(ChangeApplied("E1", make_change()))
    recorder.record(TrialStarted("E1", make_spec(first), 2))
    recorder.record(SamplesTaken("E1", first.trial_id, first.samples[:3], 0.5))
    recorder.record(TrialFinished("E1", first))
    recorder.record(TrialFinished("E1", second))
    recorder.record(Note("E1", "the network was busy"))
    recorder.add_statement(make_statement(2))
    recorder.record(ChangeRestored("E1", make_change()))
    recorder.record(RunFinished("E1", RunStatus.FAILED, "lost", START + timedelta(hours=1), ("profile of A",)))
    recorder.save_changes(make_record().changes)
    recorder.rename("other title", "Fabrikam", "")
    record = read(store)
    run = record.runs[0]
    assert run.trials == (first, second)
    assert (run.plan, run.target, run.status, run.reason) == (PLAN, TARGET, RunStatus.FAILED, "lost")
    assert (run.started_utc, run.finished_utc) == (START, START + timedelta(hours=1))
    assert record.environments == (ENVIRONMENT,)
    assert record.statements == (make_statement(1), make_statement(2))
    assert record.notes == ("the network was busy",)
    assert record.changes == make_record().changes
    assert (record.title, record.client, record.consultant) == ("other title", "Fabrikam", "")
    with store.reader() as reader:
        events = reader.read_events()
    assert [event.kind for event in events] == [
        "run_started",
        "change_applied",
        "trial_started",
        "trial_finished",
        "trial_finished",
        "note",
        "change_restored",
        "run_finished",
        "not_restored",
    ]
    assert events[1].text == make_change().subject
    offsets = [event.offset_s for event in events]
    assert offsets == sorted(offsets)


@pytest.mark.parametrize("given_at_the_end", ["all", "none", "others"])
def test_samples_are_stored_once_whoever_brings_them(store: SessionStore, given_at_the_end: str) -> None:
    """Samples taken while the trial ran and those of its result make one series, in batches or at the end."""
    recorder = start(store)
    trial = make_trial(1, samples=2500)
    others = tuple(dataclasses.replace(sample, value=-1.0) for sample in trial.samples[:700])
    final = {"all": trial.samples, "none": (), "others": others}[given_at_the_end]
    recorder.record(TrialStarted("E1", make_spec(trial), 1))
    for begin in range(0, 2500, 500):
        recorder.record(SamplesTaken("E1", trial.trial_id, trial.samples[begin : begin + 500], 0.1))
    recorder.record(TrialFinished("E1", dataclasses.replace(trial, samples=final)))
    assert read(store).runs[0].trials[0].samples == (final or trial.samples)


def test_the_rates_of_windows_and_their_backlog_come_back_in_any_case(path: Path) -> None:
    """Claims and forecasts rest on them, so whoever leaves the other series out judges as the run did."""
    rates = tuple(Sample(WINDOW_RATE, 6.0 * n, 1_000.0 + n, "commands/s") for n in range(5))
    rates += (Sample(BACKLOG, 30.0, 4_000_000.0, "commands"),)
    trial = make_trial(1, samples=100)
    with create_session_file(path) as store:
        start(store).record(TrialFinished("E1", dataclasses.replace(trial, samples=(*trial.samples, *rates))))
    with open_for_reading(path) as reader:
        assert reader.read_session(with_samples=False).runs[0].trials[0].samples == rates


@pytest.mark.parametrize("count", [1, 99, 100, 101, 250])
def test_samples_come_back_however_many_there_are(store: SessionStore, count: int) -> None:
    """A hundred go into one statement: fewer, exactly so many, and what is left over."""
    recorder, trial = start(store), make_trial(1, samples=count)
    recorder.record(TrialFinished("E1", trial))
    assert read(store).runs[0].trials == (trial,)


def test_a_sample_that_is_no_number_comes_back_as_one(store: SessionStore) -> None:
    """A reading the server could not give is kept as NaN at its place."""
    recorder = start(store)
    samples = (Sample("latency", 0.0, math.nan, "ms"), Sample("latency", 1.0, math.inf, "ms"))
    recorder.record(TrialFinished("E1", dataclasses.replace(make_trial(1), samples=samples)))
    again = read(store).runs[0].trials[0].samples
    assert math.isnan(again[0].value)
    assert again[1] == samples[1]


def test_an_unfinished_trial_is_no_part_of_the_session(store: SessionStore) -> None:
    """A trial that only began is not read; begun again under its id, it is written whole."""
    recorder = start(store)
    trial = make_trial(1, samples=1000)
    recorder.record(TrialStarted("E1", make_spec(trial), 1))
    recorder.record(SamplesTaken("E1", trial.trial_id, trial.samples, 0.5))
    assert read(store).runs[0].trials == ()
    recorder.record(TrialStarted("E1", make_spec(trial), 1))
    recorder.record(TrialFinished("E1", trial))
    assert read(store).runs[0].trials == (trial,)


def test_a_used_trial_is_never_overwritten(store: SessionStore) -> None:
    """A second result under the id of a used trial is refused, one of an unused trial replaced."""
    recorder = start(store)
    aborted, used = make_trial(1, status=TrialStatus.ABORTED), make_trial(1)
    recorder.record(TrialFinished("E1", aborted))
    recorder.record(TrialFinished("E1", used))
    for event in (TrialFinished("E1", aborted), TrialStarted("E1", make_spec(used), 1)):
        with pytest.raises(ValueError, match="already"):
            recorder.record(event)
    assert read(store).runs[0].trials == (used,)


def test_events_of_nothing_that_began_are_refused(store: SessionStore) -> None:
    """Samples and results of a run or trial that never started are a mistake of the program, and loud."""
    recorder = start(store)
    with pytest.raises(LookupError, match="E1-T001"):
        recorder.record(SamplesTaken("E1", "E1-T001", make_trial(1).samples, 0.5))
    with pytest.raises(LookupError, match="E7"):
        recorder.record(TrialFinished("E7", make_trial(1)))
    recorder.record(TrialFinished("E1", make_trial(1)))
    with pytest.raises(sqlite3.IntegrityError):
        recorder.record(RunStarted("E1", PLAN, TARGET, START))
    assert len(read(store).runs[0].trials) == 1


def test_a_resumed_run_keeps_its_trials(path: Path) -> None:
    """A run interrupted by a crash goes on under its id, with the trials it had."""
    with create_session_file(path) as store:
        start(store).record(TrialFinished("E1", make_trial(1)))
    with open_for_writing(path) as store:
        assert read(store).runs[0].status is RunStatus.INTERRUPTED
        recorder = store.resume_session()
        assert recorder.session_id == SESSION_ID
        recorder.record(RunStarted("E1", PLAN, TARGET, START + timedelta(days=1), resumed=True))
        recorder.record(TrialFinished("E1", make_trial(2)))
        assert read(store).runs[0].status is RunStatus.RUNNING
        recorder.record(RunFinished("E1", RunStatus.SUCCEEDED, "done", START + timedelta(days=2)))
        run = read(store).runs[0]
    assert run.trials == (make_trial(1), make_trial(2))
    assert (run.started_utc, run.status, run.reason) == (START, RunStatus.SUCCEEDED, "done")


def test_an_engagement_holds_several_sessions(path: Path) -> None:
    """Sessions share a file; the newest comes first, each can be read, none can be there twice."""
    later = dataclasses.replace(HEADER, session_id="S2", created_utc=START + timedelta(days=1))
    with create_session_file(path) as store:
        store.add_session(make_record())
    with create_session_file(path) as store:
        recorder = store.start_session(later)
        recorder.add_imported(make_record().imported, "other.csv", ("a note",))
        for again in (lambda: store.start_session(later), lambda: store.add_session(make_record())):
            with pytest.raises(StoreError, match="already"):
                again()
        with pytest.raises(StoreError, match="no session S3"):
            store.resume_session("S3")
    with open_for_reading(path) as reader:
        overview = reader.list_sessions()
        assert [(line.header.session_id, line.run_count, line.imported_from) for line in overview] == [
            ("S2", 0, "other.csv"),
            (SESSION_ID, 2, "elsewhere.csv"),
        ]
        assert overview[0].header == later
        assert reader.read_session().imported == make_record().imported
        assert reader.read_session().notes == ("a note",)
        assert reader.read_session(SESSION_ID) == make_record()
        runs = reader.list_runs(SESSION_ID)
        assert [(run.run_id, run.family, run.finished_trials, run.used_trials) for run in runs] == [
            ("E1", "distribution_agent", 3, 1),
            ("E2", "log_reader", 0, 0),
        ]
        assert reader.list_runs() == ()
        with pytest.raises(StoreError, match="no session S3"):
            reader.read_session("S3")


def test_a_file_without_sessions_says_so(path: Path) -> None:
    """Reading a session from a file that has none yet is one sentence."""
    create_session_file(path).close()
    with open_for_reading(path) as reader:
        assert reader.list_sessions() == ()
        with pytest.raises(StoreError, match="no session yet"):
            reader.read_session()


def test_a_closed_session_is_one_file(path: Path) -> None:
    """After closing there is nothing beside the file that would have to be copied with it."""
    with create_session_file(path) as store:
        start(store)
        assert len(list(path.parent.iterdir())) > 1
    assert list(path.parent.iterdir()) == [path]
    with open_for_reading(path) as reader:
        reader.read_session()
        assert list(path.parent.iterdir()) == [path]


def test_a_reader_sees_one_state_and_does_not_stop_the_writer(path: Path) -> None:
    """Reading goes on while trials are written; each reading is complete up to its moment."""
    with create_session_file(path) as store:
        recorder = start(store)
        with open_for_reading(path) as reader:
            for number in range(1, 30):
                recorder.record(TrialFinished("E1", make_trial(number)))
                trials = reader.read_session().runs[0].trials
                assert trials == tuple(make_trial(n) for n in range(1, number + 1))
        late = open_for_reading(path)
    with late:
        assert len(late.read_session().runs[0].trials) == 29
    with open_for_writing(path):
        pass
    assert list(path.parent.iterdir()) == [path]


def test_a_reader_cannot_write(store: SessionStore) -> None:
    """The connection of a reader is read-only in the eyes of SQLite itself."""
    with store.reader() as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._connection.execute("DELETE FROM session")


def test_statements_and_notes_are_written_on_closing(path: Path) -> None:
    """What was gathered and never followed by a trial is in the file after closing, in order."""
    statements = tuple(make_statement(number) for number in range(2500))
    with create_session_file(path) as store:
        recorder = store.start_session(HEADER)
        for statement in statements:
            recorder.add_statement(statement)
        recorder.add_note("last word")
    with open_for_reading(path) as reader:
        record = reader.read_session()
        assert record.statements == statements
        assert record.notes == ("last word",)
        texts = read_number(reader._connection, "SELECT count(*) FROM statement_text")
    assert texts == 2


def test_the_copy_of_the_journal_follows_the_journal(store: SessionStore) -> None:
    """Saving the entries again updates their state instead of doubling them."""
    recorder = store.start_session(HEADER)
    first, second = make_record().changes
    recorder.save_changes([first, dataclasses.replace(second, problem="")])
    recorder.save_changes([first, second])
    assert read(store).changes == (first, second)


def test_a_closed_file_refuses_work(path: Path) -> None:
    """Writing to a session after its file was closed is a mistake of the program; closing twice is not."""
    store = create_session_file(path)
    recorder = start(store)
    store.close()
    store.close()
    with pytest.raises(RuntimeError, match="closed"):
        recorder.record(TrialFinished("E1", make_trial(1)))


def test_the_hash_names_the_content(tmp_path: Path) -> None:
    """The same session has the same hash in another file, and another one after any change."""
    with create_session_file(tmp_path / "a.replitune") as store:
        store.add_session(make_record())
        with store.reader() as reader:
            original = reader.session_hash(SESSION_ID)
            record = reader.read_session(SESSION_ID)
    with create_session_file(tmp_path / "b.replitune") as store:
        store.add_session(dataclasses.replace(record, session_id="S0", created_utc=START - timedelta(days=1)))
        store.add_session(record)
        with store.reader() as reader:
            assert reader.session_hash(SESSION_ID) == original
            assert reader.session_hash("S0") != original
        store.resume_session(SESSION_ID).add_note("one more")
        with store.reader() as reader:
            assert reader.session_hash(SESSION_ID) != original
    assert len(original) == 64
