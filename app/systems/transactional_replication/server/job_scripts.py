"""Scripts that stop and start an agent's job, as the statements of a run do, whatever state it is found in."""

import textwrap
from typing import Final

from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import Sql, batch_script, literal, rows_of, stop
from app.foundation.texts import _

_RUNNING: Final = """EXISTS (SELECT 1
    FROM msdb.dbo.sysjobactivity AS activity
    WHERE activity.job_id = @job_id
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL
      AND activity.stop_execution_date IS NULL)"""
_WAIT_S: Final = 120


def profile_id_by_name(agent_type: int, profile_name: str | Sql) -> Sql:
    """Return the look-up of a profile's id, for scripts written before the profile exists."""
    return Sql(
        "(SELECT profile.profile_id FROM msdb.dbo.MSagent_profiles AS profile "
        f"WHERE profile.agent_type = {agent_type} AND profile.profile_name = {literal(profile_name)})"
    )


def stop_script(title: str, server: str, job_id: str) -> str:
    """Return a script that stops a job if it runs, waits until it has stopped, and stops where it does not.

    One that could not be started again is not stopped.
    """
    runs_on = _("the agent has not stopped in {limit} s: run this script again once it has").format(limit=_WAIT_S)
    return batch_script(
        title,
        server,
        "msdb",
        f"{_declared(literal(job_id))}DECLARE @waited_s int = 0;\n"
        f"{_unless_it_could_not_start()}IF {_RUNNING}\n    {_sent('stop_job')}\n"
        "-- The procedure only signals: wait until the job has ended. What is put back counts from its next start.\n"
        f"{_waiting()}    {stop(runs_on)}",
    )


def check_can_start() -> str:
    """Return guards: stop where the agent's job, once it is stopped, could never be started again.

    Who owned it when it was measured may have left since. The job of a pull subscription is elsewhere: it is not asked.
    """
    ownerless = _(
        "the login that owns the job of the agent is gone, so that it could not be started again: nothing was changed; "
        "give the job another owner first (sp_update_job)"
    )
    no_proxy = _(
        "the proxy of the job of the agent is gone, disabled or without its credential, so that it could not be "
        "started again: nothing was changed; mend the proxy first (sp_update_proxy)"
    )
    return _guards(ownerless, no_proxy)


def _unless_it_could_not_start() -> str:
    """Return guards ahead of a stop: an agent that could never be started again runs on.

    Proxies show themselves to sysadmins only; anybody else who may stop the job does it unasked, as the program does.
    """
    ownerless = _(
        "the agent was not stopped: the login that owns its job is gone, so that it could not be started again; give "
        "the job another owner (sp_update_job), then run this script again"
    )
    no_proxy = _(
        "the agent was not stopped: the proxy of its job is gone, disabled or without its credential, so that it could "
        "not be started again; mend the proxy (sp_update_proxy), then run this script again"
    )
    return f"IF IS_SRVROLEMEMBER(N'sysadmin') = 1 AND {_RUNNING}\nBEGIN\n{_guards(ownerless, no_proxy)}END;\n"


def _guards(ownerless: str, no_proxy: str) -> str:
    return rows_of("job_starts", {}, "@starts") + "".join(
        f"IF EXISTS (SELECT 1 FROM @starts AS start\n"
        f"           WHERE start.job_id = CONVERT(nvarchar(36), @job_id) AND start.{column} = 0)\n"
        f"    {stop(message)}\n"
        for column, message in (("is_owner_known", ownerless), ("is_proxy_usable", no_proxy))
    )


def restart_script(title: str, server: str, job_id: str) -> str:
    """Return a script that stops a job if it runs, waits, and starts it: restored values count from then on."""
    return stop_script(title, server, job_id) + start_script(title, server, job_id)


def start_script(title: str, server: str, job_id: str) -> str:
    """Return a script that starts a job unless it runs."""
    body = f"{_declared(literal(job_id))}IF NOT {_RUNNING}\n    {_sent('start_job')}"
    return batch_script(title, server, "msdb", body)


def restart_if_running(job_id: Sql) -> str:
    """Return statements that restart a job where it runs: parameters are read at its start only.

    One that does not run may be what an earlier call of the script has stopped and not started: that is said.
    """
    runs_on = _("the agent has not stopped in {limit} s: start its job once it has").format(limit=_WAIT_S)
    stands = _("The agent did not run and was not started: what was set counts from its next start.")
    return f"""-- Values count from the agent's next start. Stopping only signals: wait until it has stopped.
{_declared(job_id.text)}DECLARE @waited_s int = 0, @was_running bit = 0;
IF {_RUNNING}
BEGIN
    SET @was_running = 1;
{textwrap.indent(_sent("stop_job"), "    ")}
END;
{_waiting()}    {stop(runs_on)}
IF @was_running = 1
BEGIN
{textwrap.indent(_sent("start_job"), "    ")}
END;
ELSE
    PRINT {literal(stands)};
"""


def _waiting() -> str:
    """Return statements that wait until the job stands; the statement behind them is for where it does not in time."""
    return f"""WHILE @waited_s < {_WAIT_S} AND {_RUNNING}
BEGIN
    WAITFOR DELAY '00:00:01';
    SET @waited_s += 1;
END;
IF @waited_s >= {_WAIT_S}
"""


def _declared(job_id: str) -> str:
    return f"DECLARE @job_id uniqueidentifier = {job_id};\n"


def _sent(name: str) -> str:
    return catalogue()[name].body.strip()
