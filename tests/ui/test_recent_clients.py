"""Sessions of one client stand together on the start page; servers connected to are offered again."""

from dataclasses import replace
from pathlib import Path

from app.flows.shell.recent_view import RecentLine, by_client, recent_table
from app.flows.target.start_offers import read_servers
from app.flows.target.target_view import TargetGroup, listed_targets
from app.services.preferences import Preferences, remember_target
from app.services.program import Program
from app.services.target.targets_catalogue import list_lab_scenarios
from tests.labs import SYSTEMS

NORDWIND, LINDAU = "sqlserver://anna@dist1?trust=yes", "sqlserver://anna@dist2:1444"


def line(name: str, client: str, *, is_lab: bool = False, can_open: bool = True) -> RecentLine:
    """Return a line of the list."""
    path = Path(f"{name}.replitune")
    return RecentLine(path, name, "", "finished", 1, "", "", client=client, is_lab=is_lab, can_open=can_open)


def test_sessions_stand_by_client_the_last_one_first_and_labs_behind_them() -> None:
    """A session of the lab never stands between those of clients, and what cannot be opened is last."""
    lines = (
        line("demo", "Lab", is_lab=True),
        line("second", "Nordwind"),
        line("gone", "", can_open=False),
        line("only", "Lindau"),
        line("first", "Nordwind"),
    )
    assert [one.title for one in by_client(lines)] == ["second", "first", "only", "demo", "gone"]
    content = recent_table(by_client(lines))
    assert [row.cells[0].text for row in content.rows] == ["Nordwind", "Nordwind", "Lindau", "Lab", ""]


def test_a_file_called_as_its_client_is_not_named_twice() -> None:
    """Where the session would stand is how many the file holds."""
    empty, two = line("session", "session"), replace(line("Lindau", "Lindau"), session_ids=("S1", "S2"))
    rows = [[cell.text for cell in row.cells[:2]] for row in recent_table((empty, two)).rows]
    assert rows == [["session", "no session yet"], ["Lindau", "2 sessions"]]


def test_a_server_connected_to_is_offered_again_though_nobody_saved_it(program: Program) -> None:
    """Saved or not, those read last first; on Start by the host."""
    program.parts.saved_targets.add("Lindau", LINDAU)
    kept = remember_target(remember_target(Preferences(), LINDAU), NORDWIND)
    offers = read_servers(program, kept.recent_targets)
    assert [(offer.target, offer.title) for offer in offers] == [(NORDWIND, "dist1"), (LINDAU, "Lindau")]
    saved = (("Lindau", LINDAU),)
    listed = listed_targets(saved, list_lab_scenarios(SYSTEMS.values()), SYSTEMS, NORDWIND, kept.recent_targets)
    assert [(one.group, one.target) for one in listed[:2]] == [
        (TargetGroup.SAVED, LINDAU),
        (TargetGroup.RECENT, NORDWIND),
    ]
    assert sum(one.target == NORDWIND for one in listed) == 1
