"""What a killed session left where no mark at the servers tells of it: this computer's undo journal does."""

from app.bootstrap import build_program
from app.runner.undo.changer import SafeChanger
from app.services.run.restoring import restore_all
from app.store import UndoJournalFile
from app.systems.oracle_streams.offer import streams_port
from tests.e2e.program import call
from tests.labs import ignore

TARGET = "lab:streams-incident"


def test_discover_tells_values_of_streams_that_a_killed_session_left() -> None:
    """Each with its original, and the way to undo them; nothing once they are undone, and nothing elsewhere."""
    parts = build_program().parts
    target = parts.open_target(TARGET, 1, ignore)
    path = streams_port(target).discover().paths[0]
    (change,) = streams_port(target).plan_parameter(path, "parallelism", 8)
    with UndoJournalFile(parts.journal_path) as journal:
        SafeChanger(target, journal, "S20260101-000000-dead00").apply(change)
    target.close()
    found = call("discover", "--target", TARGET)
    assert f"{change.subject} {change.original} → 8" in found.out
    assert "replitune restore" in found.out
    assert call("discover", "--target", TARGET, "--json").json()["left"] == [
        f"{change.subject} {change.original} → {change.new}"
    ]
    assert "replitune restore" not in call("discover", "--target", "lab:streams-2009").out
    assert restore_all(parts.journal_path, parts.open_target, lambda _change: None).problems == ()
    assert "replitune restore" not in call("discover", "--target", TARGET).out
