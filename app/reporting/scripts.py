"""`apply.sql` and `rollback.sql`: the recommended values as scripts a DBA can read, run and take back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.domain.setting import AgentKind
from app.foundation.texts import _
from app.reporting import tsql
from app.reporting.agent_changes import AgentChange, Means, agent_kind, plan_agent_changes
from app.reporting.wording import change_of, is_change

_LINE: Final = "-- " + "-" * 90
_AGENT_VARIABLES: Final = {AgentKind.LOG_READER: "LogReaderAgent", AgentKind.DISTRIBUTION: "DistributionAgent"}


@dataclass(frozen=True)
class _Words:
    """What differs between a known agent and one the DBA has to fill in."""

    database: str
    agent_name: str
    own_profile: str
    old_profile: str


def apply_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return the T-SQL that gives the measured agents the recommended values, one batch for each agent.

    Agents of measurements made elsewhere are unknown: then it is a template with sqlcmd variables to fill in.
    """
    return _script(findings, session, is_rollback=False)


def rollback_script(findings: Sequence[Finding], session: SessionRecord) -> str:
    """Return the T-SQL that takes `apply_script` back exactly, in reverse order."""
    return _script(findings, session, is_rollback=True)


def core_statements(finding: Finding, session: SessionRecord) -> tuple[str, str]:
    """Return the statements at the heart of both scripts for one finding, without guards; ("", "") where none is.

    For reading beside the finding; what is to be run is in the complete scripts.
    """
    changes = plan_agent_changes([finding], session)
    if not changes:
        return "", ""
    change = changes[0]
    value = change.values[0]
    agent_type = tsql.AGENT_TYPES[change.kind]
    if value.means is Means.JOB_STEP:
        back = f"-{value.parameter} {value.old}" if value.old else _("(not named)")
        return (
            _("-- in the agent's job step, then restart the job:\n-{name} {value}").format(
                name=value.parameter, value=value.new
            ),
            _("-- in the agent's job step, then restart the job:\n{back}").format(back=back),
        )
    old_profile = change.agent.profile_id if change.agent else "@old_profile_id"
    apply_text = (
        f"EXEC sp_change_agent_parameter @own_profile_id,\n  N'-{value.parameter}', N'{value.new}';\n"
        f"EXEC sp_update_agent_profile {agent_type}, @agent_id,\n  @own_profile_id;"
    )
    rollback_text = (
        f"EXEC sp_update_agent_profile {agent_type}, @agent_id,\n  {old_profile};\n"
        "EXEC sp_drop_agent_profile @own_profile_id;"
    )
    return apply_text, rollback_text


def _script(findings: Sequence[Finding], session: SessionRecord, is_rollback: bool) -> str:
    changes = plan_agent_changes(findings, session)
    if is_rollback:
        changes = tuple(reversed(changes))
    parts = [_header(findings, session, changes, is_rollback)]
    targets = {change.environment.target for change in changes if change.environment}
    for place, change in enumerate(changes, start=1):
        parts.append(_batch(place, change, is_rollback, has_many_targets=len(targets) > 1))
    if not changes:
        parts.append(tsql.comment(_("Nothing is to be changed: no finding recommends another value of a parameter.")))
    parts.append(_without_script(findings))
    return "\n".join(part.rstrip() + "\n" for part in parts if part)


def _header(
    findings: Sequence[Finding], session: SessionRecord, changes: Sequence[AgentChange], is_rollback: bool
) -> str:
    title = _("Takes the recommended values back") if is_rollback else _("Sets the recommended values")
    lines = [
        _LINE,
        tsql.comment(f"{'rollback.sql' if is_rollback else 'apply.sql'}: {title}"),
        tsql.comment(
            _("Session {session}, Replitune {version}").format(session=session.session_id, version=session.app_version)
        ),
        tsql.comment(_("Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted.")),
        tsql.comment(_("Every batch may be run twice. Nothing outside the named agents is touched.")),
    ]
    if not is_rollback:
        lines += [tsql.comment(f"{change_of(f)} ({f.rule}): {f.title}", "-- * ") for f in findings if is_change(f)]
    if any(change.agent is None for change in changes):
        lines += _template_header(changes, is_rollback)
    return "\n".join([*lines, _LINE])


def _template_header(changes: Sequence[AgentChange], is_rollback: bool) -> list[str]:
    variables = [":setvar DistributionDatabase distribution"]
    for variable in dict.fromkeys(_AGENT_VARIABLES[change.kind] for change in changes):
        variables.append(f':setvar {variable} "name of the agent"')
        if is_rollback:
            variables.append(f':setvar {variable}OldProfileId "the number apply.sql printed"')
    note = _(
        "TEMPLATE: these measurements were made elsewhere, so the agents are not known. Fill in the variables below, "
        "read the script, and run it in SQLCMD mode."
    )
    return [tsql.comment(note), *variables]


def _batch(place: int, change: AgentChange, is_rollback: bool, has_many_targets: bool) -> str:
    words = _words(change)
    parts = [_title(place, change)]
    if has_many_targets and change.environment:
        text = _("Only for the Distributor of {target}: run the batches of one target at a time.")
        parts.append(tsql.comment(text.format(target=change.environment.target)))
    parts += [tsql.find_agent(change.kind, words.database, words.agent_name, words.own_profile)]
    parts.append(_roll_back(change, words) if is_rollback else _apply(change, words))
    parts.append(tsql.restart_agent() + "GO")
    return "\n".join(parts)


def _title(place: int, change: AgentChange) -> str:
    name = change.agent.name if change.agent else f"$({_AGENT_VARIABLES[change.kind]})"
    values = ", ".join(change_of(value.finding) for value in change.values)
    return tsql.comment(f"{place}. {name}: {values}")


def _words(change: AgentChange) -> _Words:
    if change.agent is None or change.environment is None or change.environment.topology is None:
        name = _AGENT_VARIABLES[change.kind]
        return _Words(
            "[$(DistributionDatabase)]", f"N'$({name})'", f"N'Replitune advice $({name})'", f"$({name}OldProfileId)"
        )
    return _Words(
        tsql.identifier(change.environment.topology.distribution_db),
        tsql.literal(change.agent.name),
        tsql.literal(tsql.profile_name(change.agent.name)),
        str(change.agent.profile_id),
    )


def _apply(change: AgentChange, words: _Words) -> str:
    parts = []
    profile_values = change.by(Means.PROFILE)
    if profile_values:
        if change.agent is not None:
            parts.append(tsql.check_profile(change.agent.profile_id))
        parts.append(tsql.make_profile(change.kind))
        if change.agent is None:
            parts.append(tsql.print_old_profile())
        parts += [tsql.set_profile_parameter(v.parameter, tsql.literal(v.new)) for v in profile_values]
        parts.append(tsql.assign_profile(change.kind, "@profile_id"))
    return "".join(parts) + _edit_steps(change, is_rollback=False)


def _roll_back(change: AgentChange, words: _Words) -> str:
    parts = [_edit_steps(change, is_rollback=True)]
    if change.by(Means.PROFILE):
        parts.append(tsql.assign_profile(change.kind, words.old_profile))
        parts.append(tsql.drop_profile(change.kind))
    return "".join(parts)


def _edit_steps(change: AgentChange, is_rollback: bool) -> str:
    values = change.by(Means.JOB_STEP)
    parts = [tsql.declare_job_step()] if values else []
    for value in values:
        wanted = value.old if is_rollback else value.new
        note = _("{name} in the job step: {value}").format(name=value.parameter, value=wanted or _("not named"))
        edit = tsql.edit_job_step(change.kind, value.parameter, tsql.literal(wanted) if wanted else None)
        parts.append(tsql.comment(note) + "\n" + edit)
    return "".join(parts)


def _without_script(findings: Sequence[Finding]) -> str:
    """Return comments on recommendations that no script here can carry out."""
    others = [f for f in findings if is_change(f) and agent_kind(f) is None]
    return "\n".join(
        tsql.comment(_("By hand: {change}. {undo}").format(change=change_of(finding), undo=finding.undo))
        for finding in others
    )
