"""What goes wrong on a server in mid-run: told in one sentence, restored or listed, finished trials kept."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.domain.happening import Happening, Work
from app.domain.measurement import TrialStatus
from app.domain.session import RunRecord
from app.store import open_for_reading
from tests.e2e.program import SMALL_PLAN, Ended, call, scenario_with, served_lab, write

PLAN = SMALL_PLAN.replace("8000", "40_000")
LONGER_PLAN = SMALL_PLAN.replace("8000", "400_000")
AGENT = "Distribution Agent PUB1-Sales1-Sales1Orders-SUB1-1"
STEP = f"-SubscriptionStreams in the job step of {AGENT}"


@dataclass(frozen=True)
class Faulty:
    """A run on a lab with faults."""

    ended: Ended
    folder: Path
    journal: Path

    def run(self) -> RunRecord:
        """Return the one run of its session."""
        with open_for_reading(self.folder / "session.replitune") as reader:
            (run,) = reader.read_session(with_samples=False).runs
            return run


def run_with(folder: Path, *faults: tuple[str, int, str], plan: str = SMALL_PLAN, also: tuple[str, ...] = ()) -> Faulty:
    """Run a plan on a lab of this process with faults: (statement, which call of it, what goes wrong)."""
    scenario = scenario_with(folder / "faulty.toml", faults)
    path, journal = write(folder / "plan.toml", plan), folder / "journal"
    ended = call("run", path, "--target", f"lab:{scenario}", "--out", folder / "out", "--journal", journal, *also)
    return Faulty(ended, folder / "out", journal)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (("set_job_step_token", 1, "permission_denied"), 'this login may not run "set_job_step_token" at DIST1'),
        (("distributor_sample", 5, "permission_denied"), 'this login may not run "distributor_sample" at DIST1'),
        (("set_job_step_token", 1, "lost_before"), 'the connection to DIST1 broke during "set_job_step_token"'),
        (("set_job_step_token", 1, "lost_after"), 'the connection to DIST1 broke during "set_job_step_token"'),
        (("stop_job", 1, "lost_after"), 'the connection to DIST1 broke during "stop_job"'),
        (("set_job_step_token", 2, "deadlock"), 'DIST1 ended "set_job_step_token" as a deadlock victim'),
        (("write_load", 1, "timeout"), '"write_load" took longer than its limit at PUB1'),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_fault_ends_the_run_with_everything_put_back(
    tmp_path: Path, fault: tuple[str, int, str], sentence: str
) -> None:
    """Exit code 3, one sentence with the statement and the server, nothing left in the journal."""
    faulty = run_with(tmp_path, fault)
    assert faulty.ended.code == 3, faulty.ended
    assert faulty.ended.err.startswith("E1 failed: ")
    assert faulty.ended.err.count(sentence) == 1
    assert "Every change is undone and checked" in faulty.ended.err
    assert call("restore", "--journal", faulty.journal).out == "Nothing to restore.\n"
    run = faulty.run()
    assert run.status is RunStatus.FAILED
    assert run.trials[-1].status is TrialStatus.ABORTED
    assert sentence in run.trials[-1].failed_checks[0]


def test_an_agent_that_does_not_stop_stays_listed(tmp_path: Path) -> None:
    """It was asked to, and may still end with nobody there to start it again: exit code 4, and open in the journal."""
    faulty = run_with(tmp_path, ("stop_job", 1, "agent_will_not_stop"))
    assert faulty.ended.code == 4, faulty.ended
    assert "NOT UNDONE: Distribution Agent PUB1-Sales1-Sales1Orders-SUB1-1: " in faulty.ended.err
    assert faulty.ended.err.count("still runs 3600 s after it was asked to stop") == 2
    assert b"sp_start_job" in (faulty.folder / "rollback.sql").read_bytes()


@pytest.mark.parametrize("statement", ["agents", "job_step_tokens", "subscriptions"])
def test_what_cannot_be_read_beforehand_begins_no_session(tmp_path: Path, statement: str) -> None:
    """A permission that is missing from the start is one sentence, exit code 3, and no run stands in the file."""
    faulty = run_with(tmp_path, (statement, 1, "permission_denied"))
    assert faulty.ended.code == 3
    assert faulty.ended.err.startswith(f'replitune: this login may not run "{statement}" at DIST1; grant it: ')
    assert faulty.ended.err.count("\n") == 1
    assert not (faulty.folder / "rollback.sql").exists()
    assert not (faulty.folder / "session.replitune").exists()


def test_a_fall_back_to_one_stream_counts_with_its_time(tmp_path: Path) -> None:
    """The trial is used like any other, and the advice says in how many of how many it happened."""
    in_a_trial_with_streams = 40
    faulty = run_with(tmp_path, ("distributor_sample", in_a_trial_with_streams, "stream_fallback"), plan=PLAN)
    assert faulty.ended.code == 0, faulty.ended
    assert "trials not used" not in faulty.ended.out
    assert {trial.status for trial in faulty.run().trials} == {TrialStatus.USED}
    assert "E1-T001" in (faulty.folder / "measurements.csv").read_text(encoding="utf-8")
    measured = [m for trial in faulty.run().trials for m in trial.measurements]
    assert [m.value for m in measured if m.metric == "stream_fallbacks"].count(1.0) == 1


@pytest.mark.parametrize(
    ("statement", "left", "still_open"),
    [("set_job_step_token", STEP, 3), ("start_job", AGENT, 2)],
    ids=["a value", "a stopped agent"],
)
def test_what_cannot_be_put_back_is_listed_and_can_be_later(
    tmp_path: Path, statement: str, left: str, still_open: int
) -> None:
    """Exit code 4, the change named, in rollback.sql and for `restore`; the next run is refused until it is done.

    So is one with a journal of its own: the session's profile stays, by which others see that something is changed. The
    stop of an agent that runs on with a value stays open with the value.
    """
    scenario = scenario_with(
        tmp_path / "faulty.toml", [(statement, number, "permission_denied") for number in range(2, 12)]
    )
    plan, journal, folder = write(tmp_path / "plan.toml", SMALL_PLAN), tmp_path / "journal", tmp_path / "out"
    with served_lab("--scenario", scenario) as target:
        original = call("discover", "--target", target, "--json").json()
        ended = call("run", plan, "--target", target, "--out", folder, "--journal", journal)
        assert ended.code == 4, ended
        assert f"NOT UNDONE: {left}: this login may not run" in ended.err
        assert f"To undo the rest: replitune restore --journal {journal}, or" in ended.err
        assert "it stays until the rest is undone, because others see by it" in ended.err
        runs_on = f"NOT UNDONE: {AGENT}: it runs again, with what could not be undone" in ended.err
        assert runs_on == (left == STEP), ended.err
        assert f"Changes still to be undone: {still_open}" in (folder / "rollback.sql").read_text(encoding="utf-8-sig")
        refused = call("run", plan, "--target", target, "--out", tmp_path / "other", "--journal", journal)
        assert refused.code == 4
        assert f"still has changes of an earlier run ({still_open}, such as" in refused.err
        other = call(
            "run", plan, "--target", target, "--out", tmp_path / "other", "--journal", tmp_path / "other.journal"
        )
        assert other.code == 4
        assert "is not as an earlier session found it" in other.err
        sentence = other.err.removeprefix("replitune: ").strip()
        for looking in ("discover", "observe"):
            told = call(looking, "--target", target)
            assert 'is not as an earlier session found it (DIST1: profile "Replitune S' in told.out
            assert "`replitune restore`" in told.out
            assert sentence in told.out, "one thing in two sentences"
            assert [text.partition('"')[0] for text in call(looking, "--target", target, "--json").json()["left"]] == [
                "DIST1: profile "
            ]
        restored = restore_until_done(journal, still_open)
        assert f"undone: {left}: " in restored.out
        assert restored.out.endswith(f"Changes undone and checked: {still_open}\n")
        assert call("discover", "--target", target, "--json").json() == original


def restore_until_done(journal: Path, still_open: int) -> Ended:
    """Restore until the faults are used up, as a person would; each failure must say what is still open."""
    for _attempt in range(5):
        ended = call("restore", "--journal", journal)
        if ended.code == 0:
            return ended
        assert ended.code == 4
        assert "not restored: " in ended.err
        assert f"replitune: changes still open: {still_open}; run restore again" in ended.err
    raise AssertionError("it was never restored")


def test_a_lab_that_is_gone_is_told_and_its_changes_stay_listed(tmp_path: Path) -> None:
    """The server goes away for good: `restore` names what it could not do, and writes the script for the DBA."""
    scenario = scenario_with(tmp_path / "faulty.toml", [("start_job", n, "permission_denied") for n in range(2, 12)])
    plan, journal = write(tmp_path / "plan.toml", SMALL_PLAN), tmp_path / "journal"
    with served_lab("--scenario", scenario) as target:
        assert call("run", plan, "--target", target, "--out", tmp_path / "out", "--journal", journal).code == 4
    ended = call("restore", "--journal", journal)
    assert ended.code == 4
    assert "no lab answers at 127.0.0.1" in ended.err
    script = tmp_path / "undo.sql"
    written = call("restore", "--journal", journal, "--script", script)
    assert written.out == f"{script}: open changes it undoes: 2\n"
    assert "sp_start_job" in script.read_text(encoding="utf-8-sig")


def test_a_log_backup_in_the_middle_of_a_trial_stands_beside_it(tmp_path: Path) -> None:
    """Noticed by a tick, named by the history, kept in the file, told by terminal and JSON; the trial counts."""
    faulty = run_with(tmp_path, ("distributor_sample", 8, "log_backup"), plan=PLAN, also=("--json",))
    assert faulty.ended.code == 0, faulty.ended
    met = {trial.trial_id: trial.happenings for trial in faulty.run().trials if trial.happenings}
    (trial_id,) = met
    backup = Happening(Work.LOG_BACKUP, "DIST1", "distribution")
    assert met[trial_id] == (Happening(Work.JOB, "DIST1", "Log backups"), backup)
    assert all(trial.status is TrialStatus.USED for trial in faulty.run().trials)
    assert f"During {trial_id}: the job Log backups ran on DIST1; a log backup of distribution" in faulty.ended.err
    with open_for_reading(faulty.folder / "session.replitune") as reader:
        listed = {trial.trial_id: trial.happenings for trial in reader.list_trials(("run_time",))}
    assert listed[trial_id] == met[trial_id]
    told = [(one["trial"], one["work"], one["subject"]) for one in json.loads(faulty.ended.out)["happenings"]]
    assert told == [(trial_id, "job", "Log backups"), (trial_id, "log_backup", "distribution")]


def test_other_programs_that_take_processors_stand_beside_the_trial(tmp_path: Path) -> None:
    """The server's own record of the minutes of a trial tells of them: at its end, with their share."""
    faulty = run_with(tmp_path, ("distributor_sample", 8, "other_programs"), plan=LONGER_PLAN, also=("--json",))
    assert faulty.ended.code == 0, faulty.ended
    met = {trial.trial_id: trial.happenings for trial in faulty.run().trials if trial.happenings}
    trial_id, (told,) = next(iter(met.items()))
    assert (told.work, told.server, told.subject) == (Work.OTHER_PROGRAMS, "DIST1", "")
    assert 0.1 <= told.share <= 0.42
    assert all(trial.status is TrialStatus.USED for trial in faulty.run().trials)
    sentence = f"other programs used {told.share * 100:.0f}\N{NO-BREAK SPACE}% of the processors of DIST1"
    assert f"During {trial_id}: {sentence}." in faulty.ended.err
    shares = {one["trial"]: (one["share"], one["text"]) for one in json.loads(faulty.ended.out)["happenings"]}
    assert shares[trial_id] == (told.share, sentence)


def test_a_server_that_does_not_tell_of_its_processors_keeps_no_trial_from_counting(tmp_path: Path) -> None:
    """Refused once, it is not asked again; backups and jobs are still told."""
    faults = [("distributor_sample", 8, "log_backup"), ("other_programs", 1, "permission_denied")]
    faulty = run_with(tmp_path, *faults, plan=PLAN)
    assert faulty.ended.code == 0, faulty.ended
    met = [happening.work for trial in faulty.run().trials for happening in trial.happenings]
    assert met == [Work.JOB, Work.LOG_BACKUP]
    with open_for_reading(faulty.folder / "session.replitune") as reader:
        asked = [one for one in reader.read_session().statements if one.name == "other_programs"]
    assert [one.server for one in asked].count("DIST1") == 1


@pytest.mark.parametrize("kind", ["permission_denied", "timeout"])
def test_a_history_that_may_not_be_read_keeps_no_trial_from_counting(tmp_path: Path, kind: str) -> None:
    """The readings of a tick still tell of the backup; the history is not asked there again."""
    faulty = run_with(tmp_path, ("distributor_sample", 8, "log_backup"), ("past_work", 1, kind), plan=PLAN)
    assert faulty.ended.code == 0, faulty.ended
    met = [happening for trial in faulty.run().trials for happening in trial.happenings]
    assert met == [Happening(Work.LOG_BACKUP, "DIST1")]
