"""Every Oracle text the program may send or hand over, by where it comes from."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from app.domain.change import EntryState, JournalEntry
from app.domain.preflight import AskedUnseen
from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.preflight import PREFLIGHT
from app.services.run.undo_tools import undo_tools
from app.store import rollback_script
from app.systems.oracle_streams.offer import streams_port
from tests.contract.families.lab_runs import FAMILIES, open_lab_of, run_on_lab, small_plan
from tests.contract.oracle.lab_bench import change_everything, make_bench
from tests.contract.oracle.plsql import dynamic_texts_of
from tests.report.scripts import look_scripts, oracle_apply_script, oracle_rollback_script
from tests.store.sample import SESSION_ID, START
from tests.unit.reporting.test_streams import finding

Texts = dict[str, str]

_FAMILY: Final = FAMILIES["streams_apply"]
# Lines of SQL*Plus, which no server gets: its settings, and the slash that sends what stands before it.
_SQLPLUS: Final = re.compile(
    r"(?m)^(?:SET (?:DEFINE|SERVEROUTPUT|ECHO|VERIFY|FEEDBACK|LINESIZE|TRIMSPOOL)|SPOOL|EXIT"
    r"|WHENEVER|VARIABLE|EXECUTE :|PROMPT|ACCEPT|/$).*$"
)
_VALUES: Final = re.compile(r"(?:<[^<>]+>)+(?:FM9+0)?")
_REMARK: Final = re.compile(r"'<REPLACE>.*")


def statements() -> Texts:
    """Return every statement as it is sent; a select gets the semicolon that a client does not send."""
    return {name: one.body if one.body.endswith(";") else f"{one.body};" for name, one in sorted(catalogue().items())}


def dynamic() -> Texts:
    """Return what blocks build and run, a name or number in place of what is put in."""
    return {
        f"{name} {at}": f"{_filled(text)};"
        for name, one in sorted(catalogue().items())
        for at, text in enumerate(dynamic_texts_of(one.body))
    }


def _filled(text: str) -> str:
    return _VALUES.sub("7", _REMARK.sub("'remark'", text.replace("TABLE <table_name>", "TABLE found")))


@cache
def changes() -> Texts:
    """Return both scripts of a change of every kind, and of all those a run makes."""
    bench = make_bench()
    planned: list[Any] = list(streams_port(bench.target).plan_trace(bench.path))
    change_everything(bench, planned)
    run = run_on_lab(_FAMILY, small_plan(_FAMILY))
    planned += [entry.change for entry in run.journal.entries.values()]
    return {
        f"{at} {change.kind} of {change.subject}, {way}": as_sent(text)
        for at, change in enumerate(planned)
        for way, text in (("apply", change.apply_sql), ("undo", change.undo_sql))
        if text
    }


def rollbacks() -> Texts:
    """Return the `rollback.sql` of a change of every kind."""
    bench = make_bench()
    planned: list[Any] = []
    change_everything(bench, planned)
    entries = [
        JournalEntry(at, SESSION_ID, "lab", change, EntryState.APPLIED, START) for at, change in enumerate(planned, 1)
    ]
    return {"rollback.sql": as_sent(rollback_script(entries, undo_tools()))}


def hand_over() -> Texts:
    """Return the scripts of recommendations and those that take them back, of each kind of parameter."""
    session = run_on_lab(_FAMILY, small_plan(_FAMILY, blocks=2, confirm_blocks=2)).session()
    findings = [
        finding("TXN_LCR_SPILL_THRESHOLD", 100_000, 500_000),
        finding("CAPTURE_PARALLELISM", 1, 4, 3),
        finding("streams_pool_size", 4 * 1024**3, 5 * 1024**3, 4),
    ]
    made = (("apply", oracle_apply_script), ("undo", oracle_rollback_script))
    looks = {"before and verify": as_sent("".join(look_scripts(findings, session, is_oracle=True)))}
    return {name: as_sent(make(findings, session)) for name, make in made} | looks


def grants() -> Texts:
    """Return what gives a login each right that an experiment may lack."""
    target = open_lab_of(_FAMILY.subject, lambda _record: None)
    system = _FAMILY.system
    rights = system.read_rights(target, system.discover(target, lambda _sentence: None)).rights
    return {f"{right.title} at {right.server}": as_sent(right.grant) for right in rights if right.grant}


def preflight() -> Texts:
    """Return a script a DBA runs before a visit, and each text it runs.

    It asks for columns of every type, and for each value that another statement finds; the frame of others differs only
    by their queries, which are read as statements.
    """
    each = {"capture_retention": ("captures", "capture_name")}
    script = PREFLIGHT.script(
        [AskedUnseen(("server_time", "pool_advice", "own_schema"), of_each=each)], "preflight.sql"
    )
    texts = (text.replace("''", "'") for text in re.findall(r"EXECUTE IMMEDIATE '((?:[^']|'')*)';", script))
    return {"preflight.sql": as_sent(script)} | {f"preflight.sql {at}": text for at, text in enumerate(texts)}


def as_sent(script: str) -> str:
    """Return a script without the lines that SQL*Plus keeps for itself."""
    return _SQLPLUS.sub("", script)


KINDS: Final[dict[str, Callable[[], Texts]]] = {
    "statements": statements,
    "dynamic": dynamic,
    "changes": changes,
    "rollbacks": rollbacks,
    "hand_over": hand_over,
    "grants": grants,
    "preflight": preflight,
}
