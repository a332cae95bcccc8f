"""The fault matrix: the program is killed once after every journal write and every statement of a session."""

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final

import pytest

from app.domain.change import Keep
from tests.prove.kept_on_purpose import SUBJECTS, Subject, run_to_confirm
from tests.prove.killing import (
    FAMILIES,
    OWN_WORK,
    WRITTEN_WINDOWS,
    Killed,
    lab_server,
    read_state,
    restore_and_check,
    run_and_kill,
    write_own_work_plan,
    write_plan,
    write_windows_plan,
)
from tests.prove.shares import Share
from tests.writers import incident

SAMPLES: Final = frozenset({"distributor_sample", "publisher_sample", "agent_backlog"})
"""What is read at each tick, and so may be sent less often by another session: a trial is as long as the lab's noise
makes it, which goes on."""


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_killed_at_every_moment_the_server_is_restored(tmp_path: Path, family: str, share: Share) -> None:
    """Whatever moment the kill comes at, restore puts the server back and no finished trial is lost."""
    plan = write_plan(tmp_path, family)
    with lab_server() as target:
        _kill_everywhere(lambda: nullcontext(target), tmp_path, plan, share)


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("family", WRITTEN_WINDOWS)
def test_killed_in_windows_on_a_test_table_the_server_is_restored(tmp_path: Path, family: str, share: Share) -> None:
    """While its backlog is written and read, too; what is left of it is delivered as before the session."""
    plan = write_windows_plan(tmp_path, family)
    _kill_everywhere(lab_server, tmp_path, plan, share)


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("source", OWN_WORK)
def test_killed_on_the_clients_own_work_the_server_is_restored(tmp_path: Path, source: str, share: Share) -> None:
    """In a window and while the agent is held, while his applications write.

    Each session finds the backlog as it was: in what one leaves of it the next has other windows.
    """
    scenario = incident(tmp_path)
    _kill_everywhere(lambda: lab_server(scenario), tmp_path, write_own_work_plan(tmp_path, source), share)


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize(
    ("subject", "what"),
    [
        pytest.param(subject, what, id=f"{name}-{what}")
        for name, subject in SUBJECTS.items()
        for what in (*subject.hows, "undo")
    ],
)
def test_killed_at_every_moment_of_keeping_it_is_kept_as_a_whole_or_not_at_all(
    tmp_path: Path, subject: Subject[Any], what: Keep | str, share: Share
) -> None:
    """By a person's word alone it stays, and is undone: killed before, any restore undoes it, and later none does."""
    with lab_server(subject.site(tmp_path)) as target:
        found = subject.read(target)
        run = run_to_confirm(tmp_path, target, subject)

        def kill(at: int) -> Killed:
            if isinstance(what, Keep):
                return run.keep_and_kill(at, what)
            if not run.state.kept:
                run.keep(Keep.FOR_GOOD)
            return run.undo_and_kill(at)

        whole = kill(0).moments
        assert whole is not None
        run.check_and_undo(found, "not killed")
        moments = share.of(list(enumerate(whole, 1)), lambda moment: moment[1])
        for number, name in moments:
            kill(number)
            run.check_and_undo(found, f"{what} killed at {number}, {name}")
    about = f"keeping, {subject.family_id}, {what}, {share}"
    print(f"{about}: killed at {len(moments)} of {len(whole)} moments, never kept in part")


def _kill_everywhere(serve: Callable[[], AbstractContextManager[str]], folder: Path, plan: Path, share: Share) -> None:
    with serve() as target:
        original = read_state(target)
        whole = run_and_kill(0, folder / "whole", target, plan)
    assert whole.moments is not None
    moments = share.of(
        list(enumerate(whole.moments, 1)),
        lambda moment: moment[1],
        repeats=lambda moment: moment[1] if moment[1] in SAMPLES else "",
    )
    for number, name in moments:
        out = folder / f"{number}"
        with serve() as target:
            killed = run_and_kill(number, out, target, plan)
            missing = set() if killed.moments is None else set(Counter(whole.moments) - Counter(killed.moments))
            assert missing <= SAMPLES, f"the session ended before moment {number}, {name}, without {missing}"
            restore_and_check(out, original, target, killed)
    print(
        f"{plan.stem}, {share}: killed at {len(moments)} of {len(whole.moments)} moments, restored each time, no "
        "finished trial lost"
    )
