"""The fault matrix: the program is killed once after every journal write and every statement of a session."""

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final

import pytest

from tests.prove.killing import (
    FAMILIES,
    OWN_WORK,
    lab_server,
    read_state,
    restore_and_check,
    run_and_kill,
    write_own_work_plan,
    write_plan,
)
from tests.prove.shares import Share
from tests.writers import incident

SAMPLES: Final = frozenset({"distributor_sample", "publisher_sample", "agent_backlog"})
"""What a session may send less often than another: a trial is as long as the lab's noise makes it, which goes on."""


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
@pytest.mark.parametrize("source", OWN_WORK)
def test_killed_on_the_clients_own_work_the_server_is_restored(tmp_path: Path, source: str, share: Share) -> None:
    """In a window and while the agent is held, while his applications write.

    Each session finds the backlog as it was: in what one leaves of it the next has other windows.
    """
    scenario = incident(tmp_path)
    _kill_everywhere(lambda: lab_server(scenario), tmp_path, write_own_work_plan(tmp_path, source), share)


def _kill_everywhere(serve: Callable[[], AbstractContextManager[str]], folder: Path, plan: Path, share: Share) -> None:
    with serve() as target:
        original = read_state(target)
        whole = run_and_kill(0, folder / "whole", target, plan)
    assert whole.moments is not None
    moments = share.of(list(enumerate(whole.moments, 1)), lambda moment: moment[1])
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
