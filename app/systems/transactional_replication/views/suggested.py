"""Suggestions for replication agents, from observations of the agent an experiment would measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Factor, Plan
from app.domain.setting import Parameter, Value
from app.domain.system import site_key
from app.flows.suggested import Expected, Suggestion
from app.foundation.durations import duration_text
from app.foundation.texts import _, local_number
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.expected import expected_change
from app.systems.transactional_replication.analysis.history import (
    SATURATED_LATENCY_MS,
    commands_per_transaction,
    wait_shares_of,
)
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.observed import ObservedAgent, ReplicationObservation, Side
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.tables import agent_kind_title
from app.systems.transactional_replication.views.picture import hop_key, observed_of

DISTANT_MS: Final = 20.0
"""Round trip from which a link is distant: at 0.4 round trips for each command (`delivery_curve`) it costs more than
eight milliseconds a batch, which is what the batch itself costs there."""

PUBLISHED_READING: Final[Mapping[int, float]] = {
    500: 199.08,
    1_000: 186.15,
    2_500: 181.54,
    5_000: 163.81,
    10_000: 175.67,
}
"""Run time by ReadBatchSize, seconds: resources/published/replication-agents-2018.csv."""


@dataclass(frozen=True)
class _Seen:
    """The agent an experiment would measure, as it was observed."""

    observed: ObservedAgent
    site: AgentSite

    @property
    def worst_latency_ms(self) -> float:
        return max((hour.worst_latency_ms or 0.0 for hour in self.observed.hours), default=0.0)

    @property
    def is_behind(self) -> bool:
        return self.worst_latency_ms >= SATURATED_LATENCY_MS

    def value(self, parameter: Parameter) -> Value:
        effective = self.site.parameters.get(parameter.name)
        return int(effective.value) if effective is not None and effective.value.isdigit() else parameter.default


def suggested(
    observation: ReplicationObservation,
    families: Mapping[str, ExperimentFamily],
    sites: Mapping[tuple[str, str], Site],
) -> Sequence[Suggestion]:
    """Return a suggestion for each parameter that concerns the agents' bottleneck."""
    made: list[Suggestion] = []
    for family_id, parameters in _varied(families, sites):
        family = families[family_id]
        site = sites[site_key(family)]
        if not isinstance(site, AgentSite) or not site.agents:
            continue
        observed = observed_of(site.agents[0], observation)
        if observed is not None:
            own = {p.name: p for p in family.parameters}
            made += [_suggestion(family, own[name], _Seen(observed, site)) for name in parameters if name in own]
    return made


def _varied(
    families: Mapping[str, ExperimentFamily], sites: Mapping[tuple[str, str], Site]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the parameters of each family to suggest: those of its default plan, and others.

    Streams over a distant link are that family's own question.
    """
    delivering = sites.get(site_key(families["wan_delivery"])) if "wan_delivery" in families else None
    is_distant = isinstance(delivering, AgentSite) and (delivering.rtt_ms or 0.0) >= DISTANT_MS
    all_parameters: tuple[tuple[str, bool, tuple[str, ...]], ...] = (
        ("wan_delivery", is_distant, ()),
        ("distribution_agent", not is_distant, ("CommitBatchSize",)),
        ("log_reader", True, ()),
    )
    return tuple(
        (name, (*(f.name for f in families[name].default_plan().factors if is_asked), *more))
        for name, is_asked, more in all_parameters
        if name in families
    )


def _suggestion(family: ExperimentFamily, parameter: Parameter, seen: _Seen) -> Suggestion:
    plan, now = _plan(family, parameter, seen), seen.value(parameter)
    levels = [level for level in plan.factors[0].levels if level != now]
    agent = seen.observed.agent
    reads = agent.kind is AgentKind.LOG_READER
    slow = Side.READER if reads else Side.WRITER
    title = _("{parameter} {now} → {levels}").format(
        parameter=parameter.name, now=_number(now), levels=f"{_number(levels[0])}…{_number(levels[-1])}"
    )
    return Suggestion(
        plan=plan,
        title=title,
        about=_("{kind} {name}").format(kind=agent_kind_title(agent.kind), name=agent.name),
        because=_because(seen),
        expected=_expected_reading(now) if reads else _expected_delivery(plan, now, seen),
        is_limiting=seen.is_behind and seen.observed.slow_side is slow,
        box=hop_key(agent),
    )


def _plan(family: ExperimentFamily, parameter: Parameter, seen: _Seen) -> Plan:
    """Return the family's plan over the offered levels of the parameter, with transactions as large as the
    history's."""
    plan = family.default_plan()
    levels = tuple(dict.fromkeys((seen.value(parameter), *parameter.levels)))
    size = commands_per_transaction(seen.observed.hours)
    work = workload_of(plan.load)
    if size is not None and size >= 1.0:
        work = replace(work, commands_per_transaction=(round(size, 1), round(size, 1)))
    return replace(plan, factors=(Factor(parameter.name, tuple(sorted(levels, key=float))),), load=work.to_load())


def _expected_delivery(plan: Plan, now: Value, seen: _Seen) -> Expected | None:
    if seen.observed.slow_side is not Side.WRITER:
        return None  # the curve is that of writing; where something else limits, it says nothing
    change = expected_change(plan, now, seen.site)
    if change is None:
        return None
    best, low, high = change
    return Expected(
        low, high, _("The delivery model expects {change} at {value}").format(change="{change}", value=_number(best))
    )


def _expected_reading(now: Value) -> Expected | None:
    """Return the range of the published sweep over the values above the one in effect, where that was measured."""
    here = PUBLISHED_READING.get(int(now))
    others = [time_s for size, time_s in PUBLISHED_READING.items() if size > int(now)]
    changes = [time_s / here - 1.0 for time_s in others] if here else []
    if not changes or min(changes) >= 0.0:
        return None
    return Expected(min(changes), max(changes), _("A published test saw {change}"))


def _because(seen: _Seen) -> str:
    """Return which half limits the agent, and how old commands were."""
    shares = wait_shares_of(seen.observed.statistics)
    words = _("Too little history to see what limits it.")
    if shares is not None:
        words = {
            Side.READER: _("Reading is the limit: the writer waited {writer:.0%} of the time."),
            Side.WRITER: _("Writing is the limit: the reader waited {reader:.0%} of the time."),
        }.get(seen.observed.slow_side, _("Neither reader nor writer is clearly the limit."))
        words = words.format(reader=shares[0], writer=shares[1])
    if seen.is_behind:
        late = duration_text(seen.worst_latency_ms / 1000.0)
        return f"{words} " + _("Commands were up to {time} old.").format(time=late)
    if shares is None and not seen.worst_latency_ms:
        return words
    return f"{words} " + _("It kept up in the hours observed.")


def _number(value: Value) -> str:
    return local_number(f"{int(value):,}")
