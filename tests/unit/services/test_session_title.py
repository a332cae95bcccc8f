"""What a session, and with it its report, is called before somebody edits the title."""

from pathlib import Path
from typing import Any

import pytest

from app.bootstrap import build_program
from app.domain.ports import StatementSink
from app.domain.target import Target
from app.reporting.redact.redaction import redactor_for
from app.runner.control import RunControl
from app.services.hand_over.past_sessions import summarise_session
from app.services.plan.checking import prepare_run
from app.services.run.guided_session import GuidedSession
from app.services.workplace import open_workplace
from app.store import open_for_reading
from tests.contract.families.lab_runs import small_plan
from tests.own_folders import move_data


@pytest.mark.parametrize(
    ("key", "label", "called"),
    [
        ("sqlserver://anna@dist1:1433?trust=yes", "DIST1", "DIST1"),
        ("lab@127.0.0.1:44331?driver=freetds&login_timeout=5", "lab@127.0.0.1:44331", "lab"),
        ("lab:incident", "An incident", "lab:incident"),
    ],
)
def test_a_session_is_named_after_its_server_and_not_by_its_address(
    tmp_path: Path, key: str, label: str, called: str
) -> None:
    """An address holds a user, a port and options, which nobody reads on a cover."""
    program = build_program()
    family = program.families["distribution_agent"]

    def open_server(_target: str, seed: int, on_statement: StatementSink, /) -> Target:
        opened: Any = program.parts.open_target("lab", seed, on_statement)
        opened.key, opened.label = key, label
        server: Target = opened
        return server

    with GuidedSession(open_workplace(tmp_path / "session"), tmp_path / "undo.journal", open_server) as session:
        target = session.open_target(key, 1)
        prepared = prepare_run(small_plan(family), family, target, "plan")
        session.run(prepared, target, RunControl(), [])
        target.close()
    assert summarise_session(tmp_path / "session" / "session.replitune").title == f"{family.title} on {called}"


def test_a_saved_target_gives_its_name_which_is_redacted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a consultant calls a client's servers is on the cover, and on no redacted one."""
    move_data(monkeypatch, tmp_path / "own")
    program = build_program()
    program.parts.saved_targets.add("Contoso Oslo", "lab")
    family = program.families["distribution_agent"]
    place = open_workplace(tmp_path / "session")
    with GuidedSession(place, tmp_path / "undo.journal", program.parts.open_target) as session:
        target = session.open_target("contoso oslo", 1)
        prepared = prepare_run(small_plan(family), family, target, "plan")
        session.run(prepared, target, RunControl(), [])
        target.close()
    assert summarise_session(place.session_file).title == f"{family.title} on Contoso Oslo"
    with open_for_reading(place.session_file) as reader:
        record = reader.read_session(reader.list_sessions()[0].header.session_id)
    redacted = redactor_for([record], declared=program.advisor.declared_texts()).record(record)
    assert "Contoso" not in repr(redacted)
    assert redacted.title.startswith(f"{family.title} on ")
