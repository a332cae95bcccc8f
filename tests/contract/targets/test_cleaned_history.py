"""History that is shorter than the session it tells of: clean-up took the beginning, whose work is no hour's."""

from pathlib import Path

from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.offer import agent_ports
from tests.labs import open_lab

_HOUR_S = 3_600


def delivered(kept_h: str, folder: Path) -> list[tuple[int, float]]:
    """Return commands and busy seconds of a Distribution Agent's hours, after a large first hour and two small ones."""
    path = folder / "kept.toml"
    text = scenario_path("lan").read_text(encoding="utf-8")
    path.write_text(text + (f"\n[clean_up]\nkept_h = {kept_h}\n" if kept_h else ""), encoding="utf-8")
    target = open_lab(path, noise=False)
    ports = agent_ports(target)
    reader = ports.agents.discover().agents_of(AgentKind.LOG_READER)[0]
    for transactions in (40_000, 1_000, 1_000):
        ports.workload.write(reader, transactions, (2.5, 2.5), 1)
        target.clock.sleep(_HOUR_S)
    hours = [h for h in ports.agents.read_hours(24) if (h.kind, h.agent_id) == (AgentKind.DISTRIBUTION, 1)]
    return [(hour.commands, hour.busy_s) for hour in hours]


def test_the_oldest_kept_row_is_not_given_the_whole_session(tmp_path: Path) -> None:
    """With everything kept all counts; with two and a half hours kept the first hour's work is nobody's."""
    whole = sum(commands for commands, _busy_s in delivered("", tmp_path))
    kept = delivered("2.5", tmp_path)
    assert whole > 100_000
    assert 2_400 < sum(commands for commands, _busy_s in kept) < 5_200  # the oldest kept row tells no growth
    assert max(busy_s for _commands, busy_s in kept) <= _HOUR_S


def test_a_session_that_began_within_what_is_kept_counts_from_its_beginning(tmp_path: Path) -> None:
    """A clean-up that took nothing of it changes nothing."""
    assert delivered("48.0", tmp_path) == delivered("", tmp_path)
