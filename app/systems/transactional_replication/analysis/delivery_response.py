"""The delivery curve for exploring a plan, and the site's properties it needs, frozen when the plan is prepared."""

from dataclasses import replace
from typing import Final

from app.domain.plan import Plan, Stop
from app.domain.setting import Setting, Value
from app.domain.work_source import WorkSource, work_source_of
from app.systems.transactional_replication.analysis.delivery_curve import DeliveryConditions, DeliveryCurve
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.server.documented import DELIVERING, PARAMETERS, STREAMS
from app.systems.transactional_replication.site import AgentSite

MOST_STREAMS: Final = 16
"""Above this the curve covers 72 to 88 % of what is measured where it claims 90: such plans are explored without it."""

# A line nobody knows the bandwidth of is taken for one that does not limit, a server nobody was let count the
# processors of for one with enough of them; what of that is wrong shows as a departure from the curve.
_UNKNOWN_KBPS: Final = 1_000_000.0
_UNKNOWN_CPUS: Final = 64


def with_site_frozen(plan: Plan, site: AgentSite) -> Plan:
    """Return a plan with the properties its model needs; unchanged where no model guides it, or it has them."""
    if plan.design.stop is not Stop.MODEL or plan.at_site:
        return plan
    subscribers = {agent.subscriber for agent in site.agents[: workload_of(plan.load).agent_pairs]}
    cpus = [s.cpu_count for s in site.topology.servers if s.role == "Subscriber" and s.name in subscribers]
    in_effect = {name: site.parameters[name].value for name in DELIVERING if name in site.parameters}
    defaults = {p.name: int(p.default) for p in PARAMETERS if p.name in DELIVERING}
    read: dict[str, Value] = {
        "rtt_ms": site.rtt_ms or 0.0,
        "network_kbps": site.network_kbps or _UNKNOWN_KBPS,
        "subscriber_cpus": min((count for count in cpus if count > 0), default=_UNKNOWN_CPUS),
        **{name: int(text) if text.isdigit() else defaults[name] for name, text in in_effect.items()},
    }
    return replace(plan, at_site=Setting.from_mapping({**defaults, **read}))


def delivery_response(plan: Plan, *, is_rate: bool) -> DeliveryCurve | None:
    """Return the curve for a plan; None where a rate is offered, which hides it, or where it would extrapolate.

    Args:
        is_rate: the main metric is commands per second, not the time of all of them.
    """
    work, at_site = workload_of(plan.load), plan.at_site
    streams = [level for factor in plan.factors if factor.name == STREAMS for level in factor.levels]
    if work_source_of(plan.load) is WorkSource.OWN_TRAFFIC:
        return None
    is_limited = work.scenario is Scenario.CONTINUOUS and work.rate_per_s is not None
    if not at_site or is_limited or any(float(level) > MOST_STREAMS for level in streams):
        return None
    return DeliveryCurve(
        DeliveryConditions(
            commands_per_transaction=work.mean_commands_per_transaction,
            rtt_ms=float(at_site["rtt_ms"]),
            network_kbps=float(at_site["network_kbps"]),
            subscriber_cpus=int(at_site["subscriber_cpus"]),
            in_effect={name: float(at_site[name]) for name in DELIVERING},
            commands=float(work.commands),
            is_rate=is_rate,
        )
    )
