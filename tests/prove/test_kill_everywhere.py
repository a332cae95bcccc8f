"""The fault matrix: the program is killed once after every journal write and every statement of a session."""

from pathlib import Path
from typing import Final

import pytest

from tests.prove.killing import FAMILIES, lab_server, read_state, restore_and_check, run_and_kill, write_plan
from tests.prove.thirds import Share

MOST_POLLS: Final = 8
"""By how much a session may be shorter than another: waits ask more or less often while the agents go on."""


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
            shorter = 0 if killed.moments is None else len(whole.moments) - len(killed.moments)
            assert shorter <= MOST_POLLS, f"the session ended {shorter} moments before {number}, {name}"
            restore_and_check(out, original, target, killed)
    print(
        f"{family}, {share}: killed at {len(moments)} of {len(whole.moments)} moments, restored each time, no finished "
        "trial lost"
    )
