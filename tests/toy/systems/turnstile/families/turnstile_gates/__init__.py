"""The family `turnstile_gates`: how many gates, and how much room, let people through fastest."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app.analysis.claim import claim_of
from app.analysis.compared_facts import compared_facts
from app.analysis.figures import effect_plot, order_plot, setting_plot
from app.analysis.measuring import as_measurement
from app.domain.condition import Condition
from app.domain.facts import FactValue
from app.domain.family import DemoRun, Evidence, ExperimentFamily, PreflightCheck, SweptCondition
from app.domain.limits import LimitField, usual_limits
from app.domain.load import complete_load
from app.domain.measurement import Measurement, Metric
from app.domain.metrics import RUN_TIME
from app.domain.plan import Design, Factor, Plan, TrialSpec
from app.domain.plan_field import PlanField, ValueKind
from app.domain.plot import PlotSpec
from app.domain.setting import Parameter, Setting
from app.domain.step import Step
from app.domain.system import System
from app.domain.table import ResultTable

from ...rig import LIMITS, LetPass, Passed, SetTurnstile
from ...site import CAPABILITIES, GATES, PARAMETERS, QUEUE, SUBJECT, TurnstileSite
from ...system import SYSTEM

PEOPLE: Final = PlanField(
    "people", ValueKind.WHOLE, "People of a trial", "", 1000, "How many go through.", low=10, high=1_000_000
)
_ROUGH_S_PER_PERSON: Final = 0.01


class TurnstileGates:
    """See the module; every method is pure."""

    family_id = "turnstile_gates"
    position = 1
    version = 1
    title = "Turnstile: how many gates"
    question = "How many gates let people through fastest? It opens them one after the other and counts the seconds."
    needs: frozenset[str] = frozenset(CAPABILITIES)
    system: System = SYSTEM
    subject = SUBJECT
    not_guided = ""
    parameters: tuple[Parameter, ...] = PARAMETERS
    load_title = "People"
    load_fields: tuple[PlanField, ...] = (PEOPLE,)
    limit_fields: tuple[LimitField, ...] = LIMITS
    conditions: tuple[Condition, ...] = ()
    metrics: tuple[Metric, ...] = (RUN_TIME,)
    main_metrics: tuple[Metric, ...] = (RUN_TIME,)
    default_backlog_commands = 0
    compares_all = False
    swept: tuple[SweptCondition, ...] = ()

    def main_metric(self, plan: Plan) -> Metric:
        """Return the time until everybody has passed."""
        return RUN_TIME

    def default_plan(self) -> Plan:
        """Return all numbers of gates worth trying."""
        return _plan(Design())

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return the same, in short."""
        return (DemoRun("lab:door", _plan(Design(blocks=2, confirm_blocks=2, seed=seed))),)

    def preflight(self, plan: Plan, site: TurnstileSite) -> tuple[PreflightCheck, ...]:
        """Warn where a parameter needs a restart."""
        is_restarted = any(factor.name == QUEUE.name for factor in plan.factors)
        return (PreflightCheck("The turnstile is not restarted", not is_restarted, "Nobody passes while it restarts."),)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        return (SetTurnstile(setting), LetPass(plan.load.whole(PEOPLE.name)))

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        return plan.load.whole(PEOPLE.name) * _ROUGH_S_PER_PERSON

    def measure(self, plan: Plan, spec: TrialSpec, seen: Passed, site: TurnstileSite) -> tuple[Measurement, ...]:
        """Return the run time."""
        conditions = Setting.from_mapping({PEOPLE.name: plan.load.whole(PEOPLE.name)})
        return (as_measurement(plan, spec, RUN_TIME, seen.elapsed_s, conditions),)

    def failed_checks(self, plan: Plan, spec: TrialSpec, seen: Passed) -> tuple[str, ...]:
        """Return why a trial is not used: somebody is still outside."""
        return () if seen.people == plan.load.whole(PEOPLE.name) else ("not everybody passed",)

    def may_forecast(self, plan: Plan | None, conditions: Setting) -> bool:
        """Tell that a run time forecasts nothing."""
        return False

    def contradictions(self, measurements: Sequence[Measurement]) -> Iterable[str]:
        """Return nothing: a run time by itself contradicts no other number."""
        return ()

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return what trials that are compared show, and the room in the queue."""
        facts = dict(compared_facts(self, evidence, claim_of(self, evidence), factor))
        if isinstance(evidence.site, TurnstileSite):
            facts["queue_length_now"] = int(evidence.site.found.by_name[QUEUE.name].value)
        return facts

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return run time by setting, effects, and trials in order."""
        claim = claim_of(self, evidence)
        made = (setting_plot(self, evidence, claim), effect_plot(self, evidence), order_plot(self, evidence))
        return tuple(plot for plot in made if plot is not None)

    def tables(self, evidence: Evidence) -> tuple[ResultTable, ...]:
        """Return none: the comparisons say it all."""
        return ()


def _plan(design: Design) -> Plan:
    return Plan(
        family=TurnstileGates.family_id,
        factors=(Factor(GATES.name, GATES.levels),),
        baseline=Setting.from_mapping({GATES.name: GATES.default}),
        load=complete_load((PEOPLE,), {}, "the default plan"),
        design=design,
        limits=usual_limits(LIMITS),
    )


FAMILY: Final[ExperimentFamily] = TurnstileGates()
