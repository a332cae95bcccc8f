"""The fault matrix: the program is killed once after every journal write and every statement of a session."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.prove.killing import FAMILIES, lab_server, read_state, restore_and_check, run_and_kill, write_plan
from tests.prove.shares import Share

SAMPLES: Final = frozenset({"distributor_sample", "publisher_sample", "agent_backlog"})
"""What a session may send less often than another: a trial is as long as the lab's noise makes it, which goes on."""


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_killed_at_every_moment_the_server_is_restored(tmp_path: Path, family: str, share: Share) -> None:
    """Whatever moment the kill comes at, restore puts the server back and no finished trial is lost."""
    plan = write_plan(tmp_path, family)
    with lab_server() as target:
        original = read_state(target)
        whole = run_and_kill(0, tmp_path / "whole", target, plan)
        assert whole.moments is not None
        moments = share.of(list(enumerate(whole.moments, 1)), lambda moment: moment[1])
        for number, name in moments:
            out = tmp_path / f"{number}"
            killed = run_and_kill(number, out, target, plan)
            missing = set() if killed.moments is None else set(Counter(whole.moments) - Counter(killed.moments))
            assert missing <= SAMPLES, f"the session ended before moment {number}, {name}, without {missing}"
            restore_and_check(out, original, target, killed)
    print(
        f"{family}, {share}: killed at {len(moments)} of {len(whole.moments)} moments, restored each time, no finished "
        "trial lost"
    )
