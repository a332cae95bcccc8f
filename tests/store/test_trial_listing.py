"""Lists of trials that come at once, and the time series of one trial."""

from pathlib import Path

import pytest

from app.domain.measurement import TrialStatus
from app.store import SessionReader, create_session_file, open_for_reading
from tests.store.sample import SESSION_ID, make_record


@pytest.fixture
def reader(tmp_path: Path) -> SessionReader:
    """The sample session, open for reading."""
    path = tmp_path / "s.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
    return open_for_reading(path)


def test_trials_are_listed_as_they_were_kept(reader: SessionReader) -> None:
    """The list says of each trial what the whole record says, with the measures asked for in their order."""
    with reader:
        listed = reader.list_trials(["commands_per_s", "latency", "run_time"])
        kept = make_record().runs[0].trials
    assert [line.trial_id for line in listed] == [trial.trial_id for trial in kept]
    for line, trial in zip(listed, kept, strict=True):
        assert (line.setting, line.status, line.failed_checks) == (trial.setting, trial.status, trial.failed_checks)
        assert (line.started_utc, line.finished_utc) == (trial.started_utc, trial.finished_utc)
        assert line.has_samples == bool(trial.samples)
    rate, latency, run_time = listed[0].measured
    assert rate == pytest.approx(4_812.7)
    assert run_time == pytest.approx(217.3)
    assert latency is None
    assert listed[2].measured == (None, None, None)
    assert listed[2].status is TrialStatus.ABORTED


def test_measures_need_not_be_asked_for(reader: SessionReader) -> None:
    """Without measures the list has none."""
    with reader:
        assert {line.measured for line in reader.list_trials([], SESSION_ID)} == {()}


def test_the_time_series_of_one_trial_are_read_alone(reader: SessionReader) -> None:
    """Those of the trial named, in their order; none for a trial that does not exist."""
    with reader:
        assert reader.read_samples("E1", "E1-T003") == make_record().runs[0].trials[2].samples
        assert reader.read_samples("E2", "E1-T003") == ()
