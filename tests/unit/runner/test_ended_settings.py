"""A setting that fails in the same way twice is not tried again; one that others disturbed is."""

from dataclasses import replace

import pytest

from app.domain import metrics
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Design, TrialSpec
from app.runner.ended_settings import ended_settings
from app.runner.schedule import Schedule
from tests.unit.runner.test_schedule import _plan, _result


def play(compares_all: bool, why: str, *, measures: bool = False) -> list[TrialResult]:
    """Run a schedule to its end, where the setting 16 never works; return its trials."""
    schedule = Schedule(_plan(Design(blocks=4, confirm_blocks=0)), "E1", metrics.RUN_TIME, compares_all=compares_all)
    done: list[TrialResult] = []
    while (spec := schedule.next_spec(done)) is not None:
        done.append(failed(spec, why.format(len(done)), measures=measures) if _is_bad(spec) else _result(spec, 300.0))
    return done


def _is_bad(spec: TrialSpec) -> bool:
    return spec.setting["SubscriptionStreams"] == 16


def failed(spec: TrialSpec, why: str, *, measures: bool) -> TrialResult:
    """Return a trial that could not be used."""
    result = replace(_result(spec, 300.0, TrialStatus.NOT_USED), failed_checks=(why,))
    return result if measures else replace(result, measurements=())


@pytest.mark.parametrize("compares_all", [True, False])
@pytest.mark.parametrize(("why", "measures", "tries"), [("no folder", False, 2), ("{}", False, 4), ("alike", True, 4)])
def test_the_same_failure_twice_ends_a_setting(compares_all: bool, why: str, measures: bool, tries: int) -> None:
    """Not another failure each time, and not a trial that measured something; the others go on."""
    done = play(compares_all, why, measures=measures)
    assert sum(trial.status is TrialStatus.NOT_USED for trial in done) == tries
    assert sum(trial.status is TrialStatus.USED for trial in done) == 8
    assert len(ended_settings(done)) == int(tries == 2)
