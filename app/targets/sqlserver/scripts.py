"""Stand-alone T-SQL for a DBA without this tool, made from the same catalogued statements; each may be run twice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.setting import Value
from app.foundation.texts import _
from app.targets.sqlserver.catalogue import catalogue

_DECLARED_TYPES: Final = {"nvarchar": "nvarchar(4000)"}

_RUNNING: Final = """EXISTS (SELECT 1
    FROM msdb.dbo.sysjobactivity AS activity
    WHERE activity.job_id = @job_id
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL
      AND activity.stop_execution_date IS NULL)"""


@dataclass(frozen=True)
class Sql:
    """A piece of T-SQL where a value would stand."""

    text: str


def literal(value: Value | Sql) -> str:
    """Return a value as T-SQL, text with its quotes doubled."""
    if isinstance(value, Sql):
        return value.text
    if isinstance(value, str):
        return "N'" + value.replace("'", "''") + "'"
    return str(value)


def identifier(name: str) -> str:
    """Return a name in brackets."""
    return "[" + name.replace("]", "]]") + "]"


def statement_script(title: str, server: str, database: str, name: str, values: Mapping[str, Value | Sql]) -> str:
    """Return a catalogued statement as a script: where to run it, its parameters declared, its text, GO."""
    statement = catalogue()[name]
    declared = "\n".join(
        f"DECLARE {parameter.name} {_DECLARED_TYPES.get(parameter.sql_type, parameter.sql_type)} = "
        f"{literal(values[parameter.name.removeprefix('@')])};"
        for parameter in statement.parameters
    )
    return _script(title, server, database, f"{declared}\n{statement.body}")


def profile_id_by_name(agent_type: int, profile_name: str) -> Sql:
    """Return the look-up of a profile's id, for scripts written before the profile exists."""
    return Sql(
        "(SELECT profile.profile_id FROM msdb.dbo.MSagent_profiles AS profile "
        f"WHERE profile.agent_type = {agent_type} AND profile.profile_name = {literal(profile_name)})"
    )


def stop_script(title: str, server: str, job_id: str) -> str:
    """Return a script that stops a job if it runs, and waits until it has stopped."""
    return _script(
        title,
        server,
        "msdb",
        f"DECLARE @job_id uniqueidentifier = {literal(job_id)};\n"
        f"IF {_RUNNING}\n    EXEC msdb.dbo.sp_stop_job @job_id = @job_id;\n"
        "-- The procedure only signals: wait until the job has ended.\n"
        f"WHILE {_RUNNING}\n    WAITFOR DELAY '00:00:01';",
    )


def restart_script(title: str, server: str, job_id: str) -> str:
    """Return a script that stops a job if it runs, waits, and starts it: what was put back counts from then on."""
    return stop_script(title, server, job_id) + start_script(title, server, job_id)


def start_script(title: str, server: str, job_id: str) -> str:
    """Return a script that starts a job unless it runs."""
    return _script(
        title,
        server,
        "msdb",
        f"DECLARE @job_id uniqueidentifier = {literal(job_id)};\n"
        f"IF NOT {_RUNNING}\n    EXEC msdb.dbo.sp_start_job @job_id = @job_id;",
    )


def _script(title: str, server: str, database: str, body: str) -> str:
    lines = [
        f"-- {title.replace(chr(10), ' ')}",
        "-- " + _("Run at: {server}").format(server=server),
        f"USE {identifier(database)};",
        "GO",
    ]
    return "\n".join(lines) + f"\n{body.strip()}\nGO\n"
