"""An address that leads to another replica after a failover: what was changed is put back where it stands, or told."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import TargetError
from app.domain.events import RunEvent, RunStatus, TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.ports import StatementSink
from app.domain.target import Target
from app.drivers.oracle.session import End
from app.services.run.restoring import open_changes, restore_all
from app.systems.oracle_streams.offer import streams_port
from tests.labs import ignore
from tests.prove.group_happenings import FAILS_OVER_AT_ONCE, groups_by_alias
from tests.prove.happenings import Ground, Strike, run_session
from tests.prove.streams_happenings import STREAMS
from tests.prove.wire_faults import installed_drivers
from tests.prove.wire_session import open_target

_READING = {"commit_mode": "group_sample_primary", "seeding": "seeding_sample_primary"}


def after_the_flag(ground: Ground, plan: str, folder: Path) -> int:
    """Return the number of the first tick of a session after a trace flag was set at the server it was opened with."""
    with ground.make_lab() as lab:
        ended = run_session(ground, lab, plan, folder)
        assert ended.finished is not None
        assert ended.finished.status is RunStatus.SUCCEEDED, ended.problem
        names = [call.name for call in lab.calls]
    return names.index(_READING[plan], names.index("set_trace_flag")) + 1


@pytest.mark.parametrize("plan", sorted(_READING))
def test_after_a_failover_nothing_meant_for_one_replica_is_sent_to_another(tmp_path: Path, plan: str) -> None:
    """Of the group is put back at the new primary, of the old one's instance only where it is reached itself.

    Neither by the address of the target, nor by what a server says of the other one's, is the one taken for the other.
    """
    ground = groups_by_alias(installed_drivers()[0])
    number, out = after_the_flag(ground, plan, tmp_path / "undisturbed"), tmp_path / "struck"
    journal = out / "undo.journal"
    with ground.make_lab() as lab:
        before = lab.truth()
        lab.strike = Strike(number, FAILS_OVER_AT_ONCE.strike)
        ended = run_session(ground, lab, plan, out)
        assert ended.finished is not None
        assert ended.finished.status is RunStatus.FAILED
        assert ended.trials[-1].trial.status is TrialStatus.ABORTED
        assert {"trace_flag"} <= {entry.change.kind for entry in open_changes(journal)}
        assert any("trace flag" in told for told in ended.finished.not_restored)
        assert_kept_apart(plan, before, lab.truth())
        true_address = lab.ask(partial(address_of, "SQLNODE1", lab.key))
        wrong = restore_all(journal, open_target, lambda _change: None)
        assert not any("SQLNODE1" in subject for subject in wrong.restored), wrong
        assert any("leads to SQLNODE2 and not to SQLNODE1" in problem for problem in wrong.problems), wrong
        assert_kept_apart(plan, before, lab.truth())
        lab.ask(partial(say_of, "SQLNODE1", true_address))
        right = restore_all(journal, open_target, lambda _change: None)
        assert (right.problems, open_changes(journal)) == ((), ())
        lab.settle(60.0)
        assert lab.truth() == before


def test_where_the_old_primary_is_reached_by_its_own_name_all_is_put_back(tmp_path: Path) -> None:
    """At once, by the run itself: the group's at the new primary, the instance's at the old one."""
    ground = groups_by_alias(installed_drivers()[0], is_home_told=True)
    number, out = after_the_flag(ground, "commit_mode", tmp_path / "undisturbed"), tmp_path / "struck"
    with ground.make_lab() as lab:
        before = lab.truth()
        lab.strike = Strike(number, FAILS_OVER_AT_ONCE.strike)
        ended = run_session(ground, lab, "commit_mode", out)
        assert ended.finished is not None
        assert (ended.finished.status, ended.finished.not_restored) == (RunStatus.FAILED, ())
        assert ended.trials[-1].trial.status is TrialStatus.ABORTED
        assert open_changes(out / "undo.journal") == ()
        lab.settle(60.0)
        assert lab.truth() == before


def assert_kept_apart(plan: str, before: Any, now: Any) -> None:
    """The old primary's flag stands there and nowhere else; what is the group's alone is as it was."""
    assert dict(now.flags)["SQLNODE2"] == dict(before.flags)["SQLNODE2"]
    assert dict(now.flags)["SQLNODE1"] != dict(before.flags)["SQLNODE1"]
    if plan == "commit_mode":
        assert now.replicas == before.replicas


def address_of(server: str, key: str, lab: Any) -> str:
    """Have a server said to be reached at the address of a target; return where it truly is."""
    true_address: str = lab.state.addresses[server]
    port = key.partition("?")[0].rpartition(":")[2]
    say_of(server, f"127.0.0.1,{port}", lab)
    return true_address


def say_of(server: str, address: str, lab: Any) -> None:
    """Have the others say where a server is reached."""
    lab.state.addresses[server] = address


@pytest.mark.parametrize("end", list(End), ids=str)
@pytest.mark.parametrize("plan", sorted(STREAMS.plans))
def test_nothing_meant_for_one_database_is_done_in_another(tmp_path: Path, plan: str, end: End) -> None:
    """A service leads to another database between two trials: the run ends marked, and a restore says what is left.

    What was changed at the other end is put back.
    """
    journal = tmp_path / "struck" / "undo.journal"
    with STREAMS.make_lab() as lab:
        before, trials = lab.truth(), []

        def move_after_the_first(event: RunEvent) -> None:
            if isinstance(event, TrialFinished):
                trials.append(event.trial)
                if len(trials) == 1:
                    lab.move(end)

        ended = run_session(STREAMS, lab, plan, tmp_path / "struck", move_after_the_first)
        assert ended.finished is not None
        assert (ended.finished.status, len(trials)) == (RunStatus.FAILED, 2), ended.problem
        assert "leads to another database now" in trials[-1].failed_checks[0]
        left = open_changes(journal)
        assert left
        assert len(ended.finished.not_restored) == len({entry.change.object_key for entry in left})
        later = restore_all(journal, partial(_opened, lab), lambda _change: None)
        assert any("leads to another database now" in problem for problem in later.problems)
        assert len(open_changes(journal)) == len(left)
        assert lab.set_elsewhere == []
        lab.move(end, back=True)
        lab.state.roles[end] = "PHYSICAL STANDBY"
        standby = restore_all(journal, partial(_opened, lab), lambda _change: None)
        assert any("leads to a standby of the database now" in problem for problem in standby.problems)
        lab.state.roles[end] = "PRIMARY"
        back = restore_all(journal, partial(_opened, lab), lambda _change: None)
        assert (back.problems, open_changes(journal)) == ((), ())
        lab.settle(120.0)
        assert lab.truth() == before


def test_a_change_of_an_earlier_program_is_put_back_all_the_same() -> None:
    """Its journal does not say in which database it was made."""
    with STREAMS.make_lab() as lab:
        before, target = lab.truth(), _opened(lab, "", 1, ignore)
        port = streams_port(target)
        path = port.discover().paths[0]
        (change,) = port.plan_parameter(path, "TXN_LCR_SPILL_THRESHOLD", 50)
        old = replace(change, details=tuple(pair for pair in change.details if pair[0] != "at_database"))
        assert old != change
        target.changes.apply(old)
        lab.move(End.DESTINATION)
        with pytest.raises(TargetError, match="leads to another database now"):
            target.changes.undo(change)
        target.changes.undo(old)
        assert lab.truth() == before


def _opened(lab: Any, _target: str, _seed: int, on_statement: StatementSink) -> Target:
    return STREAMS.open(lab, on_statement)
