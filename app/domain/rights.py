"""The rights of a login on a target, by use, and the script that grants the missing ones."""

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """The three ways to work, by what a site allows: reading, scripts for its DBA, or changes by this program."""

    OBSERVE = "observe"
    GUIDED = "guided"
    HANDS_ON = "hands_on"


@dataclass(frozen=True)
class Use:
    """The use a right is needed for: experiments on a subject of a system, in a mode."""

    subject: str
    mode: Mode


@dataclass(frozen=True)
class Right:
    """One right at one place.

    Attributes:
        server: where it is needed.
        title: as a DBA calls it, such as "sysadmin" or "db_owner in Sales".
        is_held: None where it could not be read.
        uses: what cannot be done without it.
        grant: statement a DBA runs at that server to give it; "" where what goes before gives it.
        because: one sentence why it is needed.
        optional: what goes on without it, and says what is absent then.
        because_optional: what they leave out without it.
        revoke: statement that takes it back; "" where there is none.
        before: what must be run ahead of it, once for all that name the same; "" for nothing.
        after: what takes that back when everything else is taken back.
    """

    server: str
    title: str
    is_held: bool | None
    uses: frozenset[Use]
    grant: str
    because: str
    optional: frozenset[Use] = frozenset()
    because_optional: str = ""
    revoke: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class LoginRights:
    """Everything about one login.

    Attributes:
        login: as the server calls it.
        unread: one sentence for each place that could not be asked.
        are_exact: whether a use goes well with these rights, and is refused without one of them.
    """

    login: str
    rights: tuple[Right, ...]
    unread: tuple[str, ...] = ()
    are_exact: bool = False

    def missing(self, use: Use) -> tuple[Right, ...]:
        """Return the rights a use lacks; those that could not be read are among them."""
        return tuple(right for right in self.rights if use in right.uses and right.is_held is not True)

    def absent(self, use: Use) -> tuple[Right, ...]:
        """Return the rights a use goes on without, and is told less."""
        return tuple(right for right in self.rights if use in right.optional and right.is_held is not True)
