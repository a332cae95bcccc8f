"""The interface of an experiment family: one folder under a system's `families/` that exports `FAMILY`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from app.domain.comparison import Comparison, Forecast
from app.domain.condition import Condition
from app.domain.contradiction import Contradiction
from app.domain.facts import FactValue
from app.domain.limits import LimitField, usual_limits
from app.domain.load import complete_load
from app.domain.measurement import Measurement, Metric, TrialResult
from app.domain.own_load import OwnBacklog
from app.domain.plan import Design, Factor, Plan, TrialSpec
from app.domain.plan_field import PlanField
from app.domain.plot import PlotSpec
from app.domain.server import EffectiveParameter
from app.domain.setting import EMPTY_SETTING, Parameter, Setting
from app.domain.step import Step
from app.domain.table import ResultTable
from app.foundation.texts import _


@dataclass(frozen=True, kw_only=True)
class Site:
    """The readings taken from the target before the run; a family checks and explains with them. Each subject adds its
    own.

    Attributes:
        parameters: those in effect for what is under test, by name.
        simulated: of a lab, the parameters that count in it for what is under test; None for a server, where all do.
    """

    parameters: Mapping[str, EffectiveParameter]
    simulated: frozenset[str] | None = None


FoundT = TypeVar("FoundT")


@dataclass(frozen=True, kw_only=True)
class SiteOf(Site, Generic[FoundT]):
    """A site with all that was read of its system."""

    topology: FoundT


TypedSiteT = TypeVar("TypedSiteT", bound=Site)


def site_as(kind: type[TypedSiteT], site: Site) -> TypedSiteT:
    """Return a site as that of one system; raises ValueError for any other's."""
    if not isinstance(site, kind):
        raise ValueError(f"a {kind.__name__} is needed here, not a {type(site).__name__}")
    return site


@dataclass(frozen=True)
class PreflightCheck:
    """One check before a run: passed, or the remedy. A `blocking` one that failed forbids the run."""

    title: str
    passed: bool
    remedy: str = ""
    blocking: bool = False

    @property
    def refusal(self) -> str:
        """Return it as the reason why a run is refused: its title says what would have to be."""
        return _("not met: “{title}” – {remedy}").format(title=self.title, remedy=self.remedy)


@dataclass(frozen=True)
class Evidence:
    """All that is known about one experiment when it is explained: own trials, or measurements from elsewhere.

    Attributes:
        plan: None for measurements from elsewhere.
        site: None for measurements from elsewhere.
        measurements: the used ones, all metrics, of one family and one set of conditions.
        comparisons: of the family's primary metric, for these conditions.
        beside: of its further main metrics, which explain and carry no claim.
        forecasts: for these conditions.
        trials: own trials, used or not.
        minimum_effect, noise_cv: as in `Design`.
        baseline: values given with measurements from elsewhere for what they are compared with; empty for none.
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
    baseline: Setting = EMPTY_SETTING
    beside: tuple[Comparison, ...] = ()


@dataclass(frozen=True)
class SweptCondition:
    """A condition that takes several values within each trial.

    Attributes:
        name: as in `Measurement.conditions`. unit: of its numbers.
        title: as a person reads it on an axis.
    """

    name: str
    unit: str
    title: str


@dataclass(frozen=True)
class DemoRun:
    """One plan of the demonstration with the target it runs on."""

    target: str
    plan: Plan


SeenT = TypeVar("SeenT", contravariant=True)
SiteT = TypeVar("SiteT", bound=Site, contravariant=True)


class FamilyOf(Protocol[SeenT, SiteT]):
    """One experiment family. Everything it returns is data; it touches no server. What it does not say has a default.

    Its subject decides what it is given: `SeenT` is what a trial of that subject shows, `SiteT` what is read before.

    Attributes:
        family_id: its folder's name.
        position: where it stands among the families of its system, ascending.
        version: raised whenever its measures change meaning.
        title, question: what it answers, in two sentences.
        needs: capabilities the target must offer.
        system: the `domain.system.System` it belongs to.
        subject: what is under test, in that system's words.
        not_guided: why a client's DBA could not make its changes, one sentence; "" where one can.
        parameters: parameters it may vary.
        conditions: what measurements made elsewhere may be stated to hold for, beyond what is swept, the network and
            the server's version; the load fields where there is nothing of either.
        load_title: heading of the load in a form.
        load_fields: what its plans say about the load.
        limit_fields: what its trials watch and its plans may limit.
        metrics: what its trials measure.
        main_metrics: those a claim may be made about, also from elsewhere; each among `metrics`.
        stand_in_metrics: measures that measurements from elsewhere are judged by where none of the main ones is among
            them, in this order; they need not be among `metrics`.
        backlog_elsewhere: backlog of the catch-up forecast of measurements made elsewhere, of whose site nothing is
            known; None makes no forecast.
        backlog_uncounted: one sentence on why no reading counts the client's backlog, so that no end of it is
            forecast; "" where one does.
        compares_all: every comparison is named before the run, so that no winner is picked and confirmed: every
            setting runs in every block, and all of them carry claims.
        swept: conditions that vary within each trial, such as the shape of the workload; settings are compared at
            each of their values, and all these comparisons count together.
    """

    family_id: str
    position: int
    version: int = 1
    title: str
    question: str
    needs: frozenset[str]
    system: Any
    subject: str
    not_guided: str = ""
    parameters: tuple[Parameter, ...]
    conditions: tuple[Condition, ...] = ()
    load_title: str
    load_fields: tuple[PlanField, ...]
    limit_fields: tuple[LimitField, ...]
    metrics: tuple[Metric, ...]
    main_metrics: tuple[Metric, ...]
    stand_in_metrics: tuple[Metric, ...] = ()
    backlog_elsewhere: OwnBacklog | None = None
    backlog_uncounted: str = ""
    compares_all: bool = False
    swept: tuple[SweptCondition, ...] = ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return the metric claims are made about under this plan: the first of the main ones unless it depends."""
        return self.main_metrics[0]

    def default_plan(self) -> Plan:
        """Return the plan a newcomer would be offered: over the first of its parameters."""
        return self.plan_over(self.parameters[0])

    def plan_over(self, *varied: Parameter, design: Design | None = None) -> Plan:
        """Return a plan over the worthwhile levels of some parameters, from their defaults, under the usual load."""
        return Plan(
            family=self.family_id,
            factors=tuple(Factor(parameter.name, parameter.levels) for parameter in varied),
            baseline=Setting.from_mapping({parameter.name: parameter.default for parameter in varied}),
            load=complete_load(self.load_fields, {}, "the default plan"),
            design=design or Design(),
            limits=usual_limits(self.limit_fields),
        )

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return the runs of the demonstration on the lab, small enough for half a minute with all the others."""
        ...

    def preflight(self, plan: Plan, site: SiteT) -> tuple[PreflightCheck, ...]:
        """Return the checks that must pass, or be known, before this plan runs on this site."""
        ...

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial, in order, with exactly one measuring step."""
        ...

    def keep_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps that put a setting into effect for the client's own work, so that it can be kept.

        () where a setting of this plan is not kept: what it was measured on was made for the trials alone.
        """
        return ()

    def rest_steps(self, plan: Plan) -> tuple[Step, ...]:
        """Return the steps that wait until the client's backlog is processed, () where none would end."""
        return ()

    def in_effect(self, plan: Plan, site: SiteT) -> Setting | None:
        """Return which of a plan's settings a site was found with, None where that is not known or it is none of them.

        Asked where a plan compares all settings: one that is better than this one can be kept.
        """
        return None

    def kept_risk(self, plan: Plan, setting: Setting) -> str:
        """Return the risk that a client agrees to while a setting is kept, "" for none."""
        return ""

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial in seconds, for the dry run."""
        ...

    def measure(self, plan: Plan, spec: TrialSpec, observation: SeenT, site: SiteT) -> tuple[Measurement, ...]:
        """Make the family's measurements from a trial's observation."""
        ...

    def failed_checks(self, plan: Plan, spec: TrialSpec, observation: SeenT) -> tuple[str, ...]:
        """Return one sentence for each reason not to use the trial; empty when it is good."""
        ...

    def may_forecast(self, plan: Plan | None, conditions: Setting) -> bool:
        """Tell whether a measured rate is a property of the server under test, so that a catch-up time may be forecast
        from it.

        Not where its rates are those of a load of its own.

        Args:
            plan: None for measurements from elsewhere.
        """
        return False

    def own_backlog(self, plan: Plan, site: SiteT) -> OwnBacklog | None:
        """Return the backlog of the catch-up forecast of an own run, by the site's own load; None makes no forecast."""
        return None

    def contradictions(self, measurements: Sequence[Measurement]) -> Iterable[Contradiction]:
        """Return which runs made elsewhere have numbers that cannot all hold, of any conditions."""
        return ()

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return the facts known about one factor; facts that are not known are absent."""
        ...

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return the plots that show this experiment; ids start with the family id."""
        ...

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return tables of results beyond the comparisons, as the field prints them; () for none."""
        return ()


ExperimentFamily: TypeAlias = FamilyOf[Any, Any]
"""Any family, as the parts that serve all of them know it."""
