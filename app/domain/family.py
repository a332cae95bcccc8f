"""What an experiment family is: one folder under `experiments/` that exports `FAMILY`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from app.domain.comparison import Comparison, Forecast
from app.domain.facts import FactValue
from app.domain.measurement import Measurement, Metric, Sample, TrialResult
from app.domain.plan import Plan, TrialSpec
from app.domain.plot import PlotSpec
from app.domain.ports import Capability
from app.domain.setting import AgentKind, Knob, Setting
from app.domain.steps import Step
from app.domain.topology import Agent, AgentStatistics, EffectiveParameter, SubscriberObjects, Topology


@dataclass(frozen=True)
class AgentObservation:
    """What was seen of one agent while it was measured.

    Attributes:
        delivered_commands, delivered_transactions: within the measured time.
        elapsed_s: from the start of its session (drained) or of the measured window (continuous) to the last delivery.
        latencies_ms: one for each history row that delivered something.
        delivered_at: (seconds since the start of measuring, commands delivered so far), ascending; what the session had
            delivered before, its warm-up included, is the first entry, at 0.
        statistics: its own split of its time, None where it wrote none.
        fell_back: it went back to a single stream.
        failed: it reported an error or a retry.
        watched_s: length of the measured part of a continuous trial, on the scale of `delivered_at`; None where
            measuring ended with the last delivery.
    """

    agent: Agent
    delivered_commands: int
    delivered_transactions: int
    elapsed_s: float
    latencies_ms: tuple[float, ...]
    delivered_at: tuple[tuple[float, int], ...]
    statistics: AgentStatistics | None
    fell_back: bool
    failed: str
    watched_s: float | None = None


@dataclass(frozen=True)
class TrialObservation:
    """What a trial showed, before a family makes measures of it.

    Attributes:
        measured: agents of the kind under test.
        others: the other agents that ran meanwhile.
        samples: time series at the sampling interval.
        planned_commands: commands each measured agent was to deliver (drained), else 0.
        offered_commands: commands written during a continuous trial, all pairs.
        lock_wait_s: growth of lock waits on the Distributor.
        warm_up_s: cut from the start of a continuous trial (MSER-5), 0 for a drained one.
        command_bytes: mean size of a waiting command as stored at the Distributor, None where it was not read.
    """

    measured: tuple[AgentObservation, ...]
    others: tuple[AgentObservation, ...]
    samples: tuple[Sample, ...]
    planned_commands: int
    offered_commands: int
    lock_wait_s: float
    warm_up_s: float
    command_bytes: float | None = None


@dataclass(frozen=True)
class Site:
    """What was read from the target before the run; a family checks and explains with it.

    Attributes:
        agents: the agents under test, by agent id.
        parameters: those in effect for the first of them, by name.
        subscriber_objects: None where there is no Subscriber to look at.
        rtt_ms, network_kbps: of the link to the Subscriber, None where unknown.
    """

    topology: Topology
    agents: tuple[Agent, ...]
    parameters: Mapping[str, EffectiveParameter]
    subscriber_objects: SubscriberObjects | None
    rtt_ms: float | None
    network_kbps: float | None


@dataclass(frozen=True)
class PreflightCheck:
    """One check before a run: passed, or what to do about it. A `blocking` one that failed forbids the run."""

    title: str
    passed: bool
    remedy: str = ""
    blocking: bool = False


@dataclass(frozen=True)
class Evidence:
    """All that is known about one experiment when it is explained: own trials, or measurements from elsewhere.

    Attributes:
        plan: None for measurements from elsewhere.
        site: None for measurements from elsewhere.
        measurements: the used ones, all metrics, of one family and one set of conditions.
        comparisons: of the family's primary metric, for these conditions.
        forecasts: for these conditions.
        trials: own trials, used or not.
        minimum_effect, noise_cv: as in `Design`.
    """

    family: str
    conditions: Setting
    plan: Plan | None
    site: Site | None
    measurements: tuple[Measurement, ...]
    comparisons: tuple[Comparison, ...]
    forecasts: tuple[Forecast, ...]
    trials: tuple[TrialResult, ...]
    minimum_effect: float
    noise_cv: float | None


class ExperimentFamily(Protocol):
    """One experiment family. Everything it returns is data; it touches no server.

    Attributes:
        family_id: its folder's name.
        version: raised whenever its measures change meaning.
        title, question: what it answers, in two sentences.
        needs: capabilities the target must offer.
        agent: the agent under test.
        knobs: parameters it may vary.
        metrics: what its trials measure.
        main_metrics: those a claim may be made about, also from elsewhere; each among `metrics`.
        default_backlog_commands: backlog of the catch-up forecast when the plan names none; 0 makes no forecast.
    """

    family_id: str
    version: int
    title: str
    question: str
    needs: frozenset[Capability]
    agent: AgentKind
    knobs: tuple[Knob, ...]
    metrics: tuple[Metric, ...]
    main_metrics: tuple[Metric, ...]
    default_backlog_commands: int

    def main_metric(self, plan: Plan) -> Metric:
        """Return the metric claims are made about under this plan."""
        ...

    def default_plan(self) -> Plan:
        """Return the plan a newcomer would be offered."""
        ...

    def preflight(self, plan: Plan, site: Site) -> tuple[PreflightCheck, ...]:
        """Return what must hold, or be known, before this plan runs here."""
        ...

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial, in order, with exactly one measuring step."""
        ...

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial in seconds, for the dry run."""
        ...

    def measure(self, plan: Plan, spec: TrialSpec, seen: TrialObservation, site: Site) -> tuple[Measurement, ...]:
        """Make the family's measures of what a trial showed."""
        ...

    def failed_checks(self, plan: Plan, spec: TrialSpec, seen: TrialObservation) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial; empty when it is good."""
        ...

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return the facts known about one factor; facts that are not known are absent."""
        ...

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return the plots that show this experiment; ids start with the family id."""
        ...
