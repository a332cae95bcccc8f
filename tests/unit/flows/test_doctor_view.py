"""What works on this computer, and what a login may do, in tables and sentences."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.installed import Part
from app.domain.rights import LoginRights, Mode, Right, Use
from app.domain.view import Emphasis
from app.flows.plan.preflight_modes import mode_lines
from app.flows.target.doctor_view import (
    computer_line,
    experiments_table,
    grants_text,
    login_line,
    mode_title,
    parts_table,
    read_computer,
    read_login,
)
from app.services.look.doctor import Health, TargetHealth
from app.services.plan.modes import why_not_guided
from app.services.program import Program
from app.systems.availability_groups.subjects import COMMIT
from tests.unit.flows.sites import program
from tests.unit.flows.subjects import GROUPS, choices_at


@pytest.fixture(scope="module")
def health(tmp_path_factory: pytest.TempPathFactory) -> Health:
    """This computer, with an undo journal that does not exist yet."""
    journal: Path = tmp_path_factory.mktemp("doctor") / "undo.journal"
    return read_computer(Program(replace(program().parts, journal_path=journal)))


@pytest.fixture(scope="module")
def login() -> TargetHealth:
    """What a login may do on a lab with groups."""
    return read_login(program(), GROUPS, program().parts.open_target)


def test_the_computer_is_told_in_one_sentence(health: Health) -> None:
    """Version, experiments and rules; what is missing, and what a crash left."""
    line = computer_line(replace(health, parts=(), open_changes=0))
    assert f"{len(program().families)} experiments" in line
    assert "Missing" not in line
    missing = Part("keyring", "keyring", "Keyring", "", is_there=False, remedy="ask each time")
    worse = computer_line(replace(health, parts=(missing,), open_changes=2))
    assert "Missing: Keyring." in worse
    assert "Still to be undone from earlier runs: 2 changes" in worse


def test_missing_parts_come_first_with_what_to_do(health: Health) -> None:
    """Said by a sign and a word, not by colour."""
    parts = (
        Part("a", "library", "A", "1.0", is_there=True),
        Part("b", "driver", "B", "", is_there=False, remedy="install it"),
    )
    rows = parts_table(replace(health, parts=parts)).rows
    assert [row.key for row in rows] == ["b", "a"]
    assert [cell.text for cell in rows[0].cells] == ["B", "driver", "✗ missing", "–", "install it"]
    assert rows[0].cells[2].emphasis is Emphasis.STRONG
    assert rows[1].cells[2].text == "✓ there"


def test_each_experiment_says_which_ways_to_work_are_open(login: TargetHealth) -> None:
    """What the site lacks is told instead."""
    rows = {row.key: [cell.text for cell in row.cells] for row in experiments_table(login).rows}
    assert rows["commit_mode"][1:4] == ["✓ yes", "✗ no", "✓ yes"]
    assert rows["log_reader"][1:4] == ["–", "–", "–"]
    assert "which this target does not offer." in rows["log_reader"][4]
    assert rows["commit_mode"][4].startswith("Not guided: this lab runs inside the program")
    assert {mode_title(mode) for mode in Mode} == {"Observe", "Guided", "Hands-on"}


def test_doctor_and_preflight_agree_on_guided_work(login: TargetHealth) -> None:
    """Seeding is what is measured: wherever it runs, no DBA could keep pace."""
    guided = {row.key: row.cells[2].text for row in experiments_table(login).rows}
    for family_id in ("commit_mode", "seeding"):
        lines = mode_lines(choices_at(GROUPS), program().families[family_id])
        possible = next(line.is_possible for line in lines if line.mode is Mode.GUIDED)
        assert (guided[family_id] == "✓ yes") is possible
    assert "keep pace" in why_not_guided(program().families["seeding"], "sqlserver://@db1")
    assert why_not_guided(program().families["commit_mode"], "sqlserver://@db1") == ""


def test_what_a_login_lacks_is_named_with_the_script_that_gives_it(login: TargetHealth) -> None:
    """Title and server in the table, the statement in the script."""
    use = Use(COMMIT, Mode.HANDS_ON)
    right = Right("SQLNODE1", "ALTER TRACE", is_held=False, uses=frozenset({use}), grant="GRANT IT", because="flags")
    commit_mode = next(one for one in login.experiments if one.family == "commit_mode")
    lacking = replace(commit_mode, modes=(Mode.OBSERVE,), missing=(right,), not_guided="",
                      lacking={Mode.HANDS_ON: (right,)})  # fmt: skip
    shown = replace(login, experiments=(lacking,))
    (row,) = experiments_table(shown).rows
    assert [cell.text for cell in row.cells[1:]] == ["✓ yes", "✗ no", "✗ no", "ALTER TRACE (SQLNODE1)"]
    assert "GRANT IT" in grants_text(shown)
    assert "every right" in grants_text(replace(login, experiments=()))


def test_the_login_is_named_with_what_could_not_be_asked(login: TargetHealth) -> None:
    """An unknown one says so."""
    assert login_line(login).startswith("lab:ag-2016: signed in as ")
    unknown = replace(login, rights=LoginRights("", (), ("SUB1 does not answer",)))
    assert "(unknown)" in login_line(unknown)
    assert "SUB1 does not answer." in login_line(unknown)
