"""What a session, and with it its report, is called before somebody edits the title."""

from pathlib import Path
from typing import Any

from app.bootstrap import build_program
from app.domain.ports import StatementSink
from app.domain.target import Target
from app.runner.control import RunControl
from app.services.hand_over.past_sessions import summarise_session
from app.services.plan.checking import prepare_run
from app.services.run.guided_session import GuidedSession
from app.services.workplace import open_workplace
from tests.contract.families.lab_runs import small_plan


def test_a_session_is_named_after_its_server_and_not_by_its_address(tmp_path: Path) -> None:
    """An address holds a user, a port and options, which nobody reads on a cover."""
    program = build_program()
    family = program.families["distribution_agent"]

    def open_server(_target: str, seed: int, on_statement: StatementSink, /) -> Target:
        opened: Any = program.parts.open_target("lab", seed, on_statement)
        opened.key, opened.label = "sqlserver://anna@dist1:1433?trust=yes", "dist1"
        server: Target = opened
        return server

    with GuidedSession(open_workplace(tmp_path / "session"), tmp_path / "undo.journal", open_server) as session:
        target = session.open_target("sqlserver://anna@dist1:1433?trust=yes", 1)
        prepared = prepare_run(small_plan(family), family, target, "plan")
        session.run(prepared, target, RunControl(), [])
        target.close()
    assert summarise_session(tmp_path / "session" / "session.replitune").title == f"{family.title} on dist1"
