"""`apply_oracle.sql` and `rollback_oracle.sql`: recommended Oracle parameters as PL/SQL, guarded by the database."""

from collections.abc import Sequence
from typing import Final

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.system_parts import TellsChanges
from app.systems.oracle_streams.hand_over.changes import POOL, StreamsChange, plan_streams_changes
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.transactional_replication.hand_over import tsql

_FACTORS: Final = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
# Without SID a cluster that has a server parameter file would set every instance:
# https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-SYSTEM.html
_ONLY_HERE: Final = (
    "    SELECT MAX(' SID = ''' || host.instance_name || '''') INTO only_here",
    "    FROM v$instance host WHERE host.parallel = 'YES';",
)
_LINE: Final = "-- " + "-" * 90
_PACKAGES: Final = {
    StreamsComponent.APPLY: ("DBMS_APPLY_ADM", "apply_name", "dba_apply_parameters"),
    StreamsComponent.CAPTURE: ("DBMS_CAPTURE_ADM", "capture_name", "dba_capture_parameters"),
}


def oracle_apply_script(findings: Sequence[Finding], session: SessionRecord, tells: TellsChanges) -> str:
    """Return the PL/SQL that gives the measured processes the recommended values, "" where there is nothing to set.

    Processes of measurements made elsewhere are unknown: then it is a template whose variables SQL*Plus asks for.
    """
    return _script(findings, session, tells, is_rollback=False)


def oracle_rollback_script(findings: Sequence[Finding], session: SessionRecord, tells: TellsChanges) -> str:
    """Return the PL/SQL that takes `oracle_apply_script` back, in reverse order; "" where that is empty."""
    return _script(findings, session, tells, is_rollback=True)


def oracle_core(change: StreamsChange) -> tuple[str, str]:
    """Return the calls at the heart of both scripts, without guards."""
    return _call(change, change.new), _call(change, _back(change))


def _script(findings: Sequence[Finding], session: SessionRecord, tells: TellsChanges, *, is_rollback: bool) -> str:
    changes = plan_streams_changes(findings, session)
    if not changes:
        return ""
    blocks = [_block(number, change, tells, is_rollback) for number, change in enumerate(changes, start=1)]
    return "\n".join([_header(session, changes, is_rollback), *(blocks[::-1] if is_rollback else blocks)]) + "\n"


def _header(session: SessionRecord, changes: Sequence[StreamsChange], is_rollback: bool) -> str:
    name = "rollback_oracle.sql" if is_rollback else "apply_oracle.sql"
    title = _("Takes the recommended values back") if is_rollback else _("Sets the recommended values")
    texts = [
        f"{name}: {title}",
        _("Session {session}, Replitune {version}").format(session=session.session_id, version=session.app_version),
        _("Run with SQL*Plus or SQLcl as the Streams administrator, at each database the blocks name."),
        _(
            "Every block may be run twice. At another database than its own, or where the value is not the one it was "
            "written for, it does nothing and says so."
        ),
    ]
    if not all(change.is_known for change in changes):
        texts.append(
            _(
                "TEMPLATE: these measurements were made elsewhere, so the processes are not known. SQL*Plus asks for "
                "the name of the database and of the process."
            )
        )
    substitution = "SET DEFINE OFF" if all(change.is_known for change in changes) else "SET DEFINE ON"
    return "\n".join([_LINE, *map(tsql.comment, texts), _LINE, substitution, "SET SERVEROUTPUT ON"])


def _block(number: int, change: StreamsChange, tells: TellsChanges, is_rollback: bool) -> str:
    where = ", ".join(filter(None, (change.process, change.database))) or _("unknown")
    value = _back(change) if is_rollback else change.new
    # an arrow would make a file that SQL*Plus reads in the client's own character set
    values = tells.change(change.finding).replace("→", "->")
    title = tsql.comment(f"{number}. {where}: {values}")
    note = tells.note(change.finding)
    is_pool = change.parameter == POOL
    lines = [
        title,
        *([tsql.comment(note)] if note else []),
        *([tsql.comment(_("Of a cluster, only the instance it is run at gets the value."))] if is_pool else []),
        "DECLARE",
        "    here global_name.global_name%TYPE;",
        "    found VARCHAR2(4000);",
        *(["    granule NUMBER;", "    only_here VARCHAR2(100);"] if is_pool else []),
        "BEGIN",
        "    SELECT naming.global_name INTO here FROM global_name naming;",
        f"    IF here <> {_database(change)} THEN",
        f"        DBMS_OUTPUT.PUT_LINE(a => {_literal(_('another database: nothing was changed by this block'))});",
        "        RETURN;",
        "    END IF;",
        *_check(change),
        *(_ONLY_HERE if is_pool else []),
        f"    {_set_pool(value, ' || only_here') if is_pool else _call(change, value)}",
        "END;",
        "/",
    ]
    return "\n".join(lines)


def _check(change: StreamsChange) -> list[str]:
    """Return the lines that compare the value in effect with the two it may be; one that is not shown is no other."""
    if not change.is_known:
        return []
    reading = _pool_in_effect(change) if change.parameter == POOL else _parameter_in_effect(change)
    refusal = _("another value than expected: nothing was changed by this block")
    return [
        *reading,
        f"        DBMS_OUTPUT.PUT_LINE(a => {_literal(refusal)});",
        "        RETURN;",
        "    END IF;",
    ]


def _parameter_in_effect(change: StreamsChange) -> list[str]:
    _package, column, view = _PACKAGES[change.component]
    listed = ", ".join(map(_literal, dict.fromkeys(value for value in (change.found, change.new) if value)))
    return [
        f"    SELECT MAX(shown.value) INTO found FROM {view} shown",
        f"    WHERE shown.{column} = {_literal(change.process)} AND shown.parameter = {_literal(change.parameter)};",
        f"    IF found IS NOT NULL AND found NOT IN ({listed}) THEN",
    ]


def _pool_in_effect(change: StreamsChange) -> list[str]:
    """A size reads rounded up to whole granules: https://docs.oracle.com/database/122/REFRN/STREAMS_POOL_SIZE.htm."""
    sizes = dict.fromkeys(_bytes(value) for value in (change.found, change.new) if value)
    listed = "\n        AND ".join(f"TO_NUMBER(found) NOT BETWEEN {size} AND {size} + granule" for size in sizes)
    return [
        "    SELECT MAX(shown.value) INTO found FROM v$parameter shown WHERE shown.name = 'streams_pool_size';",
        "    SELECT NVL(MAX(component.granule_size), 1) - 1 INTO granule FROM v$sga_dynamic_components component",
        "    WHERE component.component = 'streams pool';",
        f"    IF {listed} THEN",
    ]


def _bytes(size: str) -> int:
    """Return a size as `ALTER SYSTEM` takes it, such as 512M, in bytes."""
    digits, unit = size.strip(), size.strip()[-1:].upper()
    return int(digits[:-1]) * _FACTORS[unit] if unit in _FACTORS else int(digits)


def _back(change: StreamsChange) -> str | None:
    """Return the value that puts a parameter back; None is the default, an unknown process's value is asked for."""
    return change.old if change.is_known else "&old_value"


def _call(change: StreamsChange, value: str | None) -> str:
    if change.parameter == POOL:
        return _set_pool(value)
    package, argument, _view = _PACKAGES[change.component]
    process = change.process if change.is_known else f"&{change.component.value}_name"
    return (
        f"{package}.SET_PARAMETER({argument} => {_literal(process)}, parameter => {_literal(change.parameter)}, "
        f"value => {'NULL' if value is None else _literal(value)});"
    )


def _set_pool(value: str | None, scope: str = "") -> str:
    """Return the call that sets the pool.

    Args:
        scope: an expression behind the statement, such as one that narrows it to an instance.
    """
    statement = f"ALTER SYSTEM SET streams_pool_size = {value or 0} SCOPE = BOTH"
    return f"EXECUTE IMMEDIATE {_literal(statement)}{scope};"


def _database(change: StreamsChange) -> str:
    return _literal(change.database if change.is_known else "&database_name")


def _literal(text: str) -> str:
    """Return a text as an Oracle literal."""
    return "'" + text.replace("'", "''") + "'"
