"""Whether a login has the rights an experiment needs, asked before anything is changed."""

from dataclasses import dataclass

from app.domain.errors import PermissionDenied
from app.domain.rights import Mode, Right, Use
from app.domain.system import system_of
from app.domain.target import Target
from app.foundation.texts import _
from app.services.plan.checking import PreparedRun
from app.services.target.target_spec import is_lab_of_this_process


@dataclass(frozen=True)
class Lacking:
    """The rights a login lacks for an experiment.

    Attributes:
        required: what it is refused without.
        optional: what it goes on without.
        unread: one sentence for each place that could not be asked.
    """

    login: str = ""
    required: tuple[Right, ...] = ()
    optional: tuple[Right, ...] = ()
    unread: tuple[str, ...] = ()

    def refuse(self) -> None:
        """Raise PermissionDenied where something is lacking that is required."""
        if self.required:
            lacks = _("{login} lacks {rights}; `replitune doctor` prints the script that gives it").format(
                login=self.login, rights=_named(self.required)
            )
            raise PermissionDenied("; ".join((lacks, *self.unread)))

    @property
    def sentence(self) -> str:
        """Return a sentence on rights the experiment goes on without, "" where none is lacking."""
        if not self.optional:
            return ""
        return _("{login} lacks {rights}; what is read with it is left out").format(
            login=self.login, rights=_named(self.optional)
        )


def read_lacking(prepared: PreparedRun, target: Target, mode: Mode) -> Lacking:
    """Read the rights the login of a target lacks for an experiment in a way of working.

    A right that could not be asked for is not lacking: the statement that needs it says so. The login of a lab in this
    process may do everything.
    """
    if is_lab_of_this_process(target.key):
        return Lacking()
    rights = system_of(prepared.family).rights_at(target, prepared.site, prepared.plan)
    if not rights.are_exact:
        return Lacking()
    use = Use(prepared.family.subject, mode)
    return Lacking(
        rights.login,
        tuple(right for right in rights.missing(use) if right.is_held is False),
        tuple(right for right in rights.absent(use) if right.is_held is False),
        rights.unread,
    )


def _named(rights: tuple[Right, ...]) -> str:
    return ", ".join(_("{right} at {server}").format(right=right.title, server=right.server) for right in rights)
