"""Changes "apply stopped" and "apply server traced": each undone from its own details alone."""

import textwrap
from typing import Final

from app.domain.change import Change
from app.domain.change_kinds import Switch
from app.domain.declared_change import EXPECTED, Call, Declaration, Declared, Details, Run, Scope, Words
from app.domain.errors import Unsupported
from app.domain.setting import Value
from app.drivers.oracle.scripts import Where, body_of, literal, only_call, plsql_script
from app.drivers.oracle.scripts import stop as ended_by
from app.drivers.oracle.session import End
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsProcess, Technology
from app.systems.oracle_streams.server.executor import OracleExecutor
from app.systems.oracle_streams.server.process_control import ApplyControl
from app.systems.oracle_streams.server.versions import Release
from app.systems.oracle_streams.server.views import variant

APPLY_STOPPED: Final = "apply_stopped"
SERVER_TRACED: Final = "apply_server_traced"

SCRIPT_WAIT_S: Final = 600
"""A script waits so long for an apply to stop: a DBA sits in front of it. Our choice."""
_SLEEPS_SINCE: Final[Release] = (18,)

_START: Final = """DECLARE
    enabled NUMBER;
BEGIN
    SELECT COUNT(*) INTO enabled
    FROM dba_apply process
    WHERE process.apply_name = {name} AND process.status = 'ENABLED';
    IF enabled = 0 THEN
        {call}
    END IF;
END;"""

# STOP_APPLY returns before the processes are gone, or with ORA-26672 where that takes long.
_STOP: Final = """DECLARE
    running NUMBER;
BEGIN
    SELECT COUNT(*) INTO running
    FROM dba_apply process
    WHERE process.apply_name = {name} AND process.status = 'ENABLED';
    IF running = 1 THEN
        BEGIN
            {call}
        EXCEPTION
            WHEN OTHERS THEN
                IF SQLCODE <> -26672 THEN
                    RAISE;
                END IF;
        END;
    END IF;
    FOR waited_s IN 0 .. {wait_s} LOOP
        SELECT COUNT(*) INTO running FROM (
{status}
        ) shown
        WHERE shown.status = 'ENABLED' OR shown.state IS NOT NULL;
        EXIT WHEN running = 0;
        IF waited_s = {wait_s} THEN
            {too_long}
        END IF;
        {pause}
    END LOOP;
END;"""


def plan_apply_stopped(where: Where, apply: StreamsProcess, release: Release) -> Change:
    """Return the change that stops an apply that runs now in a database of a release."""
    subject = _("apply {name}").format(name=apply.name)
    return Change(
        kind=APPLY_STOPPED,
        subject=subject,
        original=_("running"),
        new=_("stopped"),
        details=(("apply", apply.name), ("technology", apply.technology.value)),
        apply_sql=_stop_script(_("Stop {subject}").format(subject=subject), where, apply, release),
        undo_sql=_start_script(_("Start {subject} again").format(subject=subject), where, apply.name),
        needs_consent=_(
            "stops replication into {database} until it starts again; a transaction being applied is rolled back and "
            "messages wait at the source"
        ).format(database=apply.database),
    )


def apply_switch(control: ApplyControl) -> Switch:
    """Return the switch that stops an apply until its coordinator is gone, and starts it until that runs."""

    def named(change: Change) -> tuple[str, Technology]:
        return str(change.detail("apply")), Technology(str(change.detail("technology")))

    return Switch(
        make=lambda change: control.stop(*named(change)),
        put_back=lambda change: control.start(*named(change)),
        is_made=lambda change: control.status(*named(change)).is_stopped,
        is_back=lambda change: control.status(*named(change)).is_running,
        # one that was aborted, or that the server restarts, is nobody's decision
        is_decided=lambda change: control.status(*named(change)).status == "DISABLED",
    )


def _session_of(details: Details) -> dict[str, Value | None]:
    return {"sid": details["sid"], "serial_number": details["serial_number"]}


def _is_traced(run: Run[End], details: Details) -> bool:
    """Tell whether the session is traced; one that is gone is not."""
    rows = run(Call("trace_state", End.DESTINATION, _session_of(details)))
    return bool(rows) and rows[0].text("sql_trace") == "ENABLED"


def _trace(_run: Run[End], details: Details, is_on: bool) -> tuple[Call[End], ...]:
    if not is_on:
        return (Call("trace_off", End.DESTINATION, _session_of(details)),)
    return (Call("trace_on", End.DESTINATION, {**_session_of(details), EXPECTED: None}, compares=True),)


def _trace_unread(change: Change, _found: bool, wanted: bool) -> str:
    if not wanted:
        return _("{subject} still runs").format(subject=change.subject)
    return _("{subject} did not begin; the apply may have restarted its servers").format(subject=change.subject)


TRACE_DECLARED: Final = Declaration[End, bool](
    kind=SERVER_TRACED,
    scope=Scope.PROCESS,
    read=_is_traced,
    set=_trace,
    original=lambda _details: False,
    new=lambda _details: True,
    words=Words(
        subject=lambda details: _("trace of server {number} of apply {name}").format(
            number=details["server_id"], name=details["apply"]
        ),
        shown=lambda is_on: _("on, with waits and bind values") if is_on else _("off"),
        making=lambda subject, _value: _("Begin the {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("End the {subject}").format(subject=subject),
        unread=_trace_unread,
        consent=lambda _details: _(
            "writes every statement of this session with its values into a trace file of the server"
        ),
    ),
    expected=lambda is_traced: "ENABLED" if is_traced else "DISABLED",
)


def plan_traced(executor: OracleExecutor, apply: StreamsProcess) -> Change:
    """Return the change that traces the first apply server with event 10046.

    Raises:
        Unsupported: the apply has no servers now.
    """
    statement = variant("apply_sessions", apply.technology)
    rows = executor.begin(is_apply=False)(Call(statement, End.DESTINATION, {"apply_name": apply.name}))
    if not rows:
        raise Unsupported(_("apply {name} has no servers to trace; start it first").format(name=apply.name))
    row = rows[0]
    details = (("sid", row.whole("sid")), ("serial_number", row.whole("serial_number")), ("apply", apply.name))
    return Declared(TRACE_DECLARED, executor).plan(details, {"server_id": row.whole("server_id")})


def _start_script(title: str, where: Where, name: str) -> str:
    """Return the undo of a stop: a script that starts an apply unless it is enabled."""
    call = only_call("start_apply", {"process_name": name})
    return plsql_script(title, where, _START.format(name=literal(name), call=call))


def _stop_script(title: str, where: Where, apply: StreamsProcess, release: Release) -> str:
    """Return a script that stops an apply if it is enabled, not by force, and waits until it has stopped.

    So what stands behind it, in the same file, sets values while nothing runs, and starts it again.
    """
    too_long = _(
        "apply {name} still runs {seconds} s after it was asked to stop, and nothing behind this was done: run this "
        "script again, which waits on and then goes on"
    )
    block = _STOP.format(
        name=literal(apply.name),
        call=only_call("stop_apply", {"process_name": apply.name}),
        wait_s=SCRIPT_WAIT_S,
        status=textwrap.indent(
            body_of(variant("apply_status", apply.technology), {"apply_name": apply.name}).strip(), " " * 12
        ),
        too_long=ended_by(too_long.format(name=apply.name, seconds=SCRIPT_WAIT_S)),
        pause=only_call("pause" if release >= _SLEEPS_SINCE else "pause_before_18", {"seconds": 1}),
    )
    return plsql_script(title, where, block)
