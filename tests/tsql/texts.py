"""Every T-SQL text the program may send or hand over, by where it comes from."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from app.bootstrap import load_systems
from app.domain.change import EntryState, JournalEntry
from app.domain.family import ExperimentFamily
from app.domain.target import Target
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.preflight import PREFLIGHT
from app.runner.asking import HandDesk
from app.services.run.undo_tools import undo_tools
from app.store import rollback_script
from app.systems.oracle_streams.subjects import SYSTEM_ID as STREAMS
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import FAMILIES, open_lab_of, run_on_lab, small_plan
from tests.contract.families.test_guided import Dba, Watched
from tests.contract.families.watched_by_hand import by_hand_of
from tests.contract.statements.test_dynamic import BUILDING, texts_of
from tests.contract.targets.checking import make_bench
from tests.contract.targets.group_checking import make_group_bench
from tests.contract.targets.test_changes import all_changes
from tests.contract.targets.test_group_changes import PLANS
from tests.report.sample import full_advice, full_session, imported_request
from tests.report.scripts import apply_script, look_scripts
from tests.report.scripts import rollback_script as taking_back
from tests.store.sample import SESSION_ID, START
from tests.unit.runner.commit_runs import commit_plan, run_in_memory

SQL_SERVER_FAMILIES = tuple(name for name, family in FAMILIES.items() if family.system.system_id != STREAMS)
GUIDED = tuple(name for name in SQL_SERVER_FAMILIES if FAMILIES[name].subject != "seeding")

Texts = dict[str, str]

_EXECUTED: Final = re.compile(r"DECLARE @undo nvarchar\(max\) = N'((?:[^']|'')*)';")
_ASKED: Final = re.compile(r"@asked nvarchar\(max\) = N'((?:[^']|'')*)'(?:, ([^;]*))?;")
_SETVAR: Final = re.compile(r"(?m)^:setvar (\w+) (.+)$")


def statements() -> Texts:
    """Return every statement as the ODBC driver sends it: its markers numbered."""
    return {name: as_sent(bound_text(one)) for name, one in sorted(catalogue().items())}


def as_sent(text: str) -> str:
    """Return a text with its markers numbered, as an ODBC driver rewrites them."""
    head, *rest = text.split(" = ?;\n")
    return head + "".join(f" = @P{number};\n{part}" for number, part in enumerate(rest, start=1))


def dynamic() -> Texts:
    """Return what statements build and run; the first turn of a loop puts no comma before its device."""
    return {
        f"{one.name} {at}": text.replace(" , DISK", " DISK")
        for one in BUILDING
        for at, text in enumerate(texts_of(one))
    }


@cache
def changes() -> Texts:
    """Return both scripts of a change of every kind, and of all those a run of each family makes."""
    agents = make_bench()
    planned = [("agents", change) for change in all_changes(agents)]
    planned += [(name, change) for name, plan in PLANS.items() for change in plan(make_group_bench())]
    for name in SQL_SERVER_FAMILIES:
        family = FAMILIES[name]
        run = run_on_lab(family, small_plan(family, Scenario.DRAINED))
        planned += [(f"a run of {name}", entry.change) for entry in run.journal.entries.values()]
    return {
        f"{name}: {change.kind} of {change.subject}, {at} {way}": text
        for at, (name, change) in enumerate(planned)
        for way, text in (("apply", change.apply_sql), ("undo", change.undo_sql))
        if text
    }


@cache
def guided() -> Texts:
    """Return every script that a DBA is asked for in a guided run of each family that has one."""
    asked: Texts = {}
    for name in GUIDED:
        family = FAMILIES[name]
        made: list[Dba] = []
        run_on_lab(family, small_plan(family, Scenario.DRAINED), wrap=partial(_by_hand, made, family))
        asked |= {f"{name} {at}: {one.title}": one.script for at, one in enumerate(made[0].asked)}
    return asked


def _by_hand(made: list[Dba], family: ExperimentFamily, target: Target) -> Target:
    dba, desk = Dba(target), HandDesk(0.0)
    made.append(dba)
    desk.attach(dba.run, lambda _request: None)
    return by_hand_of(family, target, desk, "DIST1", lambda changes: Watched(changes, dba))


def grants() -> Texts:
    """Return what gives a login each right that an experiment of a family may lack."""
    texts: Texts = {}
    for name in SQL_SERVER_FAMILIES:
        family = FAMILIES[name]
        target = open_lab_of(family.subject, lambda _record: None)
        for right in family.system.read_rights(target, family.system.discover(target, lambda _sentence: None)).rights:
            texts[f"{name}: {right.title} at {right.server}"] = right.grant
    return texts


def hand_over() -> Texts:
    """Return the scripts of recommendations and those that take them back, and the rollback.sql of every change."""
    imported, groups = imported_request(), run_in_memory(commit_plan(blocks=3), noise_cv=0.01)
    capture = run_on_lab(FAMILIES["cdc_capture"], small_plan(FAMILIES["cdc_capture"], confirm_blocks=3), noise=False)
    texts: Texts = {}
    for name, findings, session in (
        ("capture", capture.advise().findings, capture.session()),
        ("agents", full_advice().findings, full_session()),
        ("agents elsewhere", imported.advice.findings, imported.session),
        ("groups", groups.advise().findings, groups.session()),
    ):
        texts[f"{name}: apply.sql"] = apply_script(findings, session)
        texts[f"{name}: rollback of it"] = taking_back(findings, session)
        texts[f"{name}: before and verify"] = "".join(look_scripts(findings, session))
    return {name: as_sqlcmd_reads(text) for name, text in texts.items()} | dict(_rollbacks())


def as_sqlcmd_reads(text: str) -> str:
    """Return a template with its `:setvar` lines carried out; a number where one is asked for in words."""
    given = dict(_SETVAR.findall(text))
    text = _SETVAR.sub("", text).replace(":on error exit", "")
    for name, value in given.items():
        text = text.replace(f"$({name})", "7" if name.endswith("Id") else value.strip('"'))
    return text


def _rollbacks() -> Iterator[tuple[str, str]]:
    plans = {name: list(plan(make_group_bench())) for name, plan in PLANS.items()}
    for name, planned in {"agents": all_changes(make_bench()), **plans}.items():
        entries = [
            JournalEntry(at, SESSION_ID, "lab", change, EntryState.APPLIED, START)
            for at, change in enumerate(planned, 1)
        ]
        script = as_sqlcmd_reads(rollback_script(entries, undo_tools()))
        yield f"{name}: rollback.sql", script
        for at, text in enumerate(_EXECUTED.findall(script), 1):  # what a batch has its database execute
            body = text.replace("''", "'")
            declared = "DECLARE @expected nvarchar(4000), @met int;\n" if "SET @met = " in body else ""
            yield f"{name}: rollback.sql, batch {at}", declared + body


def preflight() -> Texts:
    """Return the script that a DBA runs before a visit, and what its batches have a database execute."""
    asked = [system.asked_unseen for system in load_systems().values() if system.engine == PREFLIGHT.engine]
    script = PREFLIGHT.script(asked, "preflight.sql")
    return {"preflight.sql": script, **dict(_asked("asked", script))}


def _asked(title: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text has a server execute, and what that has it execute in turn, with the parameters it is given."""
    for at, (quoted, declared) in enumerate(_ASKED.findall(text)):
        inner = quoted.replace("''", "'")
        yield f"{title} {at}", (f"DECLARE {declared};\n" if declared else "") + inner
        yield from _asked(f"{title} {at}, asked", inner)


KINDS: Final[dict[str, Callable[[], Texts]]] = {
    "statements": statements,
    "dynamic": dynamic,
    "changes": changes,
    "guided": guided,
    "grants": grants,
    "hand-over": hand_over,
    "pre-flight": preflight,
}
