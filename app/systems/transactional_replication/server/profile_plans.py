"""Planning profile changes: a dedicated profile for each agent and experiment, never a shared or system one."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Declared
from app.drivers.sqlserver.hands import SqlServerHands
from app.drivers.sqlserver.scripts import Sql, literal, statement_script
from app.foundation.texts import _
from app.systems.transactional_replication.server.agent_changes import agent_details, title_of
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from app.systems.transactional_replication.server.parameters import AgentProfile
from app.systems.transactional_replication.server.profile_parameter import DECLARED as PARAMETER_DECLARED
from app.systems.transactional_replication.topology import Agent

DEDICATED_PROFILE: Final = "dedicated_profile"
PROFILE_ASSIGNMENT: Final = "profile_assignment"

_NAME_LIMIT: Final = 128  # sysname


def dedicated_name(agent: Agent, owner: str) -> str:
    """Return the name of the profile made for one agent by one owner; the statements touch only names like it."""
    return f"Replitune {owner} {agent.kind.value} {agent.agent_id}"[:_NAME_LIMIT]


class ProfilePlans:
    """Makes the changes for one agent and its dedicated profile."""

    def __init__(self, agent: Agent, owner: str, distribution_db: str, server: str) -> None:
        self._agent = agent
        self._server = server
        self._distribution_db = distribution_db
        self._agent_type = AGENT_TYPES[agent.kind]
        self.profile_name = dedicated_name(agent, owner)
        self._named: dict[str, str | int | float | Sql] = {
            "agent_type": self._agent_type,
            "profile_name": self.profile_name,
        }
        self._details = (
            *agent_details(agent, distribution_db),
            ("agent_type", self._agent_type),
            ("profile_name", self.profile_name),
        )
        self._description = _("Made by Replitune for {owner}; drop it when no agent uses it").format(owner=owner)

    def dedicated_profile(self, source: AgentProfile) -> Change:
        """Return the change that makes the profile, a copy of the one the agent uses now."""
        title = _('Make profile "{profile}", a copy of "{source}"').format(
            profile=self.profile_name, source=source.name
        )
        new_profile = {**self._named, "description": self._description}
        copied = {**self._named, "source_profile_id": source.profile_id}
        return Change(
            kind=DEDICATED_PROFILE,
            subject=_('profile "{profile}"').format(profile=self.profile_name),
            original=_("does not exist"),
            new=_('copy of "{source}"').format(source=source.name),
            details=(
                *self._details,
                ("description", self._description),
                ("source_profile_id", source.profile_id),
            ),
            apply_sql=self._script(title, "msdb", "add_profile", new_profile)
            + self._script(title, "msdb", "copy_profile_parameters", copied),
            undo_sql=self._script(
                _('Drop profile "{profile}" unless an agent uses it').format(profile=self.profile_name),
                self._distribution_db,
                "drop_profile",
                self._named,
            ),
        )

    def profile_parameter(self, hands: SqlServerHands, parameter_name: str, original: str, new: str) -> Change:
        """Return the change of one value; `original` is "" where the profile does not name the parameter."""
        values = (("parameter_name", parameter_name), ("original_value", original), ("new_value", new))
        return Declared(PARAMETER_DECLARED, hands).plan((*self._details, *values))

    def profile_assignment(self, original: AgentProfile) -> Change:
        """Return the change that gives the profile to the agent, from its next start."""
        agent = title_of(self._agent.kind, self._agent.name)
        key = {"agent_type": self._agent_type, "agent_id": self._agent.agent_id}
        new_id = _id_by_name(self._agent_type, self.profile_name)
        return Change(
            kind=PROFILE_ASSIGNMENT,
            subject=_("profile of {agent}").format(agent=agent),
            original=original.name,
            new=self.profile_name,
            details=(*self._details, ("original_profile_id", original.profile_id)),
            apply_sql=self._script(
                _('Give {agent} profile "{profile}"').format(agent=agent, profile=self.profile_name),
                self._distribution_db,
                "assign_profile",
                {**key, "profile_id": new_id},
            ),
            undo_sql=self._script(
                _('Give {agent} profile "{profile}" back').format(agent=agent, profile=original.name),
                self._distribution_db,
                "assign_profile",
                {**key, "profile_id": original.profile_id},
            ),
            needs_consent=_("counts from the next start of the agent"),
        )

    def _script(self, title: str, database: str, name: str, values: dict[str, str | int | float | Sql]) -> str:
        return statement_script(title, self._server, database, name, values)


def _id_by_name(agent_type: int, profile_name: str) -> Sql:
    """Return the look-up of a profile's id, for scripts written before the profile exists."""
    return Sql(
        "(SELECT profile.profile_id FROM msdb.dbo.MSagent_profiles AS profile "
        f"WHERE profile.agent_type = {agent_type} AND profile.profile_name = {literal(profile_name)})"
    )
