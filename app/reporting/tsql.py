"""T-SQL for a DBA without this program: each part checks what it finds, and may be run twice."""

import textwrap
from typing import Final

from app.domain.setting import AgentKind

AGENT_TYPES: Final = {AgentKind.LOG_READER: 2, AgentKind.DISTRIBUTION: 3}
"""Values of @agent_type (Microsoft, sp_add_agent_profile)."""

AGENT_TABLES: Final = {AgentKind.LOG_READER: "MSlogreader_agents", AgentKind.DISTRIBUTION: "MSdistribution_agents"}
_SUBSYSTEMS: Final = {AgentKind.LOG_READER: "LogReader", AgentKind.DISTRIBUTION: "Distribution"}
_WAIT_S: Final = 120
_SYSNAME_LENGTH: Final = 128


def literal(text: str) -> str:
    """Return a text as a T-SQL expression on one line.

    A sqlcmd variable's `$(` stays text, and so does a line that reads GO: both are read before strings are.
    """
    quoted = text.replace("'", "''").replace("$(", "$' + N'(")
    for code in (13, 10):
        quoted = quoted.replace(chr(code), f"' + NCHAR({code}) + N'")
    return f"N'{quoted}'"


def identifier(name: str) -> str:
    """Return a name in brackets, on one line."""
    return "[" + " ".join(name.splitlines()).replace("]", "]]") + "]"


def comment(text: str, indent: str = "-- ") -> str:
    """Return a text as comment lines; line ends in it cannot leave the comment."""
    clean = " ".join(text.split())
    return "\n".join(textwrap.wrap(clean, width=98, initial_indent=indent, subsequent_indent="--   ")) or indent.strip()


def profile_name(agent_name: str) -> str:
    """Return the name of the dedicated profile of an agent, at most 128 characters (sysname)."""
    return f"Replitune advice {agent_name}"[:_SYSNAME_LENGTH]


def find_agent(kind: AgentKind, distribution_db: str, agent_name: str, own_profile: str) -> str:
    """Return the beginning of a batch: find the agent, its profile and its job."""
    return f"""USE {distribution_db};
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = {agent_name};
DECLARE @own_profile sysname = {own_profile};
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM dbo.{AGENT_TABLES[kind]} AS agent
WHERE agent.name = @agent_name;
IF @agent_id IS NULL
BEGIN
    SET @message = N'agent ' + @agent_name + N' was not found in this distribution database';
    THROW 50000, @message, 1;
END;
"""


def check_profile(known_profile_id: int) -> str:
    """Return a guard: stop where the agent has been given another profile since the session."""
    return f"""IF @agent_profile_id <> {known_profile_id}
   AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
                   WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    THROW 50000, N'this agent was given another profile since it was measured', 1;
"""


def make_profile(kind: AgentKind) -> str:
    """Return statements that make a dedicated profile with the agent's present parameters, unless it is there."""
    return f"""-- A profile of its own with the present parameters: profiles are shared, so none is edited.
DECLARE @profile_id int, @parameter sysname, @value nvarchar(255);
SELECT @profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = {AGENT_TYPES[kind]} AND profile.profile_name = @own_profile;
IF @profile_id IS NULL
BEGIN
    EXEC sp_add_agent_profile @profile_id = @profile_id OUTPUT, @profile_name = @own_profile,
         @agent_type = {AGENT_TYPES[kind]}, @profile_type = 1, @default = 0,
         @description = N'Recommended by Replitune';
END;
IF @agent_profile_id <> @profile_id
BEGIN
    DECLARE present CURSOR LOCAL STATIC FOR
        SELECT own.parameter_name, own.value FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @agent_profile_id;
    OPEN present;
    FETCH NEXT FROM present INTO @parameter, @value;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
                   WHERE own.profile_id = @profile_id AND own.parameter_name = @parameter)
            EXEC sp_change_agent_parameter @profile_id, @parameter, @value;
        ELSE
            EXEC sp_add_agent_parameter @profile_id, @parameter, @value;
        FETCH NEXT FROM present INTO @parameter, @value;
    END;
    CLOSE present;
    DEALLOCATE present;
END;
"""


def print_old_profile() -> str:
    """Return a statement that shows the profile to go back to, on the first run only."""
    return """IF @agent_profile_id <> @profile_id
    PRINT CONCAT(N'OldProfileId for rollback.sql: ', @agent_profile_id);
"""


def set_profile_parameter(parameter: str, value: str) -> str:
    """Return statements that give a parameter of the dedicated profile a value."""
    name = literal(f"-{parameter}")
    return f"""IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @profile_id AND own.parameter_name = {name})
    EXEC sp_change_agent_parameter @profile_id, {name}, {value};
ELSE
    EXEC sp_add_agent_parameter @profile_id, {name}, {value};
"""


def assign_profile(kind: AgentKind, profile: str) -> str:
    """Return the statement that assigns a profile, given as an expression, to the agent."""
    return f"""EXEC dbo.sp_update_agent_profile @agent_type = {AGENT_TYPES[kind]}, @agent_id = @agent_id,
     @profile_id = {profile};
"""


def drop_profile(kind: AgentKind) -> str:
    """Return statements that drop the dedicated profile once no agent uses it."""
    return f"""DECLARE @own_profile_id int;
SELECT @own_profile_id = profile.profile_id
FROM msdb.dbo.MSagent_profiles AS profile
WHERE profile.agent_type = {AGENT_TYPES[kind]} AND profile.profile_name = @own_profile;
IF @own_profile_id IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM dbo.{AGENT_TABLES[kind]} AS agent
                   WHERE agent.profile_id = @own_profile_id)
    EXEC sp_drop_agent_profile @profile_id = @own_profile_id;
"""


def declare_job_step() -> str:
    """Return the variables that `edit_job_step` needs, once for each batch."""
    return """DECLARE @step_id int, @command nvarchar(max), @edited nvarchar(max);
DECLARE @at int, @start int, @from int, @to int;
"""


def edit_job_step(kind: AgentKind, parameter: str, value: str | None) -> str:
    """Return statements that set one parameter of the agent's job step, or remove it where `value` is None.

    The step's text can hold passwords: it is edited on the server and never shown.
    """
    name = literal(f"-{parameter}")
    tail = f"STUFF(@command, @from, @to - @from, {value})" if value else "STUFF(@command, @start, @to - @start, N'')"
    otherwise = f"@command + N' ' + {name} + N' ' + {value}" if value else "@command"
    return f"""SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id AND step.subsystem = N'{_SUBSYSTEMS[kind]}'
ORDER BY step.step_id;
IF @step_id IS NULL
    THROW 50000, N'the job step is not on this server (of a pull subscription: at the Subscriber)', 1;
SET @at = CHARINDEX({name} + N' ', @command + N' ' COLLATE Latin1_General_CI_AS);
IF @at > 0
BEGIN
    SET @start = CASE WHEN @at > 1 THEN @at - 1 ELSE 1 END;
    SET @from = @at + LEN({name});
    WHILE SUBSTRING(@command, @from, 1) = N' ' AND @from < LEN(@command) SET @from += 1;
    SET @to = @from;
    WHILE SUBSTRING(@command, @to, 1) LIKE N'[0-9]' SET @to += 1;
END;
SET @edited = CASE WHEN @at > 0 THEN {tail}
                   ELSE {otherwise} END;
IF @edited <> @command
    EXEC msdb.dbo.sp_update_jobstep @job_id = @job_id, @step_id = @step_id, @command = @edited;
"""


def restart_agent() -> str:
    """Return statements that restart the agent's job where it runs: parameters are read at its start only."""
    return f"""-- Values count from the agent's next start. Stopping only signals: wait until it has stopped.
DECLARE @waited_s int = 0, @was_running bit = 0;
WHILE @waited_s < {_WAIT_S}
  AND EXISTS (SELECT 1 FROM msdb.dbo.sysjobactivity AS activity
              WHERE activity.job_id = @job_id
                AND activity.start_execution_date IS NOT NULL AND activity.stop_execution_date IS NULL
                AND activity.session_id = (SELECT MAX(newest.session_id)
                                           FROM msdb.dbo.sysjobactivity AS newest))
BEGIN
    IF @was_running = 0
        EXEC msdb.dbo.sp_stop_job @job_id = @job_id;
    SET @was_running = 1;
    WAITFOR DELAY '00:00:01';
    SET @waited_s += 1;
END;
IF @waited_s >= {_WAIT_S}
    THROW 50000, N'the agent has not stopped in {_WAIT_S} s: start its job once it has', 1;
IF @was_running = 1
    EXEC msdb.dbo.sp_start_job @job_id = @job_id;
"""
