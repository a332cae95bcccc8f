"""How long a trial of replication agents takes at a site: the families' rough rates, and the capacity of its line."""

from typing import Final

import numpy as np

from app.analysis.plan_settings import plan_settings
from app.domain.cost import TrialTime
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.work_source import is_in_windows
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.delivery_curve import DeliveryConditions, DeliveryCurve
from app.systems.transactional_replication.load import DELIVERY_AHEAD_COMMANDS, Scenario, WorkloadSpec, workload_of
from app.systems.transactional_replication.server.documented import DELIVERING, PARAMETERS
from app.systems.transactional_replication.site import AgentSite

# The published study wrote about 20,000 commands a second, read 1 M in 190 s and delivered them in 500 s.
_WRITE_S: Final = 1 / 20_000.0
_READ_S: Final = 1 / 5_000.0
_DELIVERY_S: Final = 1 / 2_000.0
# A line that moved four megabytes too quickly to be timed, or that no login may time.
_QUICK_KBPS: Final = 1_000_000.0


def agent_trial_time(plan: Plan, family: ExperimentFamily, site: Site) -> TrialTime:
    """Return how long a trial takes: by the families' estimate, or by the measured line to the Subscriber.

    Where the line was measured, the delivery of each setting is what the curve of delivery says at the medians of its
    constants, though never quicker than the published study delivered; settings count alike.
    """
    rough_s = family.estimate_trial_s(plan)
    if is_in_windows(plan.load):
        return TrialTime(rough_s)
    if not isinstance(site, AgentSite) or (site.rtt_ms is None and site.round_trip is None):
        return TrialTime(rough_s, _("The line to the Subscriber was not measured; over a slow one trials take longer."))
    if site.rtt_ms is None and site.network_kbps is None:
        return TrialTime(rough_s)  # shorter than a clock can tell
    work, is_log_reader = workload_of(plan.load), family.subject == AgentKind.LOG_READER
    took_s = [
        _trial_s(work, _delivery_s(site, family, work, setting), rough_s, is_log_reader=is_log_reader)
        for setting in plan_settings(plan, family.parameters)
    ]
    return TrialTime(sum(took_s) / len(took_s))


def _trial_s(work: WorkloadSpec, delivery_s: float, rough_s: float, *, is_log_reader: bool) -> float:
    """Return how long a trial takes whose commands take so long each to be delivered; a stream no less than rough."""
    if work.scenario is Scenario.DRAINED:
        return work.commands * (_WRITE_S + _READ_S + delivery_s)
    if work.rate_per_s is not None:
        return max(rough_s, work.duration_s * work.rate_per_s * delivery_s)
    waiting = work.duration_s / _READ_S if is_log_reader else DELIVERY_AHEAD_COMMANDS
    return max(rough_s, work.duration_s + waiting * delivery_s)


def _delivery_s(site: AgentSite, family: ExperimentFamily, work: WorkloadSpec, setting: Setting) -> float:
    """Return how long one command takes to be delivered under a setting."""
    curve = DeliveryCurve(
        DeliveryConditions(
            commands_per_transaction=work.mean_commands_per_transaction,
            rtt_ms=site.rtt_ms or 0.0,
            network_kbps=site.network_kbps or _QUICK_KBPS,
            subscriber_cpus=_subscriber_cpus(site),
            in_effect=_in_effect(site, family),
        )
    )
    at = Setting.from_mapping({name: value for name, value in setting.items() if name in DELIVERING})
    medians = np.log([[constant.median for constant in curve.constants]])
    return max(_DELIVERY_S, float(np.exp(curve.log_values(medians, [at])[0, 0])))


def _in_effect(site: AgentSite, family: ExperimentFamily) -> dict[str, float]:
    """Return the parameters that delivery depends on as they are in effect, documented defaults where none was read."""
    defaults = {parameter.name: float(parameter.default) for parameter in PARAMETERS if parameter.name in DELIVERING}
    known = site.parameters if family.subject == AgentKind.DISTRIBUTION else site.in_effect.get(site.looked_at, {})
    read = {name: float(known[name].value) for name in DELIVERING if name in known and known[name].value.isdigit()}
    return {**defaults, **read}


def _subscriber_cpus(site: AgentSite) -> int:
    """Return the processors of the Subscriber that the agent looked at delivers to, one where none were counted."""
    subscribers = {agent.subscriber for agent in site.topology.agents if agent.name == site.looked_at}
    cpus = [s.cpu_count for s in site.topology.servers if s.role == "Subscriber" and s.name in subscribers]
    return max([1, *cpus])
