"""T-SQL for a DBA without this program: checks of a script's objects, around the statements that a run sends.

A script for an agent is a check, then one batch a statement. The check writes down in a temporary table what it found;
a batch does nothing unless all before it were done, so a script that is stopped anywhere may be run again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.declared_change import Call
from app.domain.setting import Value
from app.drivers.sqlserver.executor import At, given
from app.drivers.sqlserver.scripts import (
    Sql,
    came_to_its_end,
    literal,
    rows_of,
    stop,
    unless_check_only,
    with_values,
)
from app.foundation.script_text import comment
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from app.systems.transactional_replication.server.job_scripts import profile_id_by_name, restart_if_running
from app.systems.transactional_replication.topology import Agent

_AGENT_TABLES: Final = {AgentKind.LOG_READER: "MSlogreader_agents", AgentKind.DISTRIBUTION: "MSdistribution_agents"}
_CHECKED: Final = "#replitune_agent"
_DAY_H: Final = 24
_MOST_COUNTED: Final = 1_000_000
AGENT_ID: Final = Sql(f"(SELECT checked.agent_id FROM {_CHECKED} AS checked)")
PROFILE_ID: Final = Sql(f"(SELECT checked.profile_id FROM {_CHECKED} AS checked)")
JOB_ID: Final = Sql(f"(SELECT checked.job_id FROM {_CHECKED} AS checked)")


def only_on_server(name: str) -> str:
    """Return a guard: stop on any other server than the Distributor that was measured."""
    message = _("this is not Distributor {name}: nothing was changed").format(name=name)
    return f"""IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> {literal(name)}
    {stop(message)}
"""


def server_state_by_hand() -> str:
    """Return, as comments, the batch that tests the agent's right at the Subscriber, where this script does not run."""
    ahead = _(
        "By hand, at the Subscriber, before this batch: with two or more streams the agent's account "
        "needs VIEW SERVER STATE there. Write its login for <login>, remove the two dashes before each "
        "line below and run the lines there: if no line is printed, the right is there."
    )
    lines = (
        "EXECUTE AS LOGIN = N'<login>';",
        "IF HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE') = 0",
        "    PRINT N'GRANT VIEW SERVER STATE TO [<login>];';",
        "REVERT;",
    )
    return "\n".join([comment(ahead), *(f"-- {line}" for line in lines)])


def forget_agent() -> str:
    """Return the batch that clears the result of a check; without a check, nothing behind it is done."""
    return f"""IF OBJECT_ID(N'tempdb..{_CHECKED}') IS NOT NULL
    DROP TABLE {_CHECKED};
CREATE TABLE {_CHECKED} (
    agent_name nvarchar(256), agent_id int, profile_id int, job_id uniqueidentifier, done int
);
GO
"""


def find_agent(kind: AgentKind, distribution_db: str, agent_name: Sql, own_profile: Sql, publisher_db: str = "") -> str:
    """Return the beginning of a check: find the agent, its profile and its job; it must serve `publisher_db`, if given.

    Its name holds Publisher, publication and Subscriber as well. The batch names the database and does not USE it: that
    is checked when a batch is compiled, and at another server error 911 would come instead of the guard's sentence.
    """
    missing = _("agent {agent} was not found in this distribution database")
    same_database = f" AND agent.publisher_db = {literal(publisher_db)}" if publisher_db else ""
    return f"""SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @agent_name nvarchar(256) = {agent_name.text};
DECLARE @own_profile sysname = {own_profile.text};
DECLARE @agent_id int, @agent_profile_id int, @job_id uniqueidentifier, @message nvarchar(400);
SELECT @agent_id = agent.id, @agent_profile_id = agent.profile_id,
       @job_id = CONVERT(uniqueidentifier, agent.job_id)
FROM {distribution_db}.dbo.{_AGENT_TABLES[kind]} AS agent
WHERE agent.name = @agent_name{same_database};
IF @agent_id IS NULL
BEGIN
    SET @message = REPLACE({literal(missing)}, N'{{agent}}', @agent_name);
    THROW 50000, @message, 127;
END;
"""


def check_profile(kind: AgentKind, known_profile_id: str) -> str:
    """Return guards: stop where the agent has been given another profile since the session, or lost the one it had.

    A profile somebody dropped could not be given back: then no value is set, and none taken back halfway.
    """
    gone = _("the profile this agent had when it was measured is no longer there: nothing was changed")
    other = _("this agent was given another profile since it was measured")
    return f"""IF NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
               WHERE profile.profile_id = {known_profile_id} AND profile.agent_type = {AGENT_TYPES[kind]})
    {stop(gone)}
-- Somebody may have changed this agent since it was measured: then nothing is touched.
IF @agent_profile_id <> {known_profile_id}
   AND NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
                   WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    {stop(other)}
"""


def check_profile_value(parameter: str, allowed: Sequence[str], old_profile: str = "") -> str:
    """Return a guard: stop where the agent's profile gives a parameter another value than the ones allowed.

    Args:
        old_profile: id of the profile that it had before, which may hold what it likes; "" for none.
    """
    message = _("the profile has another value of {name} than when it was measured").format(name=parameter)
    is_own = f" AND own.profile_id <> {old_profile}" if old_profile else ""
    return f"""IF EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own
           WHERE own.profile_id = @agent_profile_id{is_own} AND own.parameter_name = {literal(f"-{parameter}")}
             AND own.value NOT IN ({", ".join(allowed)}))
    {stop(message)}
"""


def named_by(profile_id: str, parameter: str) -> str:
    """Return a condition: a profile names a parameter."""
    return (
        "EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS former\n"
        f"        WHERE former.profile_id = {profile_id} AND former.parameter_name = {literal(f'-{parameter}')})"
    )


def value_of(profile_id: str, parameter: str) -> Sql:
    """Return the value a profile gives a parameter, as an expression."""
    return Sql(
        "(SELECT former.value FROM msdb.dbo.MSagent_parameters AS former "
        f"WHERE former.profile_id = {profile_id} AND former.parameter_name = {literal(f'-{parameter}')})"
    )


def has_value(agent_type: int, profile: Sql, values: Sequence[tuple[str, str]]) -> str:
    """Return a condition: a profile gives one of some parameters the value named with it."""
    pairs = "\n            OR ".join(
        f"(own.parameter_name = {literal(f'-{parameter}')} AND own.value = {literal(value)})"
        for parameter, value in values
    )
    return (
        "EXISTS (SELECT 1 FROM msdb.dbo.MSagent_parameters AS own\n"
        f"        WHERE own.profile_id = {profile_id_by_name(agent_type, profile).text}\n"
        f"          AND ({pairs}))"
    )


def print_old_profile(label: str, undo: str) -> str:
    """Return a statement that shows the profile to go back to, on the first run only.

    Args:
        undo: name of the script whose variable it is.
    """
    return f"""IF NOT EXISTS (SELECT 1 FROM msdb.dbo.MSagent_profiles AS profile
               WHERE profile.profile_id = @agent_profile_id AND profile.profile_name = @own_profile)
    PRINT CONCAT({literal(f"{label} for {undo}: ")}, @agent_profile_id);
"""


@dataclass(frozen=True)
class StepCheck:
    """A parameter of the agent's job step before it is set.

    Attributes:
        parameter: its name, without the dash.
        wanted: the value it gets, as an expression; an empty string removes the parameter.
        allowed: values, as expressions, the step may have now ("" where it does not name the parameter); with another
            one nothing is touched. Empty: any.
        label: under which its value is shown, to be filled into the script that takes it back; "" not to show it.
        undo: name of that script.
        is_asked: a person fills it in, so it may be no number.
    """

    parameter: str
    wanted: str
    allowed: Sequence[str] = ()
    label: str = ""
    undo: str = ""
    is_asked: bool = False


def check_steps(checks: Sequence[StepCheck]) -> str:
    """Return guards: stop where the agent's job step is not here, or not as it is expected.

    The step's text can hold passwords: its parameters are read as a run reads them, and it is never shown.
    """
    return "".join(_check_step(check, number) for number, check in enumerate(checks, start=1))


def _check_step(check: StepCheck, number: int) -> str:
    step = f"@step_{number}"
    values: Mapping[str, Sql | str] = {"job_id": Sql("@job_id"), "parameter": f"-{check.parameter}"}
    other = _("the job step has another value of {name} than when it was measured").format(name=check.parameter)
    elsewhere = _("the job step is not on this server (of a pull subscription: at the Subscriber)")
    unclear = _("the job step names {name} twice or without a number").format(name=check.parameter)
    lines = [
        rows_of("job_step_token", values, step),
        f"IF NOT EXISTS (SELECT 1 FROM {step} AS step)\n    {stop(elsewhere)}\n",
        f"IF EXISTS (SELECT 1 FROM {step} AS step\n"
        "           WHERE step.occurrences > 1 OR (step.occurrences = 1 AND step.value IS NULL))\n"
        f"    {stop(unclear)}\n",
    ]
    if check.is_asked:
        asked = _("the value for the job step must be a number, or empty where it was not named")
        lines.append(f"IF {check.wanted} LIKE N'%[^0-9]%'\n    {stop(asked)}\n")
    if check.allowed:
        allowed = ", ".join(check.allowed)
        lines.append(
            f"IF EXISTS (SELECT 1 FROM {step} AS step WHERE ISNULL(step.value, N'') NOT IN ({allowed}))\n"
            f"    {stop(other)}\n"
        )
    if check.label:
        lines.append(
            f"DECLARE @old_{number} nvarchar(255) = (SELECT ISNULL(step.value, N'') FROM {step} AS step);\n"
            f"IF @old_{number} <> {check.wanted}\n"
            f"    PRINT CONCAT({literal(f'{check.label} for {check.undo}: ')}, NCHAR(34), @old_{number}, NCHAR(34));\n"
        )
    return "".join(lines)


@dataclass(frozen=True)
class Shown:
    """A value of an agent as a script shows it before and after.

    Attributes:
        parameter: its name, without the dash.
        is_in_step: it stands in the job step; in the agent's profile otherwise.
        expected: what it is to be at the end, as an expression; "" where that is not known.
        is_required: the script ends with an error where it reads otherwise.
    """

    parameter: str
    is_in_step: bool
    expected: str = ""
    is_required: bool = True


def show_before(values: Sequence[Shown]) -> str:
    """Return the batch that shows values behind the checks that found them (`find_agent`, `check_steps` in the same
    order)."""
    steps = [value for value in values if value.is_in_step]
    readings = [
        (value, f"SELECT step.value FROM @step_{steps.index(value) + 1} AS step" if value.is_in_step else _own(value))
        for value in values
    ]
    return "".join(
        f"SELECT N'before' AS moment, @agent_name AS agent, {literal(value.parameter)} AS parameter,\n"
        f"       ({reading}) AS value;\n"
        for value, reading in readings
    )


def _own(value: Shown) -> str:
    return (
        "SELECT own.value FROM msdb.dbo.MSagent_parameters AS own\n"
        "        WHERE own.profile_id = @agent_profile_id AND own.parameter_name = "
        f"{literal(f'-{value.parameter}')}"
    )


def verify(
    kind: AgentKind, distribution_db: str, agent_name: Sql, values: Sequence[Shown], done: int, batch: int
) -> str:
    """Return the last batch of an agent: shows every value as it reads now, and stops where one reads otherwise.

    Args:
        done: how many batches must have been done before it.
    """
    lines = [
        comment(_("Verify: what the agent has from now on")) + "\n",
        _only_after(agent_name, done),
        f"DECLARE @agent_name nvarchar(256) = {agent_name.text};\n",
        f"DECLARE @job_id uniqueidentifier = {JOB_ID.text};\n",
        "DECLARE @agent_profile_id int = (SELECT agent.profile_id\n"
        f"    FROM {distribution_db}.dbo.{_AGENT_TABLES[kind]} AS agent WHERE agent.id = {AGENT_ID.text});\n",
    ]
    for number, value in enumerate(values, start=1):
        lines += _verified(value, number)
    return "".join(lines) + came_to_its_end(batch) + "GO"


def _verified(value: Shown, number: int) -> list[str]:
    step, now = f"@step_{number}", f"@value_{number}"
    message = _("{name} reads differently than it was set").format(name=value.parameter)
    given: Mapping[str, Sql | str] = {"job_id": Sql("@job_id"), "parameter": f"-{value.parameter}"}
    reading = f"SELECT step.value FROM {step} AS step" if value.is_in_step else _own(value)
    return [
        *([rows_of("job_step_token", given, step)] if value.is_in_step else []),
        f"DECLARE {now} nvarchar(255) = ISNULL(({reading}), N'');\n"
        f"SELECT N'after' AS moment, @agent_name AS agent, {literal(value.parameter)} AS parameter,\n"
        f"       {now} AS value, {value.expected or 'NULL'} AS expected;\n",
        *([f"IF {now} <> {value.expected}\n    {stop(message)}\n"] if value.expected and value.is_required else []),
    ]


def look(values: Sequence[Shown], *, is_after: bool) -> str:
    """Return the rest of a batch behind `find_agent` that shows values and changes nothing.

    Args:
        is_after: they are to be as expected: it stops where one is another.
    """
    if is_after:
        return "".join(line for number, value in enumerate(values, start=1) for line in _verified(value, number))
    return check_steps([StepCheck(value.parameter, "") for value in values if value.is_in_step]) + show_before(values)


def recent(kind: AgentKind, database: str, guard: str, agent: Agent) -> Iterator[str]:
    """Yield batches that read what a run reads of an agent: its last day by the hour, and its backlog."""
    title = _("The last {hours} hours; this agent is number {agent} of type {type}")
    told = comment(title.format(hours=_DAY_H, agent=agent.agent_id, type=AGENT_TYPES[kind]))
    yield _reading(told, guard, database, "agent_hours", {"hours": _DAY_H})
    if kind is AgentKind.DISTRIBUTION:
        values: dict[str, Value | Sql] = {
            "publisher": agent.publisher,
            "publisher_db": agent.publisher_db,
            "agent_id": agent.agent_id,
            "at_most": _MOST_COUNTED,
        }
        yield _reading(comment(_("Commands that wait for it")), guard, database, "agent_backlog", values)


def _reading(title: str, guard: str, database: str, name: str, values: Mapping[str, Value | Sql]) -> str:
    # a batch that names its server uses no database: that is checked when a batch is compiled
    return f"USE {database};\nGO\n{title}\n{guard}{with_values(name, values).strip()}\nGO"


def keep_agent(batch: int) -> str:
    """Return the end of a check: the batches behind it may be done, unless it checks only."""
    checked = _("Checked only: agent and values are as this script expects them; nothing was changed.")
    ended = unless_check_only(checked, batch)
    return f"""{ended}INSERT INTO {_CHECKED} (agent_name, agent_id, profile_id, job_id, done)
VALUES (@agent_name, @agent_id, @agent_profile_id, @job_id, 0);
GO
"""


@dataclass(frozen=True)
class Step:
    """A statement of a run as one batch of a script.

    Attributes:
        title: what it does.
        database: where it runs, as T-SQL names it.
        given: its parameters by name that are not the values of the call.
        unless: a condition where it has nothing to do, "" for none.
    """

    title: str
    database: str
    call: Call[At]
    given: Mapping[str, Sql]
    unless: str = ""


def steps_of(agent_name: Sql, steps: Sequence[Step]) -> Iterator[str]:
    """Yield a batch for each step, then one that restarts the agent's job where it runs."""
    for number, step in enumerate(steps):
        body = with_values(step.call.statement, {**given(step.call), **step.given}).strip()
        guard = _only_after(agent_name, number) + (_nothing_to_do(step.unless, number) if step.unless else "")
        yield f"{comment(step.title)}\n{guard}USE {step.database};\n{body}\n{_done(number)}"
    yield f"{_only_after(agent_name, len(steps))}USE [msdb];\n{restart_if_running(JOB_ID)}{_done(len(steps))}".rstrip()


def _only_after(agent_name: Sql, number: int) -> str:
    message = _("Skipped: the step before it was not done.")
    return f"""IF NOT EXISTS (SELECT 1 FROM {_CHECKED} AS checked
               WHERE checked.agent_name = {agent_name.text} AND checked.done = {number})
BEGIN
    PRINT {literal(message)};
    RETURN;
END;
"""


def _nothing_to_do(condition: str, number: int) -> str:
    return f"IF {condition}\nBEGIN\n    {_counted(number)}    RETURN;\nEND;\n"


def _done(number: int) -> str:
    return f"{_counted(number)}GO\n"


def _counted(number: int) -> str:
    return f"UPDATE {_CHECKED} SET done = {number + 1};\n"
