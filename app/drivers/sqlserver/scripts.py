"""Stand-alone T-SQL for a DBA without this tool, made from the same catalogued statements; each may be run twice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.foundation.texts import _

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
    """Return a value as a T-SQL expression, text with its quotes doubled and on one line.

    A sqlcmd variable's `$(` stays text, and so does a line that reads GO: both are read before strings are.
    """
    if isinstance(value, Sql):
        return value.text
    if not isinstance(value, str):
        return str(value)
    quoted = value.replace("'", "''").replace("$(", "$' + N'(")
    for code in (13, 10):
        quoted = quoted.replace(chr(code), f"' + NCHAR({code}) + N'")
    return f"N'{quoted}'"


def identifier(name: str) -> str:
    """Return a name in brackets, on one line."""
    return "[" + " ".join(name.splitlines()).replace("]", "]]") + "]"


def statement_script(
    title: str, server: str, database: str, name: str, values: Mapping[str, Value | Sql], *, primary_of: str = ""
) -> str:
    """Return a catalogued statement as a script: where to run it, its parameters declared, its text, GO.

    Args:
        primary_of: a group whose primary replica it is for, wherever that is by then; "" keeps it to the server.
    """
    statement = catalogue()[name]
    declared = "\n".join(
        f"DECLARE {parameter.name} {_DECLARED_TYPES.get(parameter.sql_type, parameter.sql_type)} = "
        f"{literal(values[parameter.name.removeprefix('@')])};"
        for parameter in statement.parameters
    )
    return _script(title, server, database, f"{declared}\n{statement.body}", primary_of)


def only_at_server(server: str) -> str:
    """Return the beginning of a batch that ends it at any other server, with a word on why.

    A server has two names where its machine was renamed: the program reads the first, a person may see the second.
    """
    message = _("Skipped: this part is for server {server}; nothing was changed by it.").format(server=server)
    return f"""IF NOT EXISTS (SELECT 1
    FROM sys.servers AS servers
    WHERE servers.server_id = 0
      AND {literal(server)} COLLATE Latin1_General_CI_AS
          IN (servers.name, CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128))))
BEGIN
    PRINT {literal(message)};
    RETURN;
END;
"""


def only_at_primary(group: str) -> str:
    """Return the beginning of a batch that ends it wherever the primary replica of a group is not."""
    message = _("Skipped: this part is for the primary replica of group {group}; nothing was changed by it.")
    return f"""IF NOT EXISTS (SELECT 1
    FROM sys.availability_groups AS groups
    JOIN sys.dm_hadr_availability_replica_states AS states ON states.group_id = groups.group_id
    WHERE groups.name = {literal(group)} AND states.is_local = 1 AND states.role_desc = N'PRIMARY')
BEGIN
    PRINT {literal(message.format(group=group))};
    RETURN;
END;
"""


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


def _script(title: str, server: str, database: str, body: str, primary_of: str = "") -> str:
    lines = [
        f"-- {' '.join(title.split())}",
        "-- " + _("Run at: {server}").format(server=server),
        f"USE {identifier(database)};",
        "GO",
    ]
    # Where USE fails, at a server without that database, the batch still runs: the guard stands in the batch itself.
    guard = only_at_primary(primary_of) if primary_of else only_at_server(server)
    return "\n".join(lines) + f"\n{guard}{body.strip()}\nGO\n"
