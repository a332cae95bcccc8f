"""Reading an instance with availability groups before anything is changed."""

from dataclasses import dataclass
from typing import Final

from app.domain.family import SiteOf
from app.domain.kept import Kept
from app.domain.session import Environment
from app.domain.system import KeptSettings
from app.foundation.texts import _
from app.systems.availability_groups.copies import SeedingRequirements
from app.systems.availability_groups.groups import GroupTopology


@dataclass(frozen=True, kw_only=True)
class GroupSite(SiteOf[GroupTopology]):
    """An instance with availability groups; `parameters` are the values of the factors in effect where known.

    Attributes:
        requirements: of the seeding a plan names, None before a plan is looked at and for other experiments.
    """

    requirements: SeedingRequirements | None = None


GROUPS: Final = Kept("groups", GroupTopology)
kept_groups = GROUPS.of


def kept_settings(environment: Environment) -> KeptSettings:
    """Return servers, trace flags, commit modes and who is primary; raises CodecError."""
    read = kept_groups(environment)
    if read is None:
        return KeptSettings()
    flags = {(server, _("trace flag {flag}").format(flag=flag)): _("set") for server, flag in read.trace_flags}
    options = {(server, option.name): str(option.in_use) for server, option in read.options}
    modes = {
        (f"{group.name}, {replica.server}", _("commit mode")): replica.mode.value
        for group in read.groups
        for replica in group.replicas
    }
    primaries = {(group.name, _("primary replica")): group.primary for group in read.groups}
    return KeptSettings(read.servers, others={**flags, **options, **modes, **primaries})
