"""What is on disk when a call returns: each end is waited for, what comes every second is not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.domain.events import RunFinished, RunStarted, RunStatus, SamplesTaken, TrialFinished, TrialStarted
from app.domain.measurement import Sample
from app.store.sample_buffer import BATCH_ROWS
from app.store.session_file import create_session_file
from tests.store.sample import HEADER, PLAN, START, TARGET, make_spec, make_statement, make_trial


def test_only_what_must_hold_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs and trials that begin to matter or end do; readings and statements follow with the next of these."""
    trial, waited = make_trial(1, samples=0), list[bool]()
    many = tuple(Sample("latency", float(second), 1.0, "ms") for second in range(BATCH_ROWS))
    with create_session_file(tmp_path / "client.replitune") as store:
        recorder = store.start_session(HEADER)
        run: Callable[..., Any] = recorder._run

        def noted(work: Any, *, durable: bool = True, committed: Callable[[], None] | None = None) -> Any:
            waited.append(durable)
            return run(work, durable=durable, committed=committed)

        def asked(act: Callable[[], None]) -> list[bool]:
            waited.clear()
            act()
            return list(waited)

        def statements() -> None:
            for number in range(BATCH_ROWS):
                recorder.add_statement(make_statement(number))

        monkeypatch.setattr(recorder, "_run", noted)
        assert asked(lambda: recorder.record(RunStarted("E1", PLAN, TARGET, START))) == [True]
        assert asked(lambda: recorder.record(TrialStarted("E1", make_spec(trial), 1))) == [False]
        assert asked(lambda: recorder.record(SamplesTaken("E1", trial.trial_id, many, 0.5))) == [False]
        assert asked(statements) == [False]
        assert asked(lambda: recorder.record(TrialFinished("E1", trial))) == [True]
        assert asked(lambda: recorder.record(RunFinished("E1", RunStatus.SUCCEEDED, "", START))) == [True]
