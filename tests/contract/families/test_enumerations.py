"""Columns that hold one of a few values: each declares the values it knows, and an unknown one reaches no change."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.statement import Access, StatementRecord
from app.drivers.oracle import catalogue as oracle
from app.drivers.sqlserver import catalogue as sqlserver
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.foundation.enumeration import Enumeration
from app.services.plan.checking import prepare_run
from app.systems.availability_groups import enumerations as groups
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.site import kept_groups
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from app.systems.oracle_streams import enumerations as streams
from app.systems.oracle_streams.lab_server.server import LabClock as StreamsClock
from app.systems.oracle_streams.lab_server.server import LabTransport as StreamsTransport
from app.systems.oracle_streams.subjects import SYSTEM_ID as STREAMS
from app.systems.transactional_replication import enumerations as replication
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.contract.families.lab_runs import FAMILIES, LABS, run_on_lab, small_plan
from tests.labs import build_lab, lab_file, open_lab, oracle_over, sqlserver_over
from tests.rows import every_row

DECLARED: Final[Mapping[str, tuple[Enumeration, ...]]] = {
    REPLICATION: replication.ENUMERATIONS,
    GROUPS: groups.ENUMERATIONS,
    STREAMS: streams.ENUMERATIONS,
}
COLUMNS: Final = {column.column: column for own in DECLARED.values() for column in own}
STATEMENTS: Final[Mapping[str, Any]] = {**sqlserver.catalogue(), **oracle.catalogue()}

OPEN: Final = {
    "agent_type": "written by the statements themselves",
    "component": "written by the statements themselves",
    "flag": "of a list the statements themselves name",
    "capture_type": "nothing is decided by it",
    "log_mode": "any other than ARCHIVELOG is warned of",
    "minimal_logging": "only NO is warned of",
    "seeding_state": "any other is what a seeding does now",
    "sql_trace": "compared with the word that was set",
}
"""Columns that list values and are not declared, each with the reason."""

_NUMBERS: Final = re.compile(r"(\d+) [a-zA-Z]")
_WORDS: Final = re.compile(r"[A-Z][A-Z_]+(?: [A-Z]+)*(?:(?:, | or )[A-Z][A-Z_]+(?: [A-Z]+)*)+")
_LETTERS: Final = re.compile(r"[A-Z] [a-z]+(?:, [A-Z] [a-z]+)+")


def listed(meaning: str) -> set[str]:
    """Return the values a header lists for a column, as text; nothing where it lists one, or not all."""
    told = meaning.partition(";")[0]
    if "…" in told:
        return set()
    if _LETTERS.fullmatch(told):
        return {part[0] for part in told.split(", ")}
    if words := _WORDS.match(told):
        return set(re.split(r", | or ", words[0]))
    numbers = [part for part in told.split(", ") if _NUMBERS.match(part)]
    return {part.split()[0] for part in numbers} if len(numbers) > 1 else set()


@every_row("name", sorted(STATEMENTS))
def test_each_column_that_lists_its_values_is_declared_with_them(name: str) -> None:
    """What a header lists is what a declaration knows: no value is read as "this one, or else the other"."""
    for column in STATEMENTS[name].columns:
        values = listed(column.meaning)
        if not values or column.name in OPEN:
            continue
        assert column.name in COLUMNS, f"{name}: {column.name} lists {sorted(values)} and is declared nowhere"
        known = {str(value) for value in COLUMNS[column.name].words}
        assert values == known, f"{name}: {column.name}"


def test_codes_are_read_through_their_declaration() -> None:
    """A number or letter has no meaning of its own; `runstatus` is kept as it is and compared with known ones only."""
    codes = [c.column for c in COLUMNS.values() if all(len(str(value)) == 1 for value in c.words)]
    read = re.compile(rf'\.(?:whole|whole_or|text|number|cell)\(\s*"({"|".join(set(codes) - {"runstatus"})})"')
    found = {
        (path.name, match[1])
        for path in Path("app/systems").rglob("*.py")
        if "lab" not in path.parts and "lab_server" not in path.parts
        for match in read.finditer(path.read_text(encoding="utf-8"))
    }
    assert found == set()


TELLS: Final = {
    "runstatus": "an agent is finished by what it delivered, and failed by the number for it",
    "run_status": "asked of a job that stands: why it ended is then not known",
    "profile_type": "asked of a profile of the run's own name only, which is refused unless it is custom",
    "backup_type": "of the backups a run made itself, to tell how long each took",
    "recovery_model_desc": "seeding asks it of the database the run made itself; commit mode is refused",
    "secondary_connections": "shown: who may read at a secondary has no part in an experiment",
    "synchronization_state": "seeding looks whether the copy has joined; commit mode is refused",
}
"""Where a value tells what goes on and nothing is chosen by it: the run goes on, and everything is put back."""

CASES: Final = [
    (family_id, column.column)
    for family_id, family in FAMILIES.items()
    for column in DECLARED.get(family.system.system_id, ())
    if not (family_id == "commit_mode" and column is groups.BACKUP_TYPE)  # which makes none
]


def with_unknown(lab: Any, column: str) -> int:
    """Have servers answer a value nobody knows wherever they tell a column; return in how many statements."""
    told = [name for name in lab.answered & set(STATEMENTS) if column in STATEMENTS[name].column_names]
    for name in told:
        lab.answers[name] = _posed(lab.answers[name], STATEMENTS[name].column_names.index(column))
    return len(told)


def _posed(usual: Callable[..., Any], place: int) -> Callable[..., list[tuple[Any, ...]]]:
    def answer(*asked: Any) -> list[tuple[Any, ...]]:
        rows = [list(row) for row in usual(*asked)]
        for row in rows:
            if row[place] not in (None, ""):
                row[place] = 97 if isinstance(row[place], int) else "NOVEL"
        return [tuple(row) for row in rows]

    return answer


@pytest.mark.parametrize(("family_id", "column"), CASES)
def test_an_unknown_value_reaches_no_change(family_id: str, column: str) -> None:
    """What it stands for is left alone: the run is refused in a sentence before anything is changed."""
    family, records = FAMILIES[family_id], list[StatementRecord]()
    lab = build_lab("streams-12c" if column == "purpose" else LABS.get(family.subject, "lan"))
    assert with_unknown(lab, column) > 0
    system = family.system.system_id
    target = (
        oracle_over(StreamsTransport(lab), StreamsClock(lab), records.append)
        if system == STREAMS
        else sqlserver_over(LabTransport(lab), LabClock(lab), records.append, simulates=system)
    )
    plan = small_plan(family)
    try:
        prepare_run(plan, family, target, "plan.toml")
    except BadInput:
        assert not [record for record in records if record.access is Access.CHANGE]
        return
    run = run_on_lab(family, plan, wrap=lambda _target: target)
    assert column in TELLS
    run.assert_restored()


@pytest.mark.parametrize("family_id", ["commit_mode", "seeding"])
def test_a_configuration_only_replica_is_told_and_left_alone(family_id: str, tmp_path: Path) -> None:
    """It is connected and stands first, holds no database, and nothing of it is read as asynchronous."""
    family = FAMILIES[family_id]
    scenario = tmp_path / "witness.toml"
    text = lab_file(LABS.get(family.subject, "ag-2016")).read_text(encoding="utf-8")
    server = re.search(r"\[\[servers\]\]\n.*?(?=\n\[\[(?:servers|groups)\]\]\n)", text, re.DOTALL)
    assert server is not None
    witness = re.sub(r'(?m)^name = "(?!.:)[^"]+"', 'name = "SQLNODE0"', server[0], count=1)
    text = text.replace("[[groups]]\n", f"{witness}\n\n[[groups]]\n", 1)
    text = re.sub(r'(?m)^(\[\[groups\]\]\nname = ".*")', r'\1\nconfiguration_only = ["SQLNODE0"]', text)
    scenario.write_text(text, encoding="utf-8")
    plan = small_plan(family)
    load = plan.load.but(secondary="")
    run = run_on_lab(family, replace(plan, load=load), scenario=scenario)
    run.assert_restored()
    assert run.end.status is RunStatus.SUCCEEDED
    told = kept_groups(run.session().environments[0])
    assert told is not None
    [replica] = {group.replica_at("SQLNODE0") for group in told.groups if group.name == run.plan.load["group"]}
    assert replica is not None
    assert replica.mode is CommitMode.CONFIGURATION_ONLY
    assert run.plan.load["secondary"] != "SQLNODE0"
    touched = {str(entry.change.detail_or("replica", "")) for entry in run.journal.entries_of("S1")}
    assert "SQLNODE0" not in touched
    named = replace(plan, load=plan.load.but(secondary="SQLNODE0"))
    with pytest.raises(BadInput, match=r"SQLNODE0 of .* is left alone: it is a configuration-only replica"):
        prepare_run(named, family, open_lab(scenario), "plan.toml")
