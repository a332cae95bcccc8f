"""An address that leads to another replica after a failover: what was changed is put back where it stands, or told."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from app.services.run.restoring import open_changes, restore_all
from tests.prove.group_happenings import FAILS_OVER_AT_ONCE, groups_by_alias
from tests.prove.happenings import Ground, run_session
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
        lab.strike = (number, FAILS_OVER_AT_ONCE.strike)
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
