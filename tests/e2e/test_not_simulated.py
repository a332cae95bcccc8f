"""A plan over a parameter that the lab does not simulate: refused in one sentence, wherever the lab runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.domain.setting import Parameter
from app.systems.availability_groups.families.commit_mode import CommitModeFamily
from app.systems.oracle_streams.families.streams_apply import StreamsApplyFamily
from app.systems.transactional_replication.families.log_reader import LogReaderFamily
from tests.e2e.program import assert_one_sentence, call, served_lab, write

MAX_COMMANDS = Parameter("MaxCmdsInTran", "commands", 0, 0, None, (0, 100), "", "")
# An option of the replica that servers have, too.
SESSION_TIMEOUT = Parameter("session_timeout", "s", 10, 5, None, (10, 20), "", "")
FORCED = Parameter("_CHECKPOINT_FORCE", "", "N", None, None, ("N", "Y"), "", "", ("N", "Y"))

AGENTS = 'family = "log_reader"\n[factors]\nMaxCmdsInTran = [0, 100]\n'
GROUPS = """family = "commit_mode"
[factors]
session_timeout = [10, 20]
[workload]
group = "AG_SYNC"
database = "LoadSync"
"""
STREAMS = 'family = "streams_apply"\n[factors]\n_CHECKPOINT_FORCE = ["N", "Y"]\n[workload]\nconfirm_hidden = "yes"\n'


@pytest.fixture(autouse=True)
def _more_to_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three families offer a parameter more than the labs simulate."""
    monkeypatch.setattr(LogReaderFamily, "parameters", (*LogReaderFamily.parameters, MAX_COMMANDS))
    monkeypatch.setattr(CommitModeFamily, "parameters", (*CommitModeFamily.parameters, SESSION_TIMEOUT))
    monkeypatch.setattr(StreamsApplyFamily, "parameters", (*StreamsApplyFamily.parameters, FORCED))


@contextmanager
def _lab(target: str) -> Iterator[str]:
    """Give the key of a lab: one in this process, or `served:SCENARIO` in one of its own, behind TDS."""
    scenario = target.removeprefix("served:")
    if scenario == target:
        yield target
        return
    with served_lab("--scenario", scenario) as key:
        yield key


@pytest.mark.parametrize(
    ("target", "plan", "name"),
    [
        ("lab", AGENTS, MAX_COMMANDS.name),
        ("lab:ag-2016", GROUPS, SESSION_TIMEOUT.name),
        ("lab:streams-2009", STREAMS, FORCED.name),
        ("served:lan", AGENTS, MAX_COMMANDS.name),
        ("served:ag-2016", GROUPS, SESSION_TIMEOUT.name),
    ],
    ids=["agents", "groups", "streams", "agents served", "groups served"],
)
def test_it_is_refused_before_the_run(tmp_path: Path, target: str, plan: str, name: str) -> None:
    """Dry run and run end with code 2 and the same sentence; no session is begun."""
    file, out = write(tmp_path / "plan.toml", plan), tmp_path / "out"
    sentence = f"{file}: the lab does not simulate {name}; vary another parameter, or measure on a server"
    with _lab(target) as key:
        for more in (("--dry-run",), ("--out", out)):
            ended = call("run", file, "--target", key, *more)
            assert_one_sentence(ended)
            assert sentence in ended.err
    assert not list(out.rglob("*"))
