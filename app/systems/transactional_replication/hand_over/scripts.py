"""The recommended values of replication agents as scripts a DBA can read, run and take back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.declared_change import Details
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation, ScriptFiles, ScriptPart, own_name
from app.domain.session import Environment, SessionRecord
from app.drivers.sqlserver.scripts import (
    Sql,
    batch_files,
    how_to_run,
    identifier,
    literal,
    look_part,
    only_for_target,
    whole_script,
)
from app.foundation.script_text import RULE, comment
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.hand_over import sql as tsql
from app.systems.transactional_replication.hand_over.recommended import (
    AgentChange,
    Means,
    ValueChange,
    agent_kind,
    agent_values,
    plan_agent_changes,
)
from app.systems.transactional_replication.server.documented import AGENT_TYPES, needs_server_state
from app.systems.transactional_replication.server.job_scripts import check_can_start, profile_id_by_name
from app.systems.transactional_replication.server.profile_parameter import DECLARED as PARAMETER_DECLARED
from app.systems.transactional_replication.server.profile_plans import (
    assigning_profile,
    dropping_profile,
    making_profile,
)
from app.systems.transactional_replication.server.step_changes import DECLARED as STEP_DECLARED
from app.systems.transactional_replication.server.step_changes import StepToken
from app.systems.transactional_replication.site import kept_replication

_MSDB: Final = "[msdb]"
_DESCRIPTION: Final = "Recommended by Replitune"
_AGENT_VARIABLES: Final = {AgentKind.LOG_READER: "LogReaderAgent", AgentKind.DISTRIBUTION: "DistributionAgent"}


@dataclass(frozen=True)
class _Words:
    """The differences between a known agent and one the DBA has to fill in.

    Attributes:
        variable: sqlcmd variable of an unknown agent, "" for a known one.
        database: the distribution database as T-SQL names it.
        agent_name, own_profile, old_profile: as T-SQL names them; the last is an id.
        agent, profile: the agent and its own profile as a comment names them.
    """

    variable: str
    database: str
    agent_name: Sql
    own_profile: Sql
    old_profile: str
    agent: str
    profile: str

    def old_value(self, parameter: str) -> str:
        """Return the sqlcmd variable that holds a value of an unknown agent's job step."""
        return f"{self.variable}Old{parameter}"


@dataclass(frozen=True)
class _Batch:
    """One batch of a script: a number, one agent, and whether its target must be chosen first."""

    files: ScriptFiles
    place: int
    change: AgentChange
    words: _Words
    is_chosen: bool


class AgentScripts:
    """Writes one batch for each agent that is to be changed.

    Agents of measurements made elsewhere are unknown: then it is a template with sqlcmd variables to fill in.
    """

    values_in_effect = staticmethod(agent_values)

    def files(self) -> ScriptFiles:
        """Return the files every hand-over has, run by sqlcmd."""
        return batch_files().with_looks()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding is about a parameter of an agent."""
        return agent_kind(finding) is not None

    def servers(self, every: Sequence[Recommendation], session: SessionRecord) -> Mapping[Finding, tuple[str, ...]]:
        """Return the Distributors of the agents that are to be changed."""
        return {
            one.finding: tuple(dict.fromkeys(map(_distributor, plan_agent_changes([one], session)))) for one in every
        }

    def write(
        self,
        chosen: Sequence[Recommendation],
        every: Sequence[Recommendation],
        session: SessionRecord,
        files: ScriptFiles,
        *,
        is_rollback: bool,
    ) -> ScriptPart:
        """Return a batch for each agent, in reverse order where it is a rollback."""
        changes = [one for one in _beside_others(chosen, every, session) if _distributor(one) == files.server]
        here = [environment for environment in session.environments if _distributor_in(environment) == files.server]
        has_choice = len(here) > 1
        batches = _batches(changes, files, has_choice=has_choice)
        targets = tuple(dict.fromkeys(batch.change.target for batch in batches))
        in_order = batches[::-1] if is_rollback else batches
        ahead, behind = whole_script(len(batches), tuple(filter(None, targets)) if has_choice else ())
        return ScriptPart(
            blocks=tuple(_blocks(in_order, is_rollback)),
            where=(
                how_to_run(files.rollback if is_rollback else files.apply, files.server),
                _("Run at the Distributor as sysadmin, in a maintenance window: each agent named is restarted."),
            ),
            checks=(_("Every batch may be run twice."), *_checks(changes, is_rollback)),
            preamble=(*ahead, *_template_header(in_order, is_rollback)),
            ending=behind,
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
        """Return a batch for each known agent and value, and what is read of it besides; none where several targets
        have a Distributor of this name."""
        changes = [
            one for one in plan_agent_changes(chosen, session) if one.agent and _distributor(one) == files.server
        ]
        if len({change.target for change in changes}) != 1:
            return ScriptPart(())
        guard = tsql.only_on_server(files.server)
        batches = [text for change in changes for text in _looks(change, guard, is_after=is_after)]
        name = files.verify if is_after else files.before
        return look_part(name, files.server, guard, batches, expected)


def _looks(change: AgentChange, guard: str, *, is_after: bool) -> Iterator[str]:
    """Yield the batches that read one agent and its values."""
    if change.agent is None:
        return
    words = _words(change, "")
    found = tsql.find_agent(change.kind, words.database, words.agent_name, words.own_profile, change.agent.publisher_db)
    shown = tsql.look(_shown(change, words, is_rollback=False), is_after=is_after)
    yield f"{comment(change.agent.name)}\n{guard}{found}{shown}GO"
    yield from tsql.recent(change.kind, words.database, guard, change.agent)


def _beside_others(
    chosen: Sequence[Recommendation], every: Sequence[Recommendation], session: SessionRecord
) -> Iterator[AgentChange]:
    """Yield the changes of recommendations, agent by agent, beside others' changes of the same agent."""
    planned = plan_agent_changes(every, session)
    for change in plan_agent_changes(chosen, session):
        others = (
            value
            for other in planned
            if (other.target, other.kind, other.agent, other.place)
            == (change.target, change.kind, change.agent, change.place)
            for value in other.values
            if value.parameter not in {own.parameter for own in change.values}
        )
        yield replace(change, others=tuple(others))


def _checks(changes: Sequence[AgentChange], is_rollback: bool) -> list[str]:
    """Return the checks of the batches before they change something: no more than they do."""
    said = [_("It stops on any server but its own.")] if all(map(_distributor, changes)) else []
    if any(change.agent for change in changes):
        said.append(
            _(
                "It stops where the agent is missing, or its profile or job step is neither the recommended nor the "
                "former one."
            )
            if is_rollback
            else _("It stops where agent, profile or value are not the ones it was written for.")
        )
    if any(change.agent is None for change in changes):
        said.append(
            _("It stops where the agent is not found, or has another profile or value than apply showed or set.")
            if is_rollback
            else _("It stops where the agent is not found; it checks neither its server nor the value in use.")
        )
    return said


def _blocks(batches: Sequence[_Batch], is_rollback: bool) -> list[str]:
    blocks, shown = [], ""
    for batch in batches:
        if batch.is_chosen and batch.change.target != shown:
            shown = batch.change.target
            blocks.append(f"{RULE}\n{comment(_('Target {target}').format(target=shown))}\n{RULE}")
        blocks.append(_text_of(batch, is_rollback))
    return blocks


def _batches(changes: Sequence[AgentChange], files: ScriptFiles, *, has_choice: bool) -> tuple[_Batch, ...]:
    """Return the batches in order, those of one target together, each unknown agent with a variable of its own.

    Args:
        has_choice: other targets measured have a Distributor of this name, too, and may have such agents.
    """
    targets = list(dict.fromkeys(change.target for change in changes))
    ordered = sorted(changes, key=lambda change: targets.index(change.target))
    batches = []
    for place, change in enumerate(ordered, start=1):
        unknown = [other for other in ordered if other.agent is None and other.kind is change.kind]
        several = str(unknown.index(change) + 1) if len(unknown) > 1 and change.agent is None else ""
        words = _words(change, _AGENT_VARIABLES[change.kind] + several)
        batches.append(_Batch(files, place, change, words, is_chosen=has_choice and bool(change.target)))
    return tuple(batches)


def _template_header(batches: Sequence[_Batch], is_rollback: bool) -> list[str]:
    """Return the sqlcmd variables of agents that are not known, [] where all are."""
    unknown = [batch for batch in batches if batch.change.agent is None]
    if not unknown:
        return []
    note = _(
        "TEMPLATE: these measurements were made elsewhere, so the agents are not known. Fill in the variables below, "
        "read the script, and run it in SQLCMD mode."
    )
    lines = [comment(note), ":setvar DistributionDatabase distribution"]
    for batch in unknown:
        name = batch.words.variable
        about = f" ({batch.change.place})" if batch.change.place else ""
        lines.append(comment(_("Agent of batch {place}{about}").format(place=batch.place, about=about)))
        lines.append(f':setvar {name} "name of the agent"')
        if is_rollback and batch.change.by(Means.PROFILE):
            lines.append(f':setvar {name}OldProfileId "the number {batch.files.apply} printed"')
        for value in batch.change.by(Means.JOB_STEP) if is_rollback else ():
            lines.append(f':setvar {batch.words.old_value(value.parameter)} "the value {batch.files.apply} printed"')
    return ["\n".join(lines)]


def _text_of(batch: _Batch, is_rollback: bool) -> str:
    change, words = batch.change, batch.words
    notes = (value.recommendation.note for value in change.values)
    parts = [_title(batch), *(comment(note) for note in notes if note)]
    if not is_rollback and any(needs_server_state(value.parameter, value.new) for value in change.values):
        parts.append(tsql.server_state_by_hand())
    parts.append(tsql.forget_agent().rstrip())
    if batch.is_chosen:
        parts.append(only_for_target(batch.place, change.target).rstrip())
    distributor = _distributor(change)
    if distributor:
        parts.append(tsql.only_on_server(distributor).rstrip())
    parts.append(_check(batch, is_rollback))
    steps = tuple(_undo_steps(change, words) if is_rollback else _steps(change, words))
    parts += tsql.steps_of(words.agent_name, steps)
    shown = _shown(change, words, is_rollback)
    parts.append(tsql.verify(change.kind, words.database, words.agent_name, shown, len(steps) + 1, batch.place))
    return "\n".join(parts)


def _check(batch: _Batch, is_rollback: bool) -> str:
    """Return the guards of a batch, each before anything is changed."""
    change, words = batch.change, batch.words
    publisher_db = change.agent.publisher_db if change.agent else ""
    parts = [tsql.find_agent(change.kind, words.database, words.agent_name, words.own_profile, publisher_db)]
    parts += [check_can_start(), *_profile_checks(batch, is_rollback)]
    parts.append(tsql.check_steps([_step_check(value, batch, is_rollback) for value in change.by(Means.JOB_STEP)]))
    parts.append(tsql.show_before(_shown(change, words, is_rollback)))
    return "".join(parts) + tsql.keep_agent(batch.place)


def _profile_checks(batch: _Batch, is_rollback: bool) -> Iterator[str]:
    """Yield the guards of a batch's settings in a profile, none where it sets nothing there."""
    change, words = batch.change, batch.words
    values = change.by(Means.PROFILE)
    if values and (change.agent is not None or is_rollback):
        yield tsql.check_profile(change.kind, words.old_profile)
    if change.agent is not None:
        old_profile = words.old_profile if is_rollback else ""
        yield from (_check_value(value, old_profile) for value in values if value.current)
    elif values and not is_rollback:
        yield tsql.print_old_profile(f"{words.variable}OldProfileId", batch.files.rollback)


def _shown(change: AgentChange, words: _Words, is_rollback: bool) -> list[tsql.Shown]:
    """Return the values of a batch with their final state.

    A profile that is given back may be shared, and edited by others since: what it holds is shown and stops nothing.
    """
    shown = []
    for value in change.values:
        is_in_step = value.means is Means.JOB_STEP
        before = _old_value(value, change, words) if is_in_step else literal(value.current) if value.current else ""
        wanted = before if is_rollback else literal(value.new)
        shown.append(tsql.Shown(value.parameter, is_in_step, wanted, is_required=is_in_step or not is_rollback))
    return shown


def _distributor(change: AgentChange) -> str:
    """Return the name of the server the agent was found on, "" where it is unknown."""
    return _distributor_in(change.environment) if change.environment else ""


def _distributor_in(environment: Environment) -> str:
    read = kept_replication(environment)
    servers = read.topology.servers if read else ()
    return next((server.name for server in servers if server.role == "Distributor"), "")


def _title(batch: _Batch) -> str:
    change = batch.change
    name = change.agent.name if change.agent else batch.words.variable
    where = change.target if batch.is_chosen else change.place
    values = ", ".join(value.recommendation.change for value in change.values)
    return comment(f"{batch.place}. {name}{f' ({where})' if where else ''}: {values}")


def _words(change: AgentChange, variable: str) -> _Words:
    read = None if change.environment is None else kept_replication(change.environment)
    if change.agent is None or read is None:
        return _Words(
            variable,
            "[$(DistributionDatabase)]",
            Sql(f"N'$({variable})'"),
            Sql(f"N'Replitune advice $({variable})'"),
            f"$({variable}OldProfileId)",
            variable,
            own_name(variable),
        )
    profile = own_name(change.agent.name)
    return _Words(
        "",
        identifier(read.topology.distribution_db),
        Sql(literal(change.agent.name)),
        Sql(literal(profile)),
        str(change.agent.profile_id),
        change.agent.name,
        profile,
    )


def _steps(change: AgentChange, words: _Words) -> Iterator[tsql.Step]:
    """Yield the statements that give an agent the recommended values, as a run would send them."""
    agent_type, values = AGENT_TYPES[change.kind], change.by(Means.PROFILE)
    named = {"profile_name": words.own_profile}
    if values:
        # profiles are shared, so none is edited: the agent gets one of its own
        make, copy = making_profile(agent_type, words.profile, _DESCRIPTION, 0)
        title = _('Create profile "{profile}" unless it is there').format(profile=words.profile)
        yield tsql.Step(title, _MSDB, make, named)
        title = _("Give it the parameters the agent has now")
        yield tsql.Step(title, _MSDB, copy, {**named, "source_profile_id": tsql.PROFILE_ID})
        for value in values:
            yield _profile_value(value, agent_type, words)
        title = _('Give {agent} profile "{profile}"').format(agent=words.agent, profile=words.profile)
        yield _assignment(title, change, words, profile_id_by_name(agent_type, words.own_profile))
    for value in change.by(Means.JOB_STEP):
        yield _step_value(value, change, words, is_rollback=False)


def _undo_steps(change: AgentChange, words: _Words) -> Iterator[tsql.Step]:
    """Yield the statements that take the steps of `_steps` back.

    Another decision may be in effect in the same profile: then the value alone goes back to what the agent's former
    profile gives it, and the agent keeps its own profile until the last of them is taken back.
    """
    for value in change.by(Means.JOB_STEP):
        yield _step_value(value, change, words, is_rollback=True)
    values, agent_type = change.by(Means.PROFILE), AGENT_TYPES[change.kind]
    for value in values:
        yield from _profile_value_back(value, agent_type, words)
    if values:
        others = tuple((value.parameter, value.new) for value in change.others if value.means is Means.PROFILE)
        yield replace(
            _assignment(
                _("Give {agent} its profile back").format(agent=words.agent), change, words, Sql(words.old_profile)
            ),
            unless=tsql.has_value(agent_type, words.own_profile, others) if others else "",
        )
        title = _('Drop profile "{profile}" unless an agent uses it').format(profile=words.profile)
        call = dropping_profile(agent_type, words.profile, words.database)
        yield tsql.Step(title, words.database, call, {"profile_name": words.own_profile})


def _profile_value_back(value: ValueChange, agent_type: int, words: _Words) -> Iterator[tsql.Step]:
    """Yield the statements that give a parameter the value of the agent's former profile, or drop it where that names
    none."""
    former = tsql.named_by(words.old_profile, value.parameter)
    details: Details = {
        "agent_type": agent_type,
        "profile_name": words.profile,
        "parameter_name": f"-{value.parameter}",
    }
    named = {"profile_name": words.own_profile}
    said = PARAMETER_DECLARED.words
    title = said.undoing(said.subject(details), "")
    [call] = PARAMETER_DECLARED.written(details, value.current or value.new)
    old_value = tsql.value_of(words.old_profile, value.parameter)
    yield tsql.Step(title, _MSDB, call, {**named, "parameter_value": old_value}, unless=f"NOT {former}")
    [call] = PARAMETER_DECLARED.written(details, "")
    yield tsql.Step(title, _MSDB, call, named, unless=former)


def _assignment(title: str, change: AgentChange, words: _Words, profile_id: Sql) -> tsql.Step:
    call = assigning_profile(AGENT_TYPES[change.kind], 0, 0, words.database)
    return tsql.Step(title, words.database, call, {"agent_id": tsql.AGENT_ID, "profile_id": profile_id})


def _profile_value(value: ValueChange, agent_type: int, words: _Words) -> tsql.Step:
    parameter = f"-{value.parameter}"
    details: Details = {"agent_type": agent_type, "profile_name": words.profile, "parameter_name": parameter}
    [call] = PARAMETER_DECLARED.written(details, value.new)
    said = PARAMETER_DECLARED.words
    title = said.making(said.subject(details), said.shown(value.new))
    return tsql.Step(title, _MSDB, call, {"profile_name": words.own_profile})


def _step_value(value: ValueChange, change: AgentChange, words: _Words, *, is_rollback: bool) -> tsql.Step:
    """Return the edit of the agent's job step; of an unknown agent the old value was printed, and is filled in."""
    shown = (value.old or _("not named")) if change.agent else _("what it was")
    title = _("{name} in the job step: {value}").format(name=value.parameter, value=shown if is_rollback else value.new)
    details = {"job_id": "", "parameter": f"-{value.parameter}"}
    [call] = STEP_DECLARED.written(details, StepToken("", ""))
    given = {
        "job_id": tsql.JOB_ID,
        "value": Sql(_old_value(value, change, words) if is_rollback else literal(value.new)),
    }
    return tsql.Step(title, _MSDB, call, given)


def _step_check(value: ValueChange, batch: _Batch, is_rollback: bool) -> tsql.StepCheck:
    change, words = batch.change, batch.words
    old, new = _old_value(value, change, words), literal(value.new)
    return tsql.StepCheck(
        parameter=value.parameter,
        wanted=old if is_rollback else new,
        allowed=(old, new) if change.agent or is_rollback else (),
        label="" if change.agent or is_rollback else words.old_value(value.parameter),
        undo=batch.files.rollback,
        is_asked=is_rollback and change.agent is None,
    )


def _old_value(value: ValueChange, change: AgentChange, words: _Words) -> str:
    return literal(value.old or "") if change.agent else f"N'$({words.old_value(value.parameter)})'"


def _check_value(value: ValueChange, old_profile: str) -> str:
    allowed = dict.fromkeys((value.current, value.new))
    return tsql.check_profile_value(value.parameter, [literal(text) for text in allowed], old_profile)
