"""The backup method's two jobs, and what is said when one fails."""

from app.domain.happening import Happening, Work
from app.foundation.rows import Cell
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod
from app.systems.availability_groups.seeding_server.progress import SeedingProgress, SeedingRun
from tests.unit.targets.sqlserver.scripted import MOMENT, Answer, ScriptedSession

RUN = SeedingRun(SeedingMethod.BACKUP_RESTORE, "AG", "Sales", "B", BackupOptions("E:\\"), "", 0, 0)


ALIVE: dict[str, Cell] = {"server_started_ms": 1, "is_in_group": 1}


def step(name: str | None, *, running: int = 0, succeeded: int | None = 1, message: str = "") -> dict[str, Cell]:
    """Return a row of a job's history."""
    started = None if name is None else MOMENT
    return {
        "is_running": running,
        "step_name": name,
        "started_utc": started,
        "duration_s": 5,
        "succeeded": succeeded if name else None,
        "message": message,
    }


def session(job: list[Answer], joined: int = 0, **seeding: Cell) -> ScriptedSession:
    """Return servers in the middle of a seeding."""
    primary: dict[str, Cell] = {"now_utc": MOMENT, "primary_replica": "A", "cpu_count": 4, **ALIVE, **seeding}
    secondary: dict[str, Cell] = {
        "cpu_count": 4,
        "server_started_ms": 1,
        "parallel_redo_threads": 0,
        "is_joined": joined,
    }
    return ScriptedSession(
        {
            "seeding_sample_primary": [[primary]],
            "seeding_sample_secondary": [[secondary]],
            "seeding_job": job,
            "backup_history": [[]],
            "start_restore_job": [[]],
            "database_files": [[]],
        }
    )


def state_of(found: ScriptedSession, run: SeedingRun = RUN) -> tuple[str, str, SeedingRun]:
    """Return state, failure and the run after a sample."""
    sample, after = SeedingProgress(found).sample(run)
    return sample.state, sample.failure, after


def test_restore_starts_when_both_backups_are_done() -> None:
    """While the first job runs nothing is started; after it the second one is, at the secondary, once."""
    running = session([[step("backup", running=1)]])
    assert state_of(running)[0] == "running"
    assert "start_restore_job" not in running.names()
    done = session([[step("backup"), step("log backup")]])
    state, _failure, after = state_of(done)
    assert state == "running"
    assert after.is_restoring
    assert ("start_restore_job", "B") in [(name, server) for name, server, _values in done.sent]


def test_it_is_complete_when_joined() -> None:
    """A last step that succeeded is not enough: the database has to be in the group."""
    restoring = SeedingRun(RUN.method, "AG", "Sales", "B", RUN.options, "", 0, 0, is_restoring=True)
    job: list[Answer] = [[step("restore"), step("log restore"), step("join")]]
    assert state_of(session(job), restoring)[0] == "running"
    assert state_of(session(job, joined=1), restoring)[0] == "complete"


def test_failed_step_is_told_in_the_servers_words() -> None:
    """The message of the step that failed is the failure."""
    failed = session([[step("backup", succeeded=0, message="Operating system error 5")]])
    assert state_of(failed)[:2] == ("failed", "Operating system error 5")


def test_job_that_vanished_is_a_failure() -> None:
    """A job removed by somebody, or stopped, does not leave the run waiting for ever."""
    for job in ([], [step("backup")]):
        state, failure, _run = state_of(session([list(job)]))
        assert state == "failed"
        assert "ended before its last step" in failure


def test_direct_seeding_failure_is_told() -> None:
    """The view's words are the failure; the seeding before it does not count."""
    direct = SeedingRun(SeedingMethod.DIRECT, "AG", "Sales", "B", BackupOptions(""), "OLD", 0, 0)
    old = session([[]], operation_id="OLD", seeding_state="COMPLETED")
    assert state_of(old, direct)[0] == "not started"
    new = session([[]], operation_id="NEW", seeding_state="FAILED", seeding_failure="Seeding Check Message Timeout")
    assert state_of(new, direct)[:2] == ("failed", "Seeding Check Message Timeout")
    assert SeedingProgress(old).steps(direct) == ()


def test_what_is_maintained_meanwhile_is_told_and_seeding_itself_is_not() -> None:
    """Backups and restores are what seeding is made of; index work and consistency checks are somebody else's."""
    sample, _after = SeedingProgress(
        session([[step("backup", running=1)]], index_builds=2, consistency_checks=1)
    ).sample(RUN)
    server = ScriptedSession({}).own_server
    assert sample.work == (Happening(Work.INDEX_MAINTENANCE, server), Happening(Work.CONSISTENCY_CHECK, server))
