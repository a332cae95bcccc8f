"""Common questions of the availability-group families to their evidence: its version, and its baseline."""

from collections.abc import Sequence

from app.analysis.comparing.pairs import baseline_among
from app.domain.family import Evidence
from app.domain.server_versions import major_version_of
from app.domain.setting import Parameter, Setting, effective_setting
from app.systems.availability_groups.site import GroupSite


def major_of_primary(evidence: Evidence) -> int | None:
    """Return the major version of the primary, None where it is not known."""
    site = evidence.site
    if isinstance(site, GroupSite):
        server = site.topology.server_named(site.topology.connected_to)
        return None if server is None else int(server.version.split(".")[0])
    return major_version_of(str(evidence.conditions.get("server_version", "")).strip())


def baseline_of(evidence: Evidence, parameters: Sequence[Parameter]) -> Setting:
    """Return the baseline of every claim, as measured: the plan's, else the setting nearest to the defaults."""
    if evidence.plan is not None:
        return effective_setting(evidence.plan.baseline, parameters)
    return baseline_among((m.setting for m in evidence.measurements), parameters, evidence.baseline)
