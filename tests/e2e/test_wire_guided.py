"""Guided mode over TDS: a DBA with a driver of their own makes every change; others who change something meanwhile."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from app.bootstrap import load_families
from app.domain.events import HandConfirmed, HandRequested, RunEvent, RunStatus
from app.domain.measurement import TrialStatus
from app.domain.statement import Access
from app.runner.asking import HandDesk
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.run.restoring import open_changes
from app.services.workplace import open_workplace
from app.store import open_for_reading
from tests.e2e.odd_sites import READER, without_job
from tests.e2e.posed_lab import Call, Pose, Posed, PosedLab, posed_lab
from tests.e2e.program import call, interrupt, spawn
from tests.e2e.scripted_dba import ScriptedDba, printed_scripts
from tests.patience import PATIENCE_S
from tests.prove.killing import FAMILIES, write_plan
from tests.prove.wire_session import open_target

VERBOSE = "Verbose history agent profile."


def run_guided(plan_path: Path, lab: Posed, out: Path, observe: Callable[[RunEvent], None]) -> RunOutcome:
    """Run a plan in guided mode; nobody waits, because the observer is the DBA."""
    families = load_families()
    plan = load_plan(plan_path, dict(families))
    with GuidedSession(open_workplace(out), out / "undo.journal", open_target, title="guided") as session:
        target = session.open_target(lab.key(), 1)
        prepared = prepare_run(plan, families[plan.family], target, str(plan_path))
        outcome = session.run(prepared, target, RunControl(), [observe], desk=HandDesk(0.0))
        target.close()
    return outcome


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_dba_with_the_printed_scripts_alone_makes_every_change(tmp_path: Path, family: str) -> None:
    """Each script does what is waited for; the program itself writes the workload only; the servers are put back."""
    asked: list[HandRequested] = []
    confirmed: list[int] = []
    with posed_lab(Pose()) as lab:
        dba = ScriptedDba(lab.ports)

        def observe(event: RunEvent) -> None:
            if isinstance(event, HandRequested):
                asked.append(event)
                dba.run_script(event.script)
            elif isinstance(event, HandConfirmed):
                confirmed.append(event.number)

        before = lab.ask(PosedLab.truth)
        outcome = run_guided(write_plan(tmp_path, family), lab, tmp_path / "out", observe)
        assert lab.ask(PosedLab.truth) == before
        dba.close()
    assert outcome.status is RunStatus.SUCCEEDED, outcome
    assert confirmed == [event.number for event in asked] == list(range(1, len(asked) + 1))
    with open_for_reading(tmp_path / "out" / "session.replitune") as reader:
        session = reader.read_session()
    assert {s.name for s in session.statements if s.access is Access.CHANGE} == {"write_load"}
    assert {"stop_job", "start_job"} <= set(dba.ran)
    assert all(event.server == "DIST1" or "DIST1" in event.script for event in asked)


def interfere(at_trial: int, name: str, change: Callable[[PosedLab], None], lab: PosedLab) -> None:
    """Have somebody change something just before the n-th call of a statement; asked in the lab's process."""
    seen = 0

    def before_call(posed: PosedLab, made: Call) -> None:
        nonlocal seen
        seen += made.name == name
        if made.name == name and seen == at_trial:
            change(posed)

    lab.before_call = before_call


def give_verbose_profile(lab: PosedLab) -> None:
    """Give the first Log Reader Agent another profile."""
    agent = next(agent for agent in lab.state.site.agents if agent.name == READER)
    profile = lab.state.profiles.find(2, VERBOSE)
    assert profile is not None
    lab.state.profile_ids[agent.job_id] = profile.profile_id


def set_value(lab: PosedLab) -> None:
    """Change a value in the profile the agent has."""
    agent = next(agent for agent in lab.state.site.agents if agent.name == READER)
    profile = lab.state.profiles.get(lab.state.profile_ids[agent.job_id])
    assert profile is not None
    assert profile.name.startswith("Replitune ")
    profile.values["-ReadBatchSize"] = "777"


def edit_step(lab: PosedLab) -> None:
    """Change the streams in the job step of the first Distribution Agent."""
    agent = next(agent for agent in lab.state.site.agents if agent.kind == "distribution" and agent.agent_id == 1)
    step = lab.state.steps[agent.job_id]
    assert "-SubscriptionStreams 8" in step
    lab.state.steps[agent.job_id] = step.replace("-SubscriptionStreams 8", "-SubscriptionStreams 3")


OTHERS = [
    ("log_reader", give_verbose_profile, f'profile of Log Reader Agent {READER} was changed to "{VERBOSE}"'),
    ("log_reader", set_value, "is no longer 500, as this run had set it"),  # in a profile that goes with the run
    ("distribution_agent", edit_step, 'was changed to "3" by somebody else and stays so'),
]


@pytest.mark.parametrize(("family", "change", "sentence"), OTHERS, ids=["profile", "value", "job step"])
def test_what_somebody_else_changes_meanwhile_is_reported_and_not_overwritten(
    tmp_path: Path, family: str, change: Callable[[PosedLab], None], sentence: str
) -> None:
    """The run ends, the trial is not used, theirs stays; `restore` lists it until it is settled, either way.

    What they set in the run's own profile goes with it and leaves nothing to settle.
    """
    code = 3 if change is set_value else 4
    plan, journal, out = write_plan(tmp_path, family), tmp_path / "journal", tmp_path / "out"
    with posed_lab(Pose()) as lab:
        # in the middle of a trial with eight streams, which is not the first
        reading = 15 if change is edit_step else 6
        lab.ask(partial(interfere, reading, "distributor_sample", change))
        ended = call("run", plan, "--target", lab.key(), "--out", out, "--journal", journal)
        assert ended.code == code, ended
        assert "somebody else changed it meanwhile, so the run ends here" in ended.err
        assert ended.err.count(sentence) == 1
        assert "Traceback" not in ended.err
        with open_for_reading(out / "session.replitune") as reader:
            (run,) = reader.read_session(with_samples=False).runs
        assert run.status is RunStatus.FAILED
        assert run.trials[-1].status is TrialStatus.ABORTED
        theirs = lab.ask(PosedLab.truth)
        again = call("restore", "--journal", journal)
        assert again.code == (0 if change is set_value else 4), again
        assert lab.ask(PosedLab.truth) == theirs
        assert all(theirs.running.values())
        kept = call("restore", "--journal", journal, "--keep-others")
        assert kept.code == 0, kept
        assert lab.ask(PosedLab.truth) == theirs
        assert call("restore", "--journal", journal).out == "Nothing to restore.\n"


def test_a_profile_given_back_by_its_dba_can_be_restored(tmp_path: Path) -> None:
    """Who changed the profile gives the agent its own again, and restarts it: then nothing is left to restore."""
    plan, journal = write_plan(tmp_path, "log_reader"), tmp_path / "journal"
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        lab.ask(partial(interfere, 6, "distributor_sample", give_verbose_profile))
        assert call("run", plan, "--target", lab.key(), "--out", tmp_path / "out", "--journal", journal).code == 4
        dba = ScriptedDba(lab.ports)
        script = tmp_path / "undo.sql"
        assert call("restore", "--journal", journal, "--script", script).code == 0
        assert before.assigned[READER] in (2, 3)
        dba.send("DIST1", "distribution", "assign_profile", agent_type=2, agent_id=1, profile_id=2)
        dba.close()
        early = call("restore", "--journal", journal)
        assert early.code == 4
        assert f"is set again, but not in effect until the next start of Log Reader Agent {READER}" in early.err
        assert lab.ask(PosedLab.truth).started_with[READER] != before.started_with[READER]
        lab.ask(restart_reader)
        assert call("restore", "--journal", journal).code == 0
        assert lab.ask(PosedLab.truth).assigned == before.assigned
        assert lab.ask(PosedLab.truth).started_with[READER] == before.started_with[READER]


def restart_reader(lab: PosedLab) -> None:
    """Stop and start the agent, as its owner does."""
    agent = next(one for one in lab.state.site.agents if one.name == READER)
    lab.state.stop(agent)
    lab.state.advance(60.0)
    lab.state.start(agent)


def test_a_job_deleted_meanwhile_is_told_and_everything_else_is_put_back(tmp_path: Path) -> None:
    """Nothing can start a job that is gone: exit code 4, the agent named, the profile given back."""
    plan, journal = write_plan(tmp_path, "log_reader"), tmp_path / "journal"
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        lab.ask(partial(interfere, 3, "distributor_sample", without_job))
        ended = call("run", plan, "--target", lab.key(), "--out", tmp_path / "out", "--journal", journal)
        assert ended.code == 4, ended
        assert f"DIST1 has no job for {READER}" in ended.err
        assert "Traceback" not in ended.err
        after = lab.ask(PosedLab.truth)
    assert (after.profiles, after.assigned) == (before.profiles, before.assigned)


class AtTheTerminal:
    """A guided run by command whose DBA has run some scripts and is asked for the next one; a context manager.

    Attributes:
        scripts: what is asked for from here on.
    """

    def __init__(self, plan: Path, lab: Posed, folder: Path, done: int) -> None:
        self.journal = folder / "undo.journal"
        self._where = ("--out", folder / "out", "--journal", self.journal)
        self._begin("run", plan, "--target", lab.key(), "--guided", *self._where)
        self.dba = ScriptedDba(lab.ports)
        for _script in range(done):
            self.dba.run_script(next(self.scripts))
        next(self.scripts)

    def _begin(self, *arguments: object) -> None:
        self._process = spawn(*arguments)
        assert self._process.stderr is not None
        self._said: list[str] = []
        self.scripts = printed_scripts(self._listen(self._process.stderr))

    def kill_and_restore(self) -> tuple[int, str]:
        """Kill the run, then restore, running each script that is asked for; as `end`."""
        self._process.kill()
        self._process.communicate()
        self._begin("restore", "--journal", self.journal)
        return self._obey()

    def kill_and_resume(self) -> tuple[int, str]:
        """Kill the run, then let it go on as the program says, running each script that is asked for; as `end`."""
        self._process.kill()
        self._process.communicate()
        self._begin("run", "--resume", *self._where)
        return self._obey()

    def _obey(self) -> tuple[int, str]:
        for script in self.scripts:
            self.dba.run_script(script)
        return self.end()

    def __enter__(self) -> "AtTheTerminal":
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.communicate()
        self.dba.close()

    def _listen(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            self._said.append(line)
            yield line

    def interrupt(self) -> None:
        """Press Ctrl+C."""
        interrupt(self._process)

    def end(self) -> tuple[int, str]:
        """Wait for the end, running nothing; return the exit code and what stood on the terminal."""
        for _script in self.scripts:
            pass
        return self._process.wait(PATIENCE_S), "".join(self._said)


@pytest.mark.parametrize("done", [0, 2])
def test_ctrl_c_while_the_dba_is_waited_for_ends_the_run(tmp_path: Path, done: int) -> None:
    """What was changed is asked back; once the DBA has run that, the run ends at once with everything put back."""
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        with AtTheTerminal(write_plan(tmp_path, "log_reader"), lab, tmp_path, done) as terminal:
            terminal.interrupt()
            for script in terminal.scripts:
                terminal.dba.run_script(script)
            code, said = terminal.end()
        assert lab.ask(PosedLab.truth) == before
    assert code == 130, said
    assert said.count("press Ctrl+C again") == 1
    assert "Every change is undone and checked" in said
    assert "Traceback" not in said
    assert open_changes(terminal.journal) == ()


def test_a_second_ctrl_c_waits_for_nobody(tmp_path: Path) -> None:
    """The DBA is gone: the run ends with what is not put back listed, and `restore`, told so, puts it back."""
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        with AtTheTerminal(write_plan(tmp_path, "log_reader"), lab, tmp_path, 2) as terminal:
            terminal.interrupt()
            next(terminal.scripts)  # what is to be put back is asked for, and nobody runs it
            terminal.interrupt()
            code, said = terminal.end()
        assert code == 4, said
        assert "NOT UNDONE" in said
        assert "Traceback" not in said
        assert open_changes(terminal.journal)
        assert call("restore", "--journal", terminal.journal, "--hands-on").code == 0
        assert lab.ask(PosedLab.truth) == before


@pytest.mark.parametrize("way_on", ["restore", pytest.param("resume", marks=pytest.mark.prove)])
def test_a_killed_guided_run_is_undone_and_goes_on_by_scripts(tmp_path: Path, way_on: str) -> None:
    """As the program prints it, without another word: the lab gets no changing statement of ours but the load's."""
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        with AtTheTerminal(write_plan(tmp_path, "log_reader"), lab, tmp_path, 2) as terminal:
            assert open_changes(terminal.journal)
            code, said = terminal.kill_and_restore() if way_on == "restore" else terminal.kill_and_resume()
        assert code == 0, said
        assert "Traceback" not in said
        assert lab.ask(PosedLab.truth) == before
        changing = Counter(sent.name for sent in lab.ask(PosedLab.sent) if sent.access is Access.CHANGE)
    assert set(changing - Counter(terminal.dba.ran)) <= {"write_load"}
    assert open_changes(terminal.journal) == ()
