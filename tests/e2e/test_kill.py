"""A handful of kills of the fault matrix, quick enough for every test run."""

from pathlib import Path

import pytest

from tests.prove.killing import lab_server, read_state, restore_and_check, run_and_kill, write_plan


@pytest.mark.parametrize("family", ["distribution_agent", "log_reader"])
def test_killed_in_mid_run_the_server_is_restored(tmp_path: Path, family: str) -> None:
    """Killed early, in the middle and while restoring: the server is put back, finished trials are kept."""
    plan = write_plan(tmp_path, family)
    with lab_server() as target:
        original = read_state(target)
        whole = run_and_kill(0, tmp_path / "whole", target, plan)
        assert whole.moments is not None
        assert read_state(target) == original
        for share in (0.25, 0.5, 0.8, 0.97):
            out = tmp_path / f"{share}"
            killed = run_and_kill(max(1, int(len(whole.moments) * share)), out, target, plan)
            assert killed.moments is None
            restore_and_check(out, original, target, killed)
