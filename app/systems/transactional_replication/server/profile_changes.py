"""Making and undoing profile changes, each read back."""

from dataclasses import dataclass, replace
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import changed_meanwhile
from app.domain.errors import ChangedByOthers, ChangedMeanwhile, VerificationFailed
from app.drivers.sqlserver.executor import is_kept
from app.drivers.sqlserver.session import Place, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.transactional_replication.server.parameters import read_profile_values

_GIVEN_ID: Final = "given_profile_id"


class Profiles:
    """Reads dedicated profiles by the names in a change."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def place(self, change: Change, database: str = "") -> Place:
        """Return the Distributor with a database, the distribution database unless another is named."""
        return Place(self._session.own_server, database or str(change.detail("distribution_db")))

    def key(self, change: Change) -> dict[str, str | int]:
        """Return the parameters that name the profile."""
        return {"agent_type": int(change.detail("agent_type")), "profile_name": str(change.detail("profile_name"))}

    def profile_id(self, change: Change) -> int | None:
        """Return the id of the dedicated profile, None where it does not exist."""
        rows = self._session.run("profile_by_name", self.place(change), **self.key(change))
        return rows[0].whole("profile_id") if rows else None


class DedicatedProfile:
    """Makes the profile as a copy of the agent's own; undo drops it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._profiles = Profiles(session)

    def apply(self, change: Change) -> None:
        """Make it unless it is there, copy the parameters, compare them."""
        key, msdb = self._profiles.key(change), self._profiles.place(change, "msdb")
        source_id = int(change.detail("source_profile_id"))
        self._session.run("add_profile", msdb, description=str(change.detail("description")), **key)
        self._session.run("copy_profile_parameters", msdb, source_profile_id=source_id, **key)
        profile_id = self._profiles.profile_id(change)
        copied = {} if profile_id is None else read_profile_values(self._session, profile_id)
        if profile_id is None or copied != read_profile_values(self._session, source_id):
            raise VerificationFailed(
                _("{subject} is not an exact copy after it was created; undo it and look at it").format(
                    subject=change.subject
                )
            )

    def undo(self, change: Change) -> None:
        """Drop it unless it is gone."""
        if self._profiles.profile_id(change) is None:
            return
        rows = self._session.run("drop_profile", self._profiles.place(change), **self._profiles.key(change))
        if self._profiles.profile_id(change) is not None:
            raise VerificationFailed(
                _("{subject} is still there, used by {count} agents; give them their own profile, then drop it").format(
                    subject=change.subject, count=rows[0].whole("agents_using")
                )
            )

    def is_applied(self, change: Change) -> bool:
        """Tell whether the profile exists."""
        return self._profiles.profile_id(change) is not None

    def is_undone(self, change: Change) -> bool:
        """Tell whether the profile is gone."""
        return self._profiles.profile_id(change) is None


class ProfileAssignment:
    """Gives the dedicated profile to the agent; undo gives the original back."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._profiles = Profiles(session)

    def apply(self, change: Change) -> Change:
        """Assign the dedicated profile where the agent has the one it had, and read it back; return it with its id.

        Raises:
            ChangedMeanwhile: somebody gave it another one since; nothing was sent.
        """
        agent = self._agent(change)
        if agent.profile_id != int(change.detail("original_profile_id")):
            raise ChangedMeanwhile(changed_meanwhile(change, agent.profile_name))
        profile_id = self._profiles.profile_id(change)
        if profile_id is None:
            raise VerificationFailed(
                _('{subject}: profile "{profile}" does not exist').format(
                    subject=change.subject, profile=change.detail("profile_name")
                )
            )
        if not self._assign(change, agent, profile_id):
            raise ChangedMeanwhile(changed_meanwhile(change, self._agent(change).profile_name))
        return replace(change, details=(*change.details, (_GIVEN_ID, profile_id)))

    def undo(self, change: Change) -> None:
        """Assign the original profile, unless it is assigned.

        An id of which there is no profile, as behind a restored msdb, is nobody's choice and gives way; so does the one
        that was given by this, whatever profile has it since.

        Raises:
            ChangedByOthers: the agent has a profile that is neither; it is left as it is.
            VerificationFailed: there is no original profile any more.
        """
        original_id, agent = self._original_id(change), self._agent(change)
        if agent.profile_name and agent.profile_id == original_id:
            return
        ours = (self._profiles.profile_id(change), change.detail_or(_GIVEN_ID, ""))
        if agent.profile_name and agent.profile_id not in ours:
            raise _given_by_others(change, agent)
        if original_id is None:
            raise VerificationFailed(
                _(
                    'the former profile "{profile}" of the agent is no longer there; give the agent another one, then '
                    "restore again with --keep-others"
                ).format(profile=change.original)
            )
        if not self._assign(change, agent, original_id):
            agent = self._agent(change)
            if agent.profile_id != original_id:
                raise _given_by_others(change, agent)

    def is_applied(self, change: Change) -> bool:
        """Tell whether the agent has the dedicated profile."""
        profile_id = self._profiles.profile_id(change)
        return profile_id is not None and self._assigned(change) == profile_id

    def is_undone(self, change: Change) -> bool:
        """Tell whether the agent has its original profile, and that is there."""
        agent = self._agent(change)
        return bool(agent.profile_name) and agent.profile_id == self._original_id(change)

    def _original_id(self, change: Change) -> int | None:
        """Return the id its original profile has now, None where there is none of that name any more."""
        agent_type = int(change.detail("agent_type"))
        place = self._profiles.place(change)
        rows = self._session.run("profile_by_name", place, agent_type=agent_type, profile_name=change.original)
        return rows[0].whole("profile_id") if rows else None

    def _assign(self, change: Change, agent: "_AssignedAgent", profile_id: int) -> bool:
        """Assign a profile where the agent still has the one it was read with; return whether it had."""
        place, key = self._profiles.place(change), self._key(change, agent.agent_id)
        rows = self._session.run("assign_profile", place, profile_id=profile_id, expected=agent.profile_id, **key)
        if is_kept("assign_profile", rows):
            return False
        assigned = self._assigned(change)
        if assigned != profile_id:
            raise VerificationFailed(
                _("{subject} has id {found} instead of {wanted}").format(
                    subject=change.subject, found=assigned, wanted=profile_id
                )
            )
        return True

    def _assigned(self, change: Change) -> int:
        return self._agent(change).profile_id

    def _agent(self, change: Change) -> "_AssignedAgent":
        """Return the agent a change is about, by its id, else by its job: whoever renamed it, it is the same."""
        agent_id, job_id = int(change.detail("agent_id")), str(change.detail("job_id")).upper()
        agents = self._with_id(change, agent_id)
        if agents is not None and job_id in ("", agents.job_id):
            return agents
        moved = [row for row in self._session.run("agents", self._profiles.place(change)) if _is_of(row, change)]
        by_job = self._with_id(change, moved[0].whole("agent_id")) if moved else None
        if by_job is not None:
            return by_job
        if agents is not None and agents.name == str(change.detail("agent_name")):
            return agents  # the same agent with a job made anew
        raise VerificationFailed(
            _("agent {agent} is no longer at this Distributor; nothing is left to undo").format(
                agent=change.detail("agent_name")
            )
        )

    def _with_id(self, change: Change, agent_id: int) -> "_AssignedAgent | None":
        rows = self._session.run("agent_profile", self._profiles.place(change), **self._key(change, agent_id))
        if not rows:
            return None
        row = rows[0]
        return _AssignedAgent(
            agent_id,
            row.text("agent_name"),
            "" if row.is_null("job_id") else row.text("job_id").upper(),
            row.whole("profile_id"),
            "" if row.is_null("profile_name") else row.text("profile_name"),
        )

    def _key(self, change: Change, agent_id: int) -> dict[str, int]:
        return {"agent_type": int(change.detail("agent_type")), "agent_id": agent_id}


@dataclass(frozen=True)
class _AssignedAgent:
    """An agent as the Distributor lists it now, with the profile it has."""

    agent_id: int
    name: str
    job_id: str
    profile_id: int
    profile_name: str


def _given_by_others(change: Change, agent: _AssignedAgent) -> ChangedByOthers:
    return ChangedByOthers(
        _(
            '{subject} was changed to "{found}" by somebody else and stays so; give the agent back '
            '"{original}" and restore again, or keep it with `replitune restore --keep-others`'
        ).format(subject=change.subject, found=agent.profile_name, original=change.original)
    )


def _is_of(row: Row, change: Change) -> bool:
    if row.is_null("job_id") or row.whole("agent_type") != int(change.detail("agent_type")):
        return False
    return row.text("job_id").upper() == str(change.detail("job_id")).upper()
