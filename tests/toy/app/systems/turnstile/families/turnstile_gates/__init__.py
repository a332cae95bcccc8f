"""The family `turnstile_gates`: how many gates, and how much room, let people through fastest."""

from collections.abc import Mapping
from typing import Final

from app.analysis.claim import Claim
from app.analysis.compared_family import ComparedFamily
from app.analysis.measuring import as_measurement
from app.domain.facts import FactValue
from app.domain.family import DemoRun, Evidence, ExperimentFamily, PreflightCheck, SiteOf
from app.domain.measurement import Measurement
from app.domain.metrics import RUN_TIME
from app.domain.plan import Design, Plan, TrialSpec
from app.domain.plan_field import PlanField, ValueKind
from app.domain.setting import Setting
from app.domain.step import Step
from app.drivers.sqlserver.parameters import TunedServer
from app.runner.bench.parameters import SetParameters
from app.systems.turnstile.settings import GATES, QUEUE, TURNSTILE
from app.systems.turnstile.system import SYSTEM
from app.systems.turnstile.trial import LIMITS, LetPass, Passed

PEOPLE: Final = PlanField(
    "people", ValueKind.WHOLE, "People of a trial", "", 1000, "How many go through.", low=10, high=1_000_000
)
_ROUGH_S_PER_PERSON: Final = 0.01


class TurnstileGates(ComparedFamily[Passed, SiteOf[TunedServer]]):
    """See the module; every method is pure."""

    family_id = "turnstile_gates"
    position = 1
    title = "Turnstile: how many gates"
    question = "How many gates let people through fastest? It opens them one after the other and counts the seconds."
    needs = frozenset(TURNSTILE.capabilities)
    system = SYSTEM
    subject = SYSTEM.subject
    parameters = TURNSTILE.parameters
    load_title = "People"
    load_fields = (PEOPLE,)
    limit_fields = LIMITS
    metrics = main_metrics = (RUN_TIME,)

    def demo_runs(self, seed: int) -> tuple[DemoRun, ...]:
        """Return the same, in short."""
        return (DemoRun("lab:door", self.plan_over(GATES, design=Design(blocks=2, confirm_blocks=2, seed=seed))),)

    def preflight(self, plan: Plan, site: SiteOf[TunedServer]) -> tuple[PreflightCheck, ...]:
        """Warn where a parameter needs a restart."""
        is_restarted = any(factor.name == QUEUE.name for factor in plan.factors)
        return (PreflightCheck("The turnstile is not restarted", not is_restarted, "Nobody passes while it restarts."),)

    def trial_steps(self, plan: Plan, setting: Setting) -> tuple[Step, ...]:
        """Return the steps of one trial."""
        return (SetParameters(SYSTEM.system_id, setting), LetPass(plan.load.whole(PEOPLE.name)))

    def estimate_trial_s(self, plan: Plan) -> float:
        """Return a rough duration of one trial, seconds."""
        return plan.load.whole(PEOPLE.name) * _ROUGH_S_PER_PERSON

    def measure(
        self, plan: Plan, spec: TrialSpec, observation: Passed, site: SiteOf[TunedServer]
    ) -> tuple[Measurement, ...]:
        """Return the run time."""
        conditions = Setting.from_mapping({PEOPLE.name: plan.load.whole(PEOPLE.name)})
        return (as_measurement(plan, spec, RUN_TIME, observation.elapsed_s, conditions),)

    def failed_checks(self, plan: Plan, spec: TrialSpec, observation: Passed) -> tuple[str, ...]:
        """Return why a trial is not used: somebody is still outside."""
        return () if observation.people == plan.load.whole(PEOPLE.name) else ("not everybody passed",)

    def own_facts(self, evidence: Evidence, claim: Claim | None, factor: str) -> Mapping[str, FactValue]:
        """Return the room in the queue."""
        site = evidence.site
        return {"queue_length_now": site.topology.value_of(QUEUE.name)} if isinstance(site, SiteOf) else {}


FAMILY: Final[ExperimentFamily] = TurnstileGates()
