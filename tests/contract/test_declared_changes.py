"""From one declaration: what is sent for a change stands in its scripts, for every declared kind of every engine."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from app.domain.change import LEFT, RUN_FOUND, RUN_LEFT, Change
from app.domain.declared_change import Declaration, Declared, Restart, Scope
from app.domain.statement import Access, StatementRecord
from app.domain.target import Target
from app.drivers.sqlserver.catalogue import catalogue as sqlserver_catalogue
from app.systems.availability_groups.offer import CHANGE_DETAILS as GROUP_KINDS
from app.systems.oracle_streams.server.changes import CHANGE_DETAILS as ORACLE_KINDS
from app.systems.transactional_replication.server.changes import CHANGE_DETAILS as AGENT_KINDS
from tests.contract.oracle import lab_bench
from tests.contract.targets.checking import make_bench
from tests.contract.targets.group_checking import make_group_bench
from tests.contract.targets.test_changes import all_changes
from tests.contract.targets.test_group_changes import PLANS
from tests.labs import SYSTEMS

SQL_SERVER_KINDS = (*AGENT_KINDS, *GROUP_KINDS)

# A database copied to another server and a token posted wait for what the server makes of them: code of their own.
OWN_CODE = {
    "dedicated_profile",
    "profile_assignment",
    "agent_stopped",
    "agent_started",
    "tracer_token",
    "test_database",
    "group_membership",
    "apply_stopped",
    "test_table_instantiated",
}


@dataclass
class Made:
    """A change with what was sent to make it, to look at it, and to put it back twice."""

    change: Change
    applying: list[StatementRecord]
    looking: list[StatementRecord]
    undoing: list[StatementRecord]
    was_applied: bool
    was_undone: bool
    is_undone: bool


def _make(target: Target, changes: Sequence[Change], records: list[StatementRecord]) -> Iterator[Made]:
    """Make changes in order and put them back newest first, listening to what is sent."""

    def sent(work: Callable[[Change], object], change: Change) -> tuple[object, list[StatementRecord]]:
        before = len(records)
        result = work(change)
        return result, records[before:]

    made = []
    for change in changes:
        _none, applying = sent(target.changes.apply, change)
        was_applied, looking = sent(target.changes.is_applied, change)
        was_undone, more = sent(target.changes.is_undone, change)
        made.append(Made(change, applying, [*looking, *more], [], bool(was_applied), bool(was_undone), False))
    for one in reversed(made):
        for _turn in range(2):
            one.undoing += sent(target.changes.undo, one.change)[1]
        one.is_undone = target.changes.is_undone(one.change)
        yield one


def _everything() -> Iterator[tuple[Made, dict[str, str]]]:
    agents = make_bench()
    texts = {name: statement.body for name, statement in sqlserver_catalogue().items()}
    for made in _make(agents.target, all_changes(agents), agents.records):
        yield made, texts
    for plan in PLANS.values():
        groups = make_group_bench()
        for made in _make(groups.target, plan(groups), groups.records):
            yield made, texts
    oracle = lab_bench.make_bench()
    planned: list[Change] = []
    lab_bench.change_everything(oracle, planned)
    oracle.undo(planned)
    texts = {statement.name: statement.text for statement in oracle.target.statements()}
    for made in _make(oracle.target, [c for c in planned if c.kind != "apply_server_traced"], oracle.records):
        yield made, texts


@pytest.fixture(scope="module", name="everything")
def _made() -> list[tuple[Made, dict[str, str]]]:
    return list(_everything())


def _stands_in(text: str, script: str) -> bool:
    """Tell whether a statement's text stands in a script, whatever its binds became and however it is indented."""
    body = text.split("*/", 1)[-1]
    lines = [line.strip() for line in body.strip().splitlines()]
    pattern = r"\s+".join(r".+?".join(map(re.escape, re.split(r"(?<![:\w]):[a-z_]+", line))) for line in lines if line)
    return re.search(pattern, script) is not None


def test_every_declared_kind_is_made_and_put_back(everything: list[tuple[Made, dict[str, str]]]) -> None:
    """Each reads as applied, then as undone; undo may be sent twice; looking sends reading statements only."""
    for made, _texts in everything:
        assert made.was_applied, made.change.kind
        assert not made.was_undone, made.change.kind
        assert made.is_undone, made.change.kind
        assert all(record.access is Access.READ for record in made.looking), made.change.kind
    kinds = {made.change.kind for made, _texts in everything} | {"apply_server_traced", "tracer_token"}
    assert kinds == {*SQL_SERVER_KINDS, *ORACLE_KINDS}


def test_what_is_sent_stands_in_the_scripts(everything: list[tuple[Made, dict[str, str]]]) -> None:
    """A DBA runs the statements the program would send, and no others."""
    checked = set()
    for made, texts in everything:
        if made.change.kind in OWN_CODE:
            continue
        for records, script in ((made.applying, made.change.apply_sql), (made.undoing, made.change.undo_sql)):
            names = {record.name for record in records if record.access is Access.CHANGE}
            assert names, made.change.kind
            for name in names:
                assert _stands_in(texts[name], script), (made.change.kind, name)
                assert not _stands_in(texts[name].replace(";", " OR 1 = 1;"), script), (made.change.kind, name)
        checked.add(made.change.kind)
    assert checked == {*SQL_SERVER_KINDS, *ORACLE_KINDS} - OWN_CODE - {"apply_server_traced"}


def test_what_touches_more_than_its_object_is_consented_to(everything: list[tuple[Made, dict[str, str]]]) -> None:
    """What the declaration says of its scope and of a restart stands where it is carried out."""
    declared = {name: one for engine in (make_bench, lab_bench.make_bench) for name, one in _declarations(engine())}
    for made, _texts in everything:
        one = declared.get(made.change.kind)
        if one is not None and one.scope in (Scope.MEMBER, Scope.INSTANCE):
            assert made.change.needs_consent
    here = {*SQL_SERVER_KINDS, *ORACLE_KINDS}  # kinds of a further system are planned by its own tests
    assert {kind for kind in here & set(declared) if declared[kind].restarts is Restart.PROCESS} == {
        "job_step_token",
        "profile_parameter",
        "process_parameter",
    }
    assert set(declared) & here == here - OWN_CODE


def test_how_a_process_was_left_is_no_name_of_the_client(everything: list[tuple[Made, dict[str, str]]]) -> None:
    """In which run it was, and whether it runs, are words where names are replaced."""
    declared = {kind: own for system in SYSTEMS.values() for kind, own in system.declared_texts().details.items()}
    counting = {made.change.kind for made, _texts in everything if RUN_FOUND in dict(made.change.details)}
    assert counting == {"job_step_token", "profile_parameter", "profile_assignment", "process_parameter"}
    for kind in counting:
        assert {RUN_FOUND, RUN_LEFT} <= set(declared[kind]), kind
    for kind in ("agent_stopped", "agent_started", "apply_stopped"):
        assert LEFT in declared[kind], kind


def _declarations(bench: object) -> Iterator[tuple[str, Declaration[object, object]]]:
    for offer in bench.target.offers.values():  # type: ignore[attr-defined]  # what each system offers
        for name, kind in offer.changes.kinds.items():
            if isinstance(kind, Declared):
                assert kind.declaration.kind == name
                yield name, kind.declaration
