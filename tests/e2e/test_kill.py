"""A handful of kills of the fault matrix, quick enough for every test run."""

from pathlib import Path

import pytest

from tests.prove.killing import (
    OWN_WORK,
    lab_server,
    read_state,
    restore_and_check,
    run_and_kill,
    write_own_work_plan,
    write_plan,
)
from tests.writers import incident


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


@pytest.mark.parametrize("source", OWN_WORK)
def test_killed_in_a_window_or_while_held_the_agent_delivers_again(tmp_path: Path, source: str) -> None:
    """The client's agent runs as it was found, with the settings it had, though his applications go on writing."""
    plan = write_own_work_plan(tmp_path, source)
    with lab_server(incident(tmp_path)) as target:
        original = read_state(target)
        whole = run_and_kill(0, tmp_path / "whole", target, plan)
        assert whole.moments is not None
        assert not {"write_load", "load_table", "post_tracer_token"} & set(whole.moments)
        for share in (0.3, 0.6, 0.9, 0.97):
            out = tmp_path / f"{share}"
            killed = run_and_kill(max(1, int(len(whole.moments) * share)), out, target, plan)
            restore_and_check(out, original, target, killed)
