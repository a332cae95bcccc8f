"""`apply.sql` and `rollback.sql`: the recommended values as scripts a DBA can read, run and take back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.document.in_effect import InEffect
from app.reporting.document.place import Places
from app.reporting.document.wording import Vocabulary, change_of, is_change
from app.systems.availability_groups.hand_over.changes import (
    GroupChange,
    core_of,
    group_script,
    is_group_change,
    places_to_run,
    plan_group_changes,
)
from app.systems.oracle_streams.hand_over.changes import is_streams_change, plan_streams_changes
from app.systems.oracle_streams.hand_over.scripts import oracle_core
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.hand_over import tsql
from app.systems.transactional_replication.hand_over.changes import (
    AgentChange,
    Means,
    ValueChange,
    agent_kind,
    contradicted,
    plan_agent_changes,
)
from app.systems.transactional_replication.site import kept_replication

_LINE: Final = "-- " + "-" * 90
_AGENT_VARIABLES: Final = {AgentKind.LOG_READER: "LogReaderAgent", AgentKind.DISTRIBUTION: "DistributionAgent"}


@dataclass(frozen=True)
class _Words:
    """What differs between a known agent and one the DBA has to fill in; expressions of T-SQL, but for `variable`.

    Attributes:
        variable: sqlcmd variable of an unknown agent, "" for a known one.
    """

    variable: str
    database: str
    agent_name: str
    own_profile: str
    old_profile: str

    def old_value(self, parameter: str) -> str:
        """Return the sqlcmd variable that holds a value of an unknown agent's job step."""
        return f"{self.variable}Old{parameter}"


@dataclass(frozen=True)
class _Batch:
    """One batch of a script: a number, one agent, and whether its target must be chosen first."""

    place: int
    change: AgentChange
    words: _Words
    is_chosen: bool


def apply_script(findings: Sequence[Finding], session: SessionRecord, words: Vocabulary) -> str:
    """Return the T-SQL that gives the measured agents the recommended values, one batch for each agent.

    Agents of measurements made elsewhere are unknown: then it is a template with sqlcmd variables to fill in.
    """
    return _script(findings, session, words, is_rollback=False)


def rollback_script(findings: Sequence[Finding], session: SessionRecord, words: Vocabulary) -> str:
    """Return the T-SQL that takes `apply_script` back exactly, in reverse order."""
    return _script(findings, session, words, is_rollback=True)


def core_statements(finding: Finding, session: SessionRecord, words: Vocabulary) -> tuple[str, str]:
    """Return the statements at the heart of both scripts for one finding, without guards; ("", "") where none is.

    For reading beside the finding; what is to be run is in the complete scripts.
    """
    switched = plan_group_changes([finding], session)
    if switched:
        return core_of(switched[0])
    of_oracle = plan_streams_changes([finding], session)
    if of_oracle:
        return oracle_core(of_oracle[0])
    changes = plan_agent_changes([finding], session, words)
    if not changes:
        return "", ""
    change = changes[0]
    value = change.values[0]
    agent_type = tsql.AGENT_TYPES[change.kind]
    if value.means is Means.JOB_STEP:
        back = f"-{value.parameter} {value.old}" if value.old else _("(remove -{name})").format(name=value.parameter)
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


def _script(findings: Sequence[Finding], session: SessionRecord, words: Vocabulary, is_rollback: bool) -> str:
    places, in_effect = Places(session, words), InEffect(session, words.parts)
    changes = plan_agent_changes(findings, session, words)
    switched = plan_group_changes(findings, session)
    batches = _batches(changes)
    targets = tuple(dict.fromkeys(batch.change.target for batch in batches))
    if is_rollback:
        batches = batches[::-1]
    notes = [*places_to_run(switched, has_agents=bool(changes)), *_guards(batches, switched, is_rollback)]
    parts = [_header(session, places, batches, is_rollback, notes)]
    parts += _template_header(batches, is_rollback)
    if len(targets) > 1:
        parts.append(tsql.choose_target(targets))
    shown = ""
    for batch in batches:
        if len(targets) > 1 and batch.change.target != shown:
            shown = batch.change.target
            parts.append(f"{_LINE}\n{tsql.comment(_('Target {target}').format(target=shown))}\n{_LINE}")
        parts.append(_text_of(batch, in_effect, is_rollback))
    parts += group_script(switched, len(batches) + 1, is_rollback=is_rollback)
    if not changes and not switched and not any(map(is_streams_change, findings)):
        parts.append(tsql.comment(_("Nothing is to be changed: no finding recommends another value of a parameter.")))
    parts += [
        _left_out(contradicted(findings, changes), places),
        _without_script(findings, is_rollback=is_rollback),
    ]
    return "\n".join(part.rstrip() + "\n" for part in parts if part)


def _guards(batches: Sequence[_Batch], switched: Sequence[GroupChange], is_rollback: bool) -> list[str]:
    """Return what the batches check before they change something: no more than they do."""
    if not batches and not switched:
        return []
    said = [_("Every batch may be run twice.")]
    if all(_distributor(batch.change) for batch in batches) and all(change.server for change in switched):
        said.append(_("It stops on another server than its own."))
    if any(batch.change.agent for batch in batches):
        said.append(
            _(
                "It stops where the agent is missing, or its profile or job step is neither as apply.sql left nor "
                "found it."
            )
            if is_rollback
            else _("It stops where agent, profile or value are not the ones it was written for.")
        )
    if any(batch.change.agent is None for batch in batches):
        said.append(
            _("It stops where the agent is not found, or has another profile or value than apply.sql showed or set.")
            if is_rollback
            else _("It stops where the agent is not found; it checks neither its server nor the value in use.")
        )
    return [" ".join(said)]


def _batches(changes: Sequence[AgentChange]) -> tuple[_Batch, ...]:
    """Return the batches in order, those of one target together, each unknown agent with a variable of its own."""
    targets = list(dict.fromkeys(change.target for change in changes))
    ordered = sorted(changes, key=lambda change: targets.index(change.target))
    batches = []
    for place, change in enumerate(ordered, start=1):
        unknown = [other for other in ordered if other.agent is None and other.kind is change.kind]
        several = str(unknown.index(change) + 1) if len(unknown) > 1 and change.agent is None else ""
        words = _words(change, _AGENT_VARIABLES[change.kind] + several)
        batches.append(_Batch(place, change, words, is_chosen=len(targets) > 1))
    return tuple(batches)


def _header(
    session: SessionRecord, places: Places, batches: Sequence[_Batch], is_rollback: bool, notes: Sequence[str]
) -> str:
    title = _("Takes the recommended values back") if is_rollback else _("Sets the recommended values")
    lines = [
        _LINE,
        tsql.comment(f"{'rollback.sql' if is_rollback else 'apply.sql'}: {title}"),
        tsql.comment(
            _("Session {session}, Replitune {version}").format(session=session.session_id, version=session.app_version)
        ),
        *map(tsql.comment, notes),
    ]
    if batches and batches[0].is_chosen:
        text = _("Several targets were measured. Choose one below: the batches of the others are skipped.")
        lines.append(tsql.comment(text))
    if not is_rollback:
        carried_out: dict[Finding, list[int]] = {}
        for batch in batches:
            for value in batch.change.values:
                carried_out.setdefault(value.finding, []).append(batch.place)
        lines += [_line_of(numbers, finding, places) for finding, numbers in carried_out.items()]
    return "\n".join([*lines, _LINE])


def _line_of(numbers: Sequence[int], finding: Finding, places: Places) -> str:
    """Return which batches carry a finding out, under what it was measured, and the rule behind it."""
    where = "; ".join(part for part in (places.text(finding), finding.rule) if part)
    text = _("Batch {numbers}: {title} ({where})")
    listed = ", ".join(map(str, numbers))
    return tsql.comment(text.format(numbers=listed, title=finding.title, where=where), indent="-- * ")


def _template_header(batches: Sequence[_Batch], is_rollback: bool) -> list[str]:
    """Return the sqlcmd variables of agents that are not known, [] where all are."""
    unknown = [batch for batch in batches if batch.change.agent is None]
    if not unknown:
        return []
    note = _(
        "TEMPLATE: these measurements were made elsewhere, so the agents are not known. Fill in the variables below, "
        "read the script, and run it in SQLCMD mode."
    )
    lines = [tsql.comment(note), ":setvar DistributionDatabase distribution"]
    for batch in unknown:
        name = batch.words.variable
        about = f" ({batch.change.place})" if batch.change.place else ""
        lines.append(tsql.comment(_("Agent of batch {place}{about}").format(place=batch.place, about=about)))
        lines.append(f':setvar {name} "name of the agent"')
        if is_rollback and batch.change.by(Means.PROFILE):
            lines.append(f':setvar {name}OldProfileId "the number apply.sql printed"')
        for value in batch.change.by(Means.JOB_STEP) if is_rollback else ():
            lines.append(f':setvar {batch.words.old_value(value.parameter)} "the value apply.sql printed"')
    return ["\n".join(lines)]


def _text_of(batch: _Batch, in_effect: InEffect, is_rollback: bool) -> str:
    change, words = batch.change, batch.words
    notes = (in_effect.note(value.finding) for value in change.values)
    parts = [_title(batch, in_effect), *(tsql.comment(note) for note in notes if note)]
    if batch.is_chosen:
        parts.append(tsql.only_for_target(batch.place, change.target).rstrip())
    distributor = _distributor(change)
    if distributor:
        parts.append(tsql.only_on_server(distributor).rstrip())
    publisher_db = change.agent.publisher_db if change.agent else ""
    parts.append(tsql.find_agent(change.kind, words.database, words.agent_name, words.own_profile, publisher_db))
    parts.append(_roll_back(change, words) if is_rollback else _apply(change, words))
    parts.append(tsql.restart_agent() + "GO")
    return "\n".join(parts)


def _distributor(change: AgentChange) -> str:
    """Return the name of the server the agent was found on, "" where it is unknown."""
    read = kept_replication(change.environment) if change.environment else None
    servers = read.topology.servers if read else ()
    return next((server.name for server in servers if server.role == "Distributor"), "")


def _title(batch: _Batch, in_effect: InEffect) -> str:
    change = batch.change
    name = change.agent.name if change.agent else batch.words.variable
    where = change.target if batch.is_chosen else change.place
    values = ", ".join(in_effect.change(value.finding) for value in change.values)
    return tsql.comment(f"{batch.place}. {name}{f' ({where})' if where else ''}: {values}")


def _words(change: AgentChange, variable: str) -> _Words:
    read = kept_replication(change.environment) if change.environment else None
    if change.agent is None or read is None:
        own_profile = f"N'Replitune advice $({variable})'"
        return _Words(
            variable, "[$(DistributionDatabase)]", f"N'$({variable})'", own_profile, f"$({variable}OldProfileId)"
        )
    return _Words(
        "",
        tsql.identifier(read.topology.distribution_db),
        tsql.literal(change.agent.name),
        tsql.literal(tsql.profile_name(change.agent.name)),
        str(change.agent.profile_id),
    )


def _apply(change: AgentChange, words: _Words) -> str:
    parts = []
    profile_values = change.by(Means.PROFILE)
    if profile_values:
        if change.agent is not None:
            parts.append(tsql.check_profile(words.old_profile))
            parts += [_check_value(value) for value in profile_values if value.found]
        parts.append(tsql.make_profile(change.kind))
        if change.agent is None:
            parts.append(tsql.print_old_profile(f"{words.variable}OldProfileId"))
        parts += [tsql.set_profile_parameter(v.parameter, tsql.literal(v.new)) for v in profile_values]
        parts.append(tsql.assign_profile(change.kind, "@profile_id"))
    return "".join(parts) + _edit_steps(change, words, is_rollback=False)


def _check_value(value: ValueChange) -> str:
    allowed = dict.fromkeys((value.found, value.new))
    return tsql.check_profile_value(value.parameter, [tsql.literal(text) for text in allowed])


def _roll_back(change: AgentChange, words: _Words) -> str:
    has_profile = bool(change.by(Means.PROFILE))
    parts = [tsql.check_profile(words.old_profile)] if has_profile else []
    parts.append(_edit_steps(change, words, is_rollback=True))
    if has_profile:
        parts.append(tsql.assign_profile(change.kind, words.old_profile))
        parts.append(tsql.drop_profile(change.kind))
    return "".join(parts)


def _edit_steps(change: AgentChange, words: _Words, is_rollback: bool) -> str:
    """Return the edits of the agent's job step; of an unknown agent the old value is printed, and filled in again."""
    values = change.by(Means.JOB_STEP)
    parts = [tsql.declare_job_step()] if values else []
    for value in values:
        new = tsql.literal(value.new)
        old = tsql.literal(value.old or "") if change.agent else f"N'$({words.old_value(value.parameter)})'"
        shown = (value.old or _("not named")) if change.agent else _("what it was")
        note = _("{name} in the job step: {value}").format(
            name=value.parameter, value=shown if is_rollback else value.new
        )
        allowed = (old, new) if change.agent or is_rollback else ()
        parts.append(tsql.comment(note) + "\n")
        parts.append(tsql.edit_job_step(change.kind, value.parameter, old if is_rollback else new, allowed))
        if change.agent is None and not is_rollback:
            parts.append(tsql.print_old_value(words.old_value(value.parameter)))
    return "".join(parts)


def _left_out(findings: Sequence[Finding], places: Places) -> str:
    """Return comments on recommendations that contradict one that is carried out: one agent has one value."""
    text = _("Left out, because a batch above gives the same agent another value: {change} ({where}). Decide for one.")
    return "\n".join(tsql.comment(text.format(change=change_of(f), where=places.text(f) or f.rule)) for f in findings)


def _words_by_hand(finding: Finding, is_rollback: bool) -> str:
    """Return what a person does: what is recommended, or how it is taken back."""
    return finding.undo if is_rollback else finding.recommendation


def _without_script(findings: Sequence[Finding], *, is_rollback: bool) -> str:
    """Return comments on recommendations that no script here can carry out."""
    others = [f for f in findings if is_change(f) and agent_kind(f) is None and not is_group_change(f)]
    of_oracle = [finding for finding in others if is_streams_change(finding)]
    lines = [
        tsql.comment(
            _("By hand: {change}. {words}").format(
                change=change_of(finding), words=_words_by_hand(finding, is_rollback)
            )
        )
        for finding in others
        if finding not in of_oracle
    ]
    if of_oracle:
        text = _("Oracle parameters ({changes}) are set by apply_oracle.sql and taken back by rollback_oracle.sql.")
        lines.append(tsql.comment(text.format(changes=", ".join(map(change_of, of_oracle)))))
    return "\n".join(lines)
