"""T-SQL for a DBA without this program: each part checks what it finds, and may be run twice."""

from collections.abc import Sequence
from typing import Final

from app.drivers.sqlserver.scripts import literal
from app.foundation.script_text import comment
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.documented import AGENT_TYPES

AGENT_TABLES: Final = {AgentKind.LOG_READER: "MSlogreader_agents", AgentKind.DISTRIBUTION: "MSdistribution_agents"}
_SUBSYSTEMS: Final = {AgentKind.LOG_READER: "LogReader", AgentKind.DISTRIBUTION: "Distribution"}
_WAIT_S: Final = 120


def choose_target(targets: Sequence[str]) -> str:
    """Return the batch that asks which of several targets a connection leads to; until it is filled in, none is."""
    names = ", ".join(literal(target) for target in targets)
    note = _("Write the target this connection leads to between the quotes: {names}.").format(names=names)
    return f"""{comment(note)}
IF OBJECT_ID(N'tempdb..#replitune_target') IS NOT NULL
    DROP TABLE #replitune_target;
CREATE TABLE #replitune_target (target nvarchar(400) NOT NULL);
INSERT INTO #replitune_target (target) VALUES (N'');
GO
"""


def only_for_target(place: int, target: str) -> str:
    """Return a guard: leave the batch unless its target was chosen (`choose_target`)."""
    message = _("Batch {place} skipped: it is for target {target}.").format(place=place, target=target)
    return f"""IF NOT EXISTS (SELECT 1 FROM #replitune_target AS chosen WHERE chosen.target = {literal(target)})
BEGIN
    PRINT {literal(message)};
    RETURN;
END;
"""


def only_on_server(name: str) -> str:
    """Return a guard: stop on any other server than the Distributor that was measured."""
    message = _("this is not Distributor {name}: nothing was changed").format(name=name)
    return f"""IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> {literal(name)}
    THROW 50000, {literal(message)}, 1;
"""


def find_agent(kind: AgentKind, distribution_db: str, agent_name: str, own_profile: str, publisher_db: str = "") -> str:
    """Return the beginning of a batch: find the agent, its profile and its job; it must serve `publisher_db`, if given.

    Its name holds Publisher, publication and Subscriber as well.
    """
    same_database = f" AND agent.publisher_db = {literal(publisher_db)}" if publisher_db else ""
    return f"""USE {distribution_db};
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = {agent_name};
DECLARE @own_profile sysname = {own_profile};
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM dbo.{AGENT_TABLES[kind]} AS agent
WHERE agent.name = @agent_name{same_database};
IF @agent_id IS NULL
BEGIN
    SET @message = N'agent ' + @agent_name + N' was not found in this distribution database';
    THROW 50000, @message, 1;
END;
"""


def check_profile(known_profile_id: str) -> str:
    """Return a guard: stop where the agent has been given another profile since the session."""
    return f"""-- Somebody may have changed this agent since it was measured: then nothing is touched.
IF @agent_profile_id <> {known_profile_id}
   AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
                   WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    THROW 50000, N'this agent was given another profile since it was measured', 1;
"""


def check_profile_value(parameter: str, allowed: Sequence[str]) -> str:
    """Return a guard: stop where the agent's profile gives a parameter another value than the ones allowed."""
    message = _("the profile has another value of {name} than when it was measured").format(name=parameter)
    return f"""IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @agent_profile_id AND own.parameter_name = {literal(f"-{parameter}")}
             AND own.value NOT IN ({", ".join(allowed)}))
    THROW 50000, {literal(message)}, 1;
"""


def make_profile(kind: AgentKind) -> str:
    """Return statements that make a dedicated profile with the agent's present parameters, unless it is there.

    A new profile is born with parameters of its own: those the agent's profile lacks are dropped, each by its name.
    """
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
    DECLARE surplus CURSOR LOCAL STATIC FOR
        SELECT own.parameter_name FROM msdb.dbo.MSagent_parameters AS own
        WHERE own.profile_id = @profile_id
          AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS wanted
                          WHERE wanted.profile_id = @agent_profile_id AND wanted.parameter_name = own.parameter_name);
    OPEN surplus;
    FETCH NEXT FROM surplus INTO @parameter;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        EXEC sp_drop_agent_parameter @profile_id, @parameter;
        FETCH NEXT FROM surplus INTO @parameter;
    END;
    CLOSE surplus;
    DEALLOCATE surplus;
END;
"""


def print_old_profile(label: str) -> str:
    """Return a statement that shows the profile to go back to, on the first run only."""
    return f"""IF @agent_profile_id <> @profile_id
    PRINT CONCAT({literal(label + " for rollback.sql: ")}, @agent_profile_id);
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
    return """DECLARE @step_id int, @command nvarchar(max), @flat nvarchar(max), @edited nvarchar(max);
DECLARE @at int, @value_at int, @value_end int, @cut int, @found nvarchar(255), @wanted nvarchar(255);
"""


def edit_job_step(kind: AgentKind, parameter: str, wanted: str, allowed: Sequence[str]) -> str:
    """Return statements that set one parameter of the agent's job step, as `set_job_step_token` does during a run.

    The step's text can hold passwords: it is edited on the server and never shown.

    Args:
        kind: which agent's step.
        parameter: its name, without the dash.
        wanted: the value as an expression; an empty string removes the parameter.
        allowed: values, as expressions, the step may have now ("" where it does not name the parameter); with
            another one nothing is touched. Empty: any.
    """
    name = literal(f"-{parameter}")
    guard = ""
    if allowed:
        message = _("the job step has another value of {name} than when it was measured").format(name=parameter)
        guard = f"""IF @found NOT IN ({", ".join(allowed)})
    THROW 50000, {literal(message)}, 1;
"""
    return f"""SET @wanted = {wanted};
IF @wanted LIKE N'%[^0-9]%'
    THROW 50000, N'the value for the job step must be a number, or empty where it was not named', 1;
SELECT TOP (1) @step_id = step.step_id, @command = step.command
FROM msdb.dbo.sysjobsteps AS step
WHERE step.job_id = @job_id AND step.subsystem = N'{_SUBSYSTEMS[kind]}'
ORDER BY step.step_id;
IF @step_id IS NULL
    THROW 50000, N'the job step is not on this server (of a pull subscription: at the Subscriber)', 1;
-- @flat is one character ahead of @command: it begins with a space of its own.
SET @flat = N' ' + REPLACE(REPLACE(REPLACE(@command, NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') + N' ';
SET @at = CHARINDEX(N' ' + {name} + N' ', @flat COLLATE Latin1_General_CI_AS);
SET @found = N'';
IF @at > 0
BEGIN
    SET @value_at = @at + LEN({name}) + 2;
    SET @value_at += ISNULL(NULLIF(PATINDEX(N'%[^ ]%', SUBSTRING(@flat, @value_at, 4000)), 0), 1) - 1;
    SET @value_end = CHARINDEX(N' ', @flat + N' ', @value_at);
    SET @cut = CASE WHEN @at = 1 THEN 1 ELSE @at - 1 END;
    SET @found = SUBSTRING(@flat, @value_at, @value_end - @value_at);
END;
{guard}SET @edited = CASE WHEN @wanted = N'' AND @at > 0 THEN STUFF(@command, @cut, @value_end - 1 - @cut, N'')
                   WHEN @wanted = N'' THEN @command
                   WHEN @at > 0 THEN STUFF(@command, @value_at - 1, @value_end - @value_at, @wanted)
                   ELSE @command + N' ' + {name} + N' ' + @wanted END;
IF @edited <> @command
    EXEC msdb.dbo.sp_update_jobstep @job_id = @job_id, @step_id = @step_id, @command = @edited;
"""


def print_old_value(label: str) -> str:
    """Return a statement that shows the value to go back to, on the first run only."""
    return f"""IF @found <> @wanted
    PRINT CONCAT({literal(label + " for rollback.sql: ")}, NCHAR(34), @found, NCHAR(34));
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
