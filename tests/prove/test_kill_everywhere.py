"""The fault matrix: the program is killed once after every journal write and every statement of a session."""

from pathlib import Path

import pytest

from tests.prove.killing import FAMILIES, lab_server, read_state, restore_and_check, run_and_kill, write_plan


@pytest.mark.prove
@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_killed_at_every_moment_the_server_is_restored(tmp_path: Path, family: str) -> None:
    """Whatever moment the kill comes at, restore puts the server back and no finished trial is lost."""
    plan = write_plan(tmp_path, family)
    with lab_server() as target:
        original = read_state(target)
        moment, killed = 0, None
        while killed is None or killed.moments is None:
            moment += 1
            out = tmp_path / f"{moment}"
            killed = run_and_kill(moment, out, target, plan)
            restore_and_check(out, original, target, killed)
    assert killed.moments == moment - 1
    print(f"{family}: killed at each of {killed.moments} moments, restored each time, no finished trial lost")
