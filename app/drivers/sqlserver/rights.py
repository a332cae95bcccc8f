"""Asking what a login may do, place by place, and the GRANTs a DBA would run."""

from collections.abc import Callable, Iterable

from app.domain.errors import TargetError
from app.domain.rights import LoginRights, Mode, Right, Use
from app.drivers.sqlserver.scripts import identifier
from app.drivers.sqlserver.session import Place, Session
from app.foundation.rows import Row


class RightsReader:
    """Collects rights; a place that cannot be asked leaves its rights unknown."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.login = ""
        self.rights: list[Right] = []
        self.unread: list[str] = []

    @property
    def found(self) -> LoginRights:
        """Everything that was read."""
        return LoginRights(self.login, tuple(self.rights), tuple(self.unread))

    def ask_server(self, server: str) -> Row | None:
        """Return the rights of this login at a server, None where it cannot be asked."""
        row = self.ask("server_rights", Place(server, "master"))
        if row is not None and not self.login:
            self.login = row.text("login_name")
        return row

    def ask(self, statement: str, place: Place) -> Row | None:
        """Return the only row of a statement, None where the place cannot be asked."""
        try:
            rows = self._session.run(statement, place)
        except TargetError as error:
            self.unread.append(str(error))
            return None
        return rows[0] if rows else None

    def held(self, row: Row | None, test: Callable[[Row], bool]) -> bool | None:
        """Return whether a right is held, None where that is not known."""
        return None if row is None else test(row)

    def add(
        self, server: str, title: str, is_held: bool | None, uses: frozenset[Use], grant: str, because: str
    ) -> None:
        """Keep one right."""
        self.rights.append(Right(server, title, is_held, uses, grant, because))


def sees_jobs(row: Row) -> bool:
    """Tell whether the jobs of SQL Server Agent are seen, with their steps and activity."""
    return row.whole_or("may_see_job_steps", 0) == 1 and row.whole_or("may_see_job_activity", 0) == 1


def either(first: bool | None, second: bool | None) -> bool | None:
    """Return whether one of two holds, None where neither is known to."""
    if first or second:
        return True
    return None if first is None and second is None else False


def uses_of(subjects: Iterable[str], modes: Iterable[Mode]) -> frozenset[Use]:
    """Return the uses of subjects in ways of working."""
    listed = tuple(modes)
    return frozenset(Use(subject, mode) for subject in subjects for mode in listed)


def grant_sysadmin(login: str) -> str:
    """Return what makes a login a member of sysadmin."""
    return f"ALTER SERVER ROLE sysadmin ADD MEMBER {identifier(login)};"


def grant_server(permission: str, login: str) -> str:
    """Return what grants a permission of the server."""
    return f"USE master; GRANT {permission} TO {identifier(login)};"


def grant_role(database: str, role: str, login: str) -> str:
    """Return what makes a login a member of a role of a database."""
    member = identifier(login)
    return f"USE {identifier(database)}; ALTER ROLE {role} ADD MEMBER {member};"


def grant_jobs(login: str) -> str:
    """Return what lets a login see the jobs."""
    member = identifier(login)
    return f"USE msdb; GRANT SELECT ON dbo.sysjobsteps TO {member}; GRANT SELECT ON dbo.sysjobactivity TO {member};"
