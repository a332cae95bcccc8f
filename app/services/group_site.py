"""Reading an instance with availability groups before anything is changed."""

from app.domain.errors import BadInput
from app.domain.family import GroupSite
from app.domain.ports import Target
from app.domain.session import Environment
from app.foundation.texts import _


def read_group_site(target: Target) -> GroupSite:
    """Read groups, replicas, databases, trace flags and disks.

    Raises:
        BadInput: there is no availability group.
        TargetError: it cannot be read.
    """
    topology = target.groups.discover()
    if not topology.groups:
        raise BadInput(
            _("{target} has no availability group; connect to the primary replica of one").format(target=target.key)
        )
    return GroupSite(parameters={}, topology=topology)


def group_environment(target: Target, site: GroupSite) -> Environment:
    """Return what was read, for the report."""
    return Environment(target=target.key, topology=None, groups=site.topology)


def group_site_of(environment: Environment) -> GroupSite | None:
    """Return the site an environment was read from, None where it holds no groups."""
    return None if environment.groups is None else GroupSite(parameters={}, topology=environment.groups)
