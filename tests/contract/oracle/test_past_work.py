"""What else ran beside trials of a pipeline: RMAN, jobs, statistics and other programs, as far as the login may see."""

from collections.abc import Mapping

import pytest

from app.domain.errors import TargetError
from app.domain.happening import Happening, Work
from app.domain.measurement import TrialStatus
from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.past_work import PastWork
from app.drivers.oracle.session import End, Rows
from app.foundation.rows import Cell, Row
from app.lab.faults import Fault
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab, small_plan

FAMILY = FAMILIES["streams_apply"]
SOURCE = "SRC.EXAMPLE.COM"


def run_with(*faults: tuple[str, int, str]) -> LabRun:
    """Return a run of four trials in which something happens at a call of a statement."""
    return run_on_lab(FAMILY, small_plan(FAMILY, blocks=2), faults=[Fault(*fault) for fault in faults])


def test_what_else_ran_stands_beside_the_trial_it_ran_in() -> None:
    """A backup and a job are told by history, other programs by what the processors did; the trial counts."""
    run = run_with(("insert_load", 2, "backup"), ("insert_load", 3, "other_programs"))
    told = [trial.happenings for trial in run.trials]
    assert told[0] == ()
    assert told[1] == (Happening(Work.BACKUP, SOURCE), Happening(Work.JOB, SOURCE, "STRMADMIN.NIGHTLY_REPORT"))
    (programs,) = (one for one in told[2] if one.work is Work.OTHER_PROGRAMS)
    assert programs.server == SOURCE
    assert programs.share == pytest.approx(0.42)
    assert {trial.status for trial in run.trials} == {TrialStatus.USED}


def test_each_is_read_once_for_a_trial() -> None:
    """At its end; the processors' totals at its beginning as well. No tick costs another round trip."""
    run = run_with()
    names = [record.name for record in run.records]
    assert names.count("past_work") == 2 * len(run.trials)
    assert names.count("processor_time") == 4 * len(run.trials)


@pytest.mark.parametrize("statement", ["past_work", "processor_time"])
def test_what_may_not_be_read_is_not_asked_again(statement: str) -> None:
    """The trials count all the same."""
    run = run_with((statement, 1, "permission_denied"))
    assert {trial.status for trial in run.trials} == {TrialStatus.USED}
    asked = [record for record in run.records if record.name == statement and record.error]
    assert len(asked) == 1
    later = [r for r in run.records if r.name == statement and r.server == asked[0].server]
    assert len(later) == 1


class Totals:
    """A session that answers totals of processors."""

    def __init__(self, *readings: Mapping[End, tuple[Cell, ...]]) -> None:
        self._readings = {end: [reading[end] for reading in readings] for end in readings[0]}

    def run(self, name: str, end: End, **_binds: object) -> Rows:
        """Return the next reading of an end."""
        assert name == "processor_time"
        return (Row(catalogue()[name].positions, self._readings[end].pop(0)),)

    def server_of(self, end: End) -> str:
        """Return its name."""
        return str(end)

    def cancel(self) -> None:
        """Nothing runs."""

    def close(self) -> None:
        """Nothing is open."""


def told_of(*readings: Mapping[End, tuple[Cell, ...]]) -> tuple[Happening, ...]:
    """Return what two readings of the totals tell."""
    past = PastWork(Totals(*readings), {end: end.value for end in readings[0]})
    for read in past.begin().values():
        assert read() == ()
    return past.readings(60.0)["processor_time"]()


def test_what_others_used_is_what_is_left_of_the_host() -> None:
    """Of 400 s of four processors 180 s were busy, 60 s of them the instance's: 30 % were others'."""
    before, after = ("host", 1_000.0, 5_000.0, 700.0), ("host", 1_180.0, 5_220.0, 760.0)
    assert told_of({End.SOURCE: before}, {End.SOURCE: after}) == (Happening(Work.OTHER_PROGRAMS, "source", share=0.3),)


def test_both_databases_of_one_host_are_no_others_to_each_other() -> None:
    """What the other end of the pipeline uses is part of what is measured."""
    first, second = ("host", 0.0, 0.0, 0.0), ("host", 0.0, 0.0, 0.0)
    after = {End.SOURCE: ("host", 200.0, 200.0, 100.0), End.DESTINATION: ("host", 200.0, 200.0, 90.0)}
    assert told_of({End.SOURCE: first, End.DESTINATION: second}, after) == ()
    after[End.DESTINATION] = ("elsewhere", 200.0, 200.0, 90.0)
    met = told_of({End.SOURCE: first, End.DESTINATION: ("elsewhere", 0.0, 0.0, 0.0)}, after)
    assert [(one.server, one.share) for one in met] == [("source", 0.25), ("destination", 0.275)]


@pytest.mark.parametrize(
    "after",
    [("host", 10.0, 20.0, 1.0), ("host", None, None, 760.0), ("host", 1_000.0, 5_000.0, 700.0)],
    ids=["the host started anew", "it does not tell", "no time passed"],
)
def test_totals_that_tell_nothing_tell_nothing(after: tuple[Cell, ...]) -> None:
    """None of them is a share."""
    assert told_of({End.SOURCE: ("host", 1_000.0, 5_000.0, 700.0)}, {End.SOURCE: after}) == ()


def test_a_reading_that_fails_in_the_middle_leaves_no_half_of_it() -> None:
    """Where one end's totals could be read and the other's not, nothing is told at the end."""

    class Broken(Totals):
        def run(self, name: str, end: End, **binds: object) -> Rows:
            if end is End.DESTINATION:
                raise TargetError("not there")
            return super().run(name, end, **binds)

    zero = ("host", 0.0, 0.0, 0.0)
    past = PastWork(Broken({End.SOURCE: zero}), {End.SOURCE: "source", End.DESTINATION: "destination"})
    with pytest.raises(TargetError):
        past.begin()["processor_time"]()
    assert past.readings(60.0).keys() == {"past_work source", "past_work destination", "processor_time"}
