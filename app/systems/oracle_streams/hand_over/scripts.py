"""`apply_oracle.sql` and `undo_oracle.sql`: recommended Oracle parameters as PL/SQL, guarded by the database."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart
from app.domain.session import SessionRecord
from app.domain.setting import Value
from app.drivers.oracle.scripts import (
    AT_ERRORS,
    SWITCH,
    Expression,
    body_of,
    chosen_block,
    literal,
    only_call,
    stop,
)
from app.drivers.oracle.session import End
from app.foundation.script_text import comment
from app.foundation.texts import _
from app.systems.oracle_streams.hand_over.recommended import (
    POOL,
    StreamsChange,
    plan_streams_changes,
    settable,
    streams_values,
)
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.oracle_streams.server.attribute_changes import POOL_DECLARED, POOL_READING, Pool
from app.systems.oracle_streams.server.parameter_changes import reading as parameter_reading
from app.systems.oracle_streams.server.parameter_changes import setting as parameter_setting
from app.systems.oracle_streams.server.rights import NEEDS, Need
from app.systems.oracle_streams.server.values import size_bytes

# A run sets the running instance only, and puts it back; what is recommended outlasts a restart. Without SID a cluster
# that has a server parameter file would set every instance:
# https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-SYSTEM.html
_INSTANCE: Final = Expression("only_here")
_IS_MEANT: Final = ":apply = 'yes'"
_COMMAND: Final = "sqlplus -L <user>@<address of {server}> @{file}"
_USER: Final = "' || USER || '"
_HIDDEN: Final = _(
    "By hand, after this block: stop and start the process (STOP_CAPTURE and START_CAPTURE of DBMS_CAPTURE_ADM, "
    "STOP_APPLY and START_APPLY of DBMS_APPLY_ADM), as the trials did; no page says that a hidden parameter counts "
    "before that."
)


class StreamsScripts:
    """Writes one PL/SQL block for each parameter of a process or database.

    Processes of measurements made elsewhere are unknown: then it is a template whose variables SQL*Plus asks for.
    """

    values_in_effect = staticmethod(streams_values)

    def files(self) -> ScriptFiles:
        """Return the files for SQL*Plus, apart from those for SQL Server."""
        return ScriptFiles(
            "apply_oracle.sql",
            "undo_oracle.sql",
            _("Sets the recommended Oracle values."),
            _("Undoes apply_oracle.sql."),
            applies=_("sets the Oracle values"),
            takes_back=_("undoes them"),
            between="",
            has_mark=False,  # SQL*Plus takes it for a command it does not know
            command=_COMMAND,
            switch=SWITCH,
        ).with_looks()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding is about a parameter of Oracle Streams that a script sets."""
        return settable(finding) is not None

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return the databases whose processes get values."""
        return {
            one.finding: tuple(dict.fromkeys(change.database for change in plan_streams_changes([one], session)))
            for one in every
        }

    def write(
        self,
        chosen: Sequence[Recommendation],
        _every: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return a block for each process or database, in reverse order where it is a rollback."""
        changes = [change for change in plan_streams_changes(chosen, session) if change.database == files.server]
        blocks = tuple(_block(number, change, is_rollback) for number, change in enumerate(changes, start=1))
        is_template = not all(change.is_known for change in changes)
        note = _(
            "TEMPLATE: these measurements were made elsewhere, so the processes are not known. SQL*Plus asks for "
            "the name of the database and of the process."
        )
        file = files.rollback if is_rollback else files.apply
        return ScriptPart(
            blocks=blocks[::-1] if is_rollback else blocks,
            where=(
                _(
                    "Run it with {command}, or with SQLcl, as the Streams administrator, after NLS_LANG=.AL32UTF8."
                ).format(command=files.command_for(file)),
                _(
                    "As it is it checks only and changes nothing; to apply it, write 'yes' instead of 'no' in the line "
                    "{line}. The first error stops it, and the exit code is 0 only where every block came to its end."
                ).format(line=SWITCH),
            ),
            checks=(
                _("Every block may be run twice."),
                _("It stops at any database but its own, and where the value is not the one it was written for."),
            ),
            notes=(note,) if is_template else (),
            preamble=(
                f"{AT_ERRORS}\n"
                f"SET DEFINE {'ON' if is_template else 'OFF'}\nVARIABLE apply VARCHAR2(3)\n{SWITCH}\n"
                "SET SERVEROUTPUT ON",
                chosen_block(),
                *dict.fromkeys(_rights(_need(change)) for change in changes),
            ),
            ending=(_ending(),),
        )

    def look(
        self,
        chosen: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        expected: Sequence[str],
        *,
        is_after: bool,
    ) -> ScriptPart:
        """Return a block for each parameter of a known database, and the queries of what a run watches there."""
        changes = [change for change in plan_streams_changes(chosen, session) if change.database == files.server]
        how = _("It only reads. Run it with {command}, or with SQLcl, as the Streams administrator.")
        queries = dict.fromkeys(name for change in changes for name in _watched(change))
        return ScriptPart(
            blocks=(
                *(_look(change, is_after=is_after) for change in changes),
                *(body_of(name, {}).strip() + ";" for name in queries),
            ),
            where=(how.format(command=files.command_for(files.verify if is_after else files.before)), *expected),
            preamble=(f"{AT_ERRORS}\nSET DEFINE OFF\nSET SERVEROUTPUT ON",),
            ending=("EXIT SUCCESS",),
        )


def _look(change: StreamsChange, *, is_after: bool) -> str:
    """Return a block that shows a value, and ends the script afterwards where it is another one."""
    is_pool = change.parameter == POOL
    other = _("{name} reads differently than it was set").format(name=change.parameter)
    unlike = (f"    IF {_is_other(change, [change.new])} THEN", f"        {stop(other)}", "    END IF;")
    lines = [
        comment(f"{', '.join(filter(None, (change.process, change.database)))}: {change.parameter}"),
        *_at_database(change, is_pool=is_pool),
        *_reading(change),
        *_said("after" if is_after else "before", change),
        *(unlike if is_after else ()),
        "END;",
        "/",
    ]
    return "\n".join(lines)


def _watched(change: StreamsChange) -> tuple[str, ...]:
    """Return the names of queries that show the state of what a change is about."""
    if change.component in (StreamsComponent.CAPTURE, StreamsComponent.SOURCE_DATABASE):
        return ("captures",)
    return ("applies", "apply_errors")


def _need(change: StreamsChange) -> Need:
    """Return the right that setting a parameter needs."""
    if change.parameter == POOL:
        name = "ALTER SYSTEM"
    else:
        name = "DBMS_CAPTURE_ADM" if change.component is StreamsComponent.CAPTURE else "DBMS_APPLY_ADM"
    return next(need for need in NEEDS if need.name == name)


def _rights(need: Need) -> str:
    """Return a block that ends the script where the login lacks a right, and prints its GRANT.

    A block that names a package the login may not execute is not even compiled, so this one stands by itself.
    """
    wanted = ", ".join(f"({literal(kind)}, {literal(name)})" for kind, name in ((need.kind, need.name), *need.instead))
    printed = (
        f"        DBMS_OUTPUT.PUT_LINE(a => {literal(line).replace('{user}', _USER)});"
        for line in need.grant.split("\n")
    )
    message = _("a right is missing, nothing was changed: a DBA can run the lines above")
    return "\n".join(
        [
            "DECLARE",
            "    held NUMBER;",
            "BEGIN",
            "    SELECT COUNT(*) INTO held FROM (",
            textwrap.indent(body_of("privileges", {}).strip(), "        "),
            f"    ) owned WHERE (owned.kind, owned.name) IN ({wanted});",
            "    IF held = 0 THEN",
            *printed,
            f"        {stop(message)}",
            "    END IF;",
            "END;",
            "/",
        ]
    )


def _ending() -> str:
    """Return the block that prints the result at the end: all of it, or nothing."""
    done = _("Done. What each block did is shown above.")
    checked = _("Checked only: nothing was changed. What was found is shown above.")
    return "\n".join(
        [
            "BEGIN",
            f"    IF {_IS_MEANT} THEN",
            f"        DBMS_OUTPUT.PUT_LINE(a => {literal(done)});",
            "    ELSE",
            f"        DBMS_OUTPUT.PUT_LINE(a => {literal(checked)});",
            "    END IF;",
            "END;",
            "/",
            "EXIT SUCCESS",
        ]
    )


def _block(number: int, change: StreamsChange, is_rollback: bool) -> str:
    where = ", ".join(filter(None, (change.process, change.database))) or _("unknown")
    value = _back(change) if is_rollback else change.new
    # an arrow would make a file that SQL*Plus reads in the client's own character set
    values = change.recommendation.change.replace("→", "->")
    title = comment(f"{number}. {where}: {values}")
    note = change.recommendation.note
    is_pool = change.parameter == POOL
    lines = [
        title,
        *([comment(note)] if note else []),
        *([comment(_("In a cluster, only the instance it runs at gets the value."))] if is_pool else []),
        *([comment(_HIDDEN)] if change.parameter.startswith("_") else []),
        *_at_database(change, is_pool=is_pool),
        *_check(change),
        *_said("before", change),
        f"    IF NOT ({_IS_MEANT}) THEN",
        f"        DBMS_OUTPUT.PUT_LINE(a => {literal(_('checked only: nothing was changed by this block'))});",
        "        RETURN;",
        "    END IF;",
        textwrap.indent(_body(change, value).strip(), "    "),
        *(_reading(change) if change.is_known else []),
        *_said("after", change),
        "END;",
        "/",
    ]
    return "\n".join(lines)


def _at_database(change: StreamsChange, *, is_pool: bool) -> list[str]:
    """Return the beginning of a block that ends the script at another database than its own."""
    return [
        "DECLARE",
        "    here global_name.global_name%TYPE;",
        "    found VARCHAR2(4000);",
        *(["    granule NUMBER;", "    only_here VARCHAR2(100);"] if is_pool else []),
        "BEGIN",
        "    SELECT naming.global_name INTO here FROM global_name naming;",
        f"    IF here <> {_database(change)} THEN",
        f"        {stop(_('another database: nothing was changed by this block'))}",
        "    END IF;",
    ]


def _check(change: StreamsChange) -> list[str]:
    """Return the lines that read the value in effect and compare it with the two it may be.

    One that is not shown is no other; a size reads rounded up to whole granules:
    https://docs.oracle.com/database/122/REFRN/STREAMS_POOL_SIZE.htm.
    """
    values = [value for value in (change.current, change.new) if value]
    if not change.is_known:
        return _reading(change) if change.parameter == POOL else []
    refusal = _("another value than expected: nothing was changed by this block")
    return [
        *_reading(change),
        f"    IF {_is_other(change, values)} THEN",
        f"        {stop(refusal)}",
        "    END IF;",
    ]


def _is_other(change: StreamsChange, values: Sequence[str]) -> str:
    """Return the condition that the value read is none of some."""
    if change.parameter != POOL:
        return f"found IS NOT NULL AND found NOT IN ({', '.join(map(literal, dict.fromkeys(values)))})"
    sizes = dict.fromkeys(size_bytes(POOL, value) for value in values)
    return "\n        AND ".join(f"TO_NUMBER(found) NOT BETWEEN {size} AND {size} + granule" for size in sizes)


def _reading(change: StreamsChange) -> list[str]:
    """Return the lines that read the value in effect."""
    if change.parameter == POOL:
        return [
            "    SELECT MAX(shown.setting_bytes), NVL(MAX(shown.granule_bytes), 1) - 1,",
            "        MAX(CASE WHEN shown.is_rac = 'YES' THEN shown.instance_name END)",
            *_from("found, granule, only_here", body_of(POOL_READING, {})),
        ]
    call = parameter_reading(_details(change))
    return ["    SELECT MAX(shown.value)", *_from("found", body_of(call.statement, call.values))]


def _said(moment: str, change: StreamsChange) -> list[str]:
    """Return the line that prints the values read, none where the process is not known."""
    said = literal(f"{moment}: {change.parameter} = ")
    return [f"    DBMS_OUTPUT.PUT_LINE(a => {said} || NVL(found, 'not shown'));"] if change.is_known else []


def _from(variables: str, statement: str) -> list[str]:
    """Return the lines that take variables from a catalogued statement's result."""
    return [f"    INTO {variables} FROM (", textwrap.indent(statement.strip(), "        "), "    ) shown;"]


def _details(change: StreamsChange) -> dict[str, Value]:
    """Return the names of a process's parameter, as a change of a run keeps them."""
    process = change.process if change.is_known else f"&{change.component.value}_name"
    return {"component": change.component.value, "process": process, "parameter": change.parameter}


def _back(change: StreamsChange) -> str | None:
    """Return the value that puts a parameter back; None is the default, an unknown process's value is asked for."""
    return change.old if change.is_known else "&old_value"


def _body(change: StreamsChange, value: str | None) -> str:
    """Return the statement a run sends, with the values of the script."""
    if change.parameter != POOL:
        call = parameter_setting(_details(change), value)
        return only_call(call.statement, call.values)
    asked = value is not None and value.startswith("&")
    [call] = POOL_DECLARED.written({"end": End.SOURCE.value, "outlasts_restart": 1}, Pool(_pool_bytes(value)))
    size = {"size_bytes": Expression(str(value))} if asked else {}
    return body_of(call.statement, {**call.values, "instance_name": _INSTANCE, **size})


def _pool_bytes(value: str | None) -> int:
    """Return a size in bytes; 0, which leaves it to the server, where there is none or it is asked for."""
    return size_bytes(POOL, value) if value and not value.startswith("&") else 0


def _database(change: StreamsChange) -> str:
    # An answer that is empty is NULL in Oracle, which no comparison is true of.
    return literal(change.database) if change.is_known else "NVL('&database_name', 'none')"
