"""Reading an instance with availability groups before anything is changed."""

from dataclasses import dataclass
from functools import lru_cache

from app.domain.errors import BadInput
from app.domain.family import Site
from app.domain.session import Environment
from app.domain.system import KeptSettings
from app.domain.target import Target
from app.foundation.codec import dump_json, load_json
from app.foundation.texts import _
from app.systems.availability_groups.copies import SeedingRequirements
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.offer import group_ports


@dataclass(frozen=True, kw_only=True)
class GroupSite(Site):
    """An instance with availability groups; `parameters` are the values of the factors in effect where known.

    Attributes:
        requirements: of the seeding a plan names, None before a plan is looked at and for other experiments.
    """

    topology: GroupTopology
    requirements: SeedingRequirements | None = None


def read_group_site(target: Target) -> GroupSite:
    """Read groups, replicas, databases, trace flags and disks.

    Raises:
        BadInput: there is no availability group.
        TargetError: it cannot be read.
    """
    topology = group_ports(target).groups.discover()
    if not topology.groups:
        raise BadInput(
            _("{target} has no availability group; connect to the primary replica of one").format(target=target.key)
        )
    return GroupSite(parameters={}, topology=topology)


def group_environment(target: Target, site: Site) -> Environment:
    """Return the readings, for the report."""
    if not isinstance(site, GroupSite):
        raise ValueError(f"availability groups need a GroupSite, not {type(site).__name__}")
    return Environment(target.key, kept=(("groups", dump_json(site.topology)),))


def kept_groups(environment: Environment) -> GroupTopology | None:
    """Return the kept topology of groups, None where there is none; raises CodecError."""
    text = environment.text_of("groups")
    return _groups(text) if text else None


def kept_settings(environment: Environment) -> KeptSettings:
    """Return servers, trace flags, commit modes and who is primary; raises CodecError."""
    read = kept_groups(environment)
    if read is None:
        return KeptSettings()
    flags = {(server, _("trace flag {flag}").format(flag=flag)): _("set") for server, flag in read.trace_flags}
    modes = {
        (f"{group.name}, {replica.server}", _("commit mode")): replica.mode.value
        for group in read.groups
        for replica in group.replicas
    }
    primaries = {(group.name, _("primary replica")): group.primary for group in read.groups}
    return KeptSettings(read.servers, others={**flags, **modes, **primaries})


@lru_cache(maxsize=8)
def _groups(text: str) -> GroupTopology:
    return load_json(GroupTopology, text)


def group_site_of(environment: Environment) -> GroupSite | None:
    """Return the site an environment was read from, None where it holds no groups."""
    topology = kept_groups(environment)
    return None if topology is None else GroupSite(parameters={}, topology=topology)
