"""Sites of Change Data Capture as clients have them: seldom answers, NULLs, two replicas, and jobs to be left alone."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from app.domain.errors import BadInput, ProcessDidNotRespond
from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from app.domain.setting import Value
from app.domain.statement import Access, StatementRecord
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.lab.servers import LabTransport
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.lab.faults import Fault
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look_at
from app.services.plan.checking import prepare_run
from app.services.plan.completing import read_site
from app.systems.change_data_capture.changes import JobPlace
from app.systems.change_data_capture.lab_server import CAPTURE_ERROR, JOB_STOPPED_BY_OTHERS
from app.systems.change_data_capture.members import capture_port
from app.systems.change_data_capture.observing import CaptureObservation
from app.systems.change_data_capture.scans import Limit
from app.systems.change_data_capture.server import STOP_LIMIT_S
from app.systems.change_data_capture.subjects import SYSTEM_ID
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.labs import lab_file, open_lab
from tests.shipped_rules import ADVISOR

FAMILY: Final = FAMILIES["cdc_capture"]
JOB: Final = "\n[job]\n"


def site(folder: Path, more: str) -> Path:
    """Write the shipped scenario with other words at its end, and without its second replica."""
    text = lab_file("capture").read_text(encoding="utf-8").partition("[replica]")[0]
    path = folder / "site.toml"
    path.write_text(text + more, encoding="utf-8")
    return path


def seen_at(scenario: Path | str) -> CaptureObservation:
    """Look at a site without an experiment."""
    look = look_at(open_lab(scenario, noise=False), Looking(ADVISOR, LookCost()))
    observation = look.of(SYSTEM_ID)
    assert isinstance(observation, CaptureObservation)
    return observation


@pytest.mark.parametrize(
    ("more", "limit"),
    [
        ("", Limit.MAXSCANS),
        ("has_nulls = true\nunanswered = 9\n", Limit.MAXSCANS),
        (f"{JOB}maxscans = 500\npollinginterval = 0\n", Limit.MAXTRANS),
        (f"{JOB}maxtrans = 1000000\npollinginterval = 3\n", Limit.POLLING),
        (f"{JOB}stands = true\n", Limit.UNKNOWN),
        ("is_published = true\n", Limit.UNKNOWN),
    ],
)
def test_a_look_says_which_value_is_the_limit(tmp_path: Path, more: str, limit: Limit) -> None:
    """Without an experiment, and whatever a server leaves NULL or answers late."""
    text = site(tmp_path, more)
    if limit is Limit.POLLING:
        text.write_text(re.sub(r"backlog = \d+", "backlog = 0", text.read_text(encoding="utf-8")), encoding="utf-8")
    [seen] = seen_at(text).databases
    assert seen.limit is limit


def test_a_look_tells_replicas_with_other_jobs() -> None:
    """Each has the job in a msdb of its own; the latency is that of all changes, about half the interval."""
    observation = seen_at("capture-traffic")
    assert "observed-capture-differs" in {finding.rule for finding in observation.findings}
    [seen] = observation.databases
    assert seen.limit is Limit.POLLING
    assert seen.latency_s == pytest.approx(2.5 + 0.2, abs=0.3)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("is_published = true\n", "log_reader"),
        (f"{JOB}stands = true\n", "It stands"),
        (f"{JOB}is_own_step = true\n", "step of the client's own"),
        (f"{JOB}continuous = 0\n", "continuous is never changed"),
    ],
)
def test_a_job_that_is_not_the_vendors_own_or_stands_is_left_alone(tmp_path: Path, more: str, why: str) -> None:
    """One sentence says why, and only reading statements were sent."""
    sent: list[StatementRecord] = []
    target = open_lab(site(tmp_path, more), on_statement=sent.append)
    with pytest.raises(BadInput, match=why):
        prepare_run(small_plan(FAMILY), FAMILY, target, "plan.toml")
    assert {record.access for record in sent} == {Access.READ}


def test_a_disabled_job_that_somebody_started_is_told_and_left_running(tmp_path: Path) -> None:
    """A schedule does not start it, a run does: it is said beforehand, and afterwards it runs with its own values."""
    scenario = site(tmp_path, f"{JOB}is_enabled = false\n")
    prepared = prepare_run(small_plan(FAMILY), FAMILY, open_lab(scenario), "plan.toml")
    told = [check for check in prepared.checks if check.title == "The Agent may start it by itself"]
    assert [(check.passed, check.blocking) for check in told] == [(False, False)]
    run = run_on_lab(FAMILY, small_plan(FAMILY), scenario=scenario)
    run.assert_restored("a disabled job")
    job = FAMILY.system.discover(run.target, lambda _why: None).job_of("Orders")
    assert (job.is_running, job.is_enabled, job.values) == (True, False, (500, 10, 1, 5))


def test_single_scans_touch_no_stored_value_and_tell_what_the_job_does() -> None:
    """Exploring sends no change of values; confirming runs the job itself, and both rates agree."""
    plan = small_plan(FAMILY, blocks=1, confirm_blocks=3)
    plan = replace(plan, load=plan.load.but(source="own_backlog", window_s=20.0))
    run = run_on_lab(FAMILY, plan, noise=False)
    run.assert_restored("single scans")
    rates: dict[tuple[str, str], list[float]] = {}
    for trial in run.trials:
        [rate] = [m.value for m in trial.measurements if m.metric == "throughput"]
        rates.setdefault((trial.phase.value, trial.setting.label()), []).append(rate)
    shared = {setting for phase, setting in rates if phase == "confirm"}
    assert len(shared) == 2
    for setting in shared:
        assert rates["explore", setting][0] == pytest.approx(rates["confirm", setting][0], rel=0.1)
    names = [record.name for record in run.records]
    assert names.index("set_capture_job") > max(n for n, name in enumerate(names) if name == "scan_log_once")


def test_a_run_sends_to_one_instance_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a listener the same name leads to another msdb after a failover: no job is read or changed there."""
    sent, send = set[tuple[str, bool]](), LabTransport.send

    def noting(
        self: LabTransport, statement: Statement, place: Place, parameters: Mapping[str, Value]
    ) -> tuple[tuple[Cell, ...], ...]:
        sent.add((statement.name, place.is_instance))
        return send(self, statement, place, parameters)

    monkeypatch.setattr(LabTransport, "send", noting)
    run_on_lab(FAMILY, small_plan(FAMILY)).assert_restored("one instance")
    assert {"set_capture_job", "stop_capture_job", "capture_sample"} <= {name for name, _one in sent}
    anywhere = {"other_programs", "past_work"}  # the work of others is asked for at the address, as in every system
    assert sorted(name for name, is_instance in sent if not is_instance and name not in anywhere) == []


@pytest.mark.parametrize(("fault", "call"), [(CAPTURE_ERROR, 6), (JOB_STOPPED_BY_OTHERS, 6)])
def test_an_error_of_the_scan_or_a_stop_by_others_ends_the_run(fault: str, call: int) -> None:
    """What failed is started again; what somebody stopped is left stopped; values are undone either way."""
    run = run_on_lab(FAMILY, small_plan(FAMILY), faults=(Fault("capture_sessions", call, fault),))
    assert run.end.status is RunStatus.FAILED
    assert run.trials[-1].status is not TrialStatus.USED
    found = FAMILY.system.discover(run.target, lambda _why: None)
    job = found.job_of("Orders")
    assert job.values == (500, 10, 1, 5)
    assert job.is_running is (fault == CAPTURE_ERROR)


def test_at_whatever_reading_somebody_stops_the_job_it_stays_stopped() -> None:
    """A run that meets it ends and does not start it again, but where its own start seemed not to have worked."""
    ended = dict[int, tuple[RunStatus, bool]]()
    for call in range(1, 13):
        fault = Fault("capture_job_activity", call, JOB_STOPPED_BY_OTHERS)
        run = run_on_lab(FAMILY, small_plan(FAMILY), faults=(fault,))
        job = FAMILY.system.discover(run.target, lambda _why: None).job_of("Orders")
        assert job.values == (500, 10, 1, 5), call
        if "after it was started" not in run.end.reason:
            ended[call] = (run.end.status, job.is_running)
    assert set(ended.values()) == {(RunStatus.FAILED, False), (RunStatus.SUCCEEDED, True)}, ended
    assert ended[1] == (RunStatus.FAILED, False), "before its first change"


def test_a_job_that_somebody_starts_while_it_is_stopped_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for, as it is another run of the job by then."""
    target = open_lab("capture", noise=False)
    job, send = FAMILY.system.discover(target, lambda _why: None).job_of("Orders"), LabTransport.send
    place_of_job = JobPlace.of(job)

    def starting_again(
        self: LabTransport, statement: Statement, place: Place, parameters: Mapping[str, Value]
    ) -> tuple[tuple[Cell, ...], ...]:
        answered = send(self, statement, place, parameters)
        if statement.name == "stop_capture_job":
            target.clock.sleep(2.0)
            capture_port(target).start(place_of_job)
        return answered

    monkeypatch.setattr(LabTransport, "send", starting_again)
    began_s = target.clock.monotonic_s()
    with pytest.raises(ProcessDidNotRespond, match="started again by somebody"):
        capture_port(target).stop(place_of_job)
    assert target.clock.monotonic_s() - began_s < STOP_LIMIT_S


def test_a_plan_that_names_no_database_is_given_the_first_that_can_be_measured(tmp_path: Path) -> None:
    """One that is published is none: its job stands, as a Log Reader Agent reads its log."""
    fitted = FAMILY.system.rig_kind(FAMILY.subject).fitted
    plan = small_plan(FAMILY)
    unnamed = replace(plan, load=plan.load.but(database=""))
    for more, named in (("", "Orders"), ("is_published = true\n", "")):
        site_seen = read_site(open_lab(site(tmp_path, more)), FAMILY)
        assert fitted(unnamed, site_seen).load.text("database") == named
