"""Making and undoing profile changes, each read back."""

from app.domain.change import Change
from app.domain.errors import ChangedByOthers, VerificationFailed
from app.drivers.sqlserver.session import Place, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.transactional_replication.server.parameters import read_profile_values


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
                _("{subject} is not an exact copy after it was made; undo and look at it").format(
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

    def apply(self, change: Change) -> None:
        """Assign the dedicated profile and read it back."""
        profile_id = self._profiles.profile_id(change)
        if profile_id is None:
            raise VerificationFailed(
                _('{subject}: profile "{profile}" does not exist').format(
                    subject=change.subject, profile=change.detail("profile_name")
                )
            )
        self._assign(change, profile_id)

    def undo(self, change: Change) -> None:
        """Assign the original profile, unless it is assigned.

        Raises:
            ChangedByOthers: the agent has a profile that is neither; it is left as it is.
        """
        original_id, found = int(change.detail("original_profile_id")), self._agent_row(change)
        assigned_id = found.whole("profile_id")
        if assigned_id == original_id:
            return
        if assigned_id != self._profiles.profile_id(change):
            raise ChangedByOthers(
                _(
                    '{subject} was changed to "{found}" by somebody else and is left so; give the agent back '
                    '"{original}" and restore again, or keep it with `replitune restore --keep-others`'
                ).format(subject=change.subject, found=found.text("profile_name"), original=change.original)
            )
        self._assign(change, original_id)

    def is_applied(self, change: Change) -> bool:
        """Tell whether the agent has the dedicated profile."""
        profile_id = self._profiles.profile_id(change)
        return profile_id is not None and self._assigned(change) == profile_id

    def is_undone(self, change: Change) -> bool:
        """Tell whether the agent has its original profile."""
        return self._assigned(change) == int(change.detail("original_profile_id"))

    def _assign(self, change: Change, profile_id: int) -> None:
        self._session.run("assign_profile", self._profiles.place(change), profile_id=profile_id, **self._agent(change))
        found = self._assigned(change)
        if found != profile_id:
            raise VerificationFailed(
                _("{subject} has id {found} instead of {wanted}").format(
                    subject=change.subject, found=found, wanted=profile_id
                )
            )

    def _assigned(self, change: Change) -> int:
        return self._agent_row(change).whole("profile_id")

    def _agent_row(self, change: Change) -> Row:
        rows = self._session.run("agent_profile", self._profiles.place(change), **self._agent(change))
        if not rows or rows[0].text("agent_name") != str(change.detail("agent_name")):
            raise VerificationFailed(
                _("agent {agent} is no longer at this Distributor; nothing is left to put back").format(
                    agent=change.detail("agent_name")
                )
            )
        return rows[0]

    def _agent(self, change: Change) -> dict[str, int]:
        return {"agent_type": int(change.detail("agent_type")), "agent_id": int(change.detail("agent_id"))}
