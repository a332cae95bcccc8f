"""Planning profile changes: a dedicated profile for each agent and experiment, never a shared or system one."""

import re
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declared
from app.domain.setting import Value
from app.drivers.sqlserver.executor import At, SqlServerExecutor, given
from app.drivers.sqlserver.scripts import Sql, statement_script
from app.drivers.sqlserver.session import Place, Session
from app.foundation.ids import SESSION_ID
from app.foundation.texts import _
from app.systems.transactional_replication.server.agent_changes import agent_details, title_of
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from app.systems.transactional_replication.server.job_scripts import profile_id_by_name
from app.systems.transactional_replication.server.parameters import AgentProfile
from app.systems.transactional_replication.server.profile_parameter import DECLARED as PARAMETER_DECLARED
from app.systems.transactional_replication.topology import Agent

DEDICATED_PROFILE: Final = "dedicated_profile"
PROFILE_ASSIGNMENT: Final = "profile_assignment"

_NAME_LIMIT: Final = 128  # sysname
# Others begin so, too: those that recommendations were made of stay.
_OF_A_SESSION: Final = re.compile(rf"Replitune {SESSION_ID} ")
_MSDB: Final = At(database="msdb")


def making_profile(agent_type: int, profile_name: str, description: str, source_id: int) -> tuple[Call[At], ...]:
    """Return the calls that make a profile with the parameters of another."""
    named: dict[str, Value | None] = {"agent_type": agent_type, "profile_name": profile_name}
    return (
        Call("add_profile", _MSDB, {**named, "description": description}),
        Call("copy_profile_parameters", _MSDB, {**named, "source_profile_id": source_id}),
    )


def dropping_profile(agent_type: int, profile_name: str, distribution_db: str) -> Call[At]:
    """Return the call that drops a profile unless an agent uses it."""
    named: dict[str, Value | None] = {"agent_type": agent_type, "profile_name": profile_name}
    return Call("drop_profile", At(database=distribution_db), named)


def assigning_profile(agent_type: int, agent_id: int, profile_id: int, distribution_db: str) -> Call[At]:
    """Return the call that gives a profile to an agent."""
    values: dict[str, Value | None] = {"agent_type": agent_type, "agent_id": agent_id, "profile_id": profile_id}
    return Call("assign_profile", At(database=distribution_db), values)


def dedicated_name(agent: Agent, owner: str) -> str:
    """Return the name of the profile made for one agent by one owner; the statements touch only names like it."""
    return f"Replitune {owner} {agent.kind.value} {agent.agent_id}"[:_NAME_LIMIT]


def read_leftover_profiles(session: Session, distribution_db: str) -> tuple[str, ...]:
    """Return one sentence for each profile of a session: the first thing one makes and the last one it drops."""
    return tuple(
        _('{server}: profile "{profile}", used by {count} agents').format(
            server=session.own_server, profile=row.text("profile_name"), count=row.whole("agents_using")
        )
        for row in session.run("own_profiles", Place(session.own_server, distribution_db))
        if _OF_A_SESSION.match(row.text("profile_name"))
    )


class ProfilePlans:
    """Makes the changes for one agent and its dedicated profile."""

    def __init__(self, agent: Agent, owner: str, distribution_db: str, server: str) -> None:
        self._agent = agent
        self._server = server
        self._distribution_db = distribution_db
        self._agent_type = AGENT_TYPES[agent.kind]
        self.profile_name = dedicated_name(agent, owner)
        self._details = (
            *agent_details(agent, distribution_db),
            ("agent_type", self._agent_type),
            ("profile_name", self.profile_name),
        )
        self._description = _("Made by Replitune for {owner}; drop it when no agent uses it").format(owner=owner)

    def dedicated_profile(self, source: AgentProfile) -> Change:
        """Return the change that makes the profile, a copy of the one the agent uses now."""
        title = _('Create profile "{profile}", a copy of "{source}"').format(
            profile=self.profile_name, source=source.name
        )
        making = making_profile(self._agent_type, self.profile_name, self._description, source.profile_id)
        dropping = dropping_profile(self._agent_type, self.profile_name, self._distribution_db)
        return Change(
            kind=DEDICATED_PROFILE,
            subject=_('profile "{profile}"').format(profile=self.profile_name),
            original=_("does not exist"),
            new=_('copy of "{source}"').format(source=source.name),
            details=(
                *self._details,
                ("description", self._description),
                ("source_profile_id", source.profile_id),
                ("source_profile", source.name),  # a name of the client's, which the texts above hold
            ),
            apply_sql="".join(self._script(title, call) for call in making),
            undo_sql=self._script(
                _('Drop profile "{profile}" unless an agent uses it').format(profile=self.profile_name), dropping
            ),
        )

    def profile_parameter(self, executor: SqlServerExecutor, parameter_name: str, original: str, new: str) -> Change:
        """Return the change of one value; `original` is "" where the profile does not name the parameter."""
        values = (("parameter_name", parameter_name), ("original_value", original), ("new_value", new))
        return Declared(PARAMETER_DECLARED, executor).plan((*self._details, *values))

    def profile_assignment(self, original: AgentProfile) -> Change:
        """Return the change that gives the profile to the agent, from its next start."""
        agent = title_of(self._agent.kind, self._agent.name)
        given_back = assigning_profile(
            self._agent_type, self._agent.agent_id, original.profile_id, self._distribution_db
        )
        return Change(
            kind=PROFILE_ASSIGNMENT,
            subject=_("profile of {agent}").format(agent=agent),
            original=original.name,
            new=self.profile_name,
            details=(*self._details, ("original_profile_id", original.profile_id)),
            apply_sql=self._script(
                _('Give {agent} profile "{profile}"').format(agent=agent, profile=self.profile_name),
                given_back,
                profile_id=profile_id_by_name(self._agent_type, self.profile_name),
            ),
            undo_sql=self._script(
                _('Give {agent} profile "{profile}" back').format(agent=agent, profile=original.name),
                given_back,
                profile_id=profile_id_by_name(self._agent_type, original.name),
                expected=profile_id_by_name(self._agent_type, self.profile_name),
            ),
            needs_consent=_("takes effect from the next start of the agent"),
        )

    def _script(self, title: str, call: Call[At], **instead: Sql) -> str:
        return statement_script(title, self._server, call.at.database, call.statement, {**given(call), **instead})
