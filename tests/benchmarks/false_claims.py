"""How often a session claims a difference where there is none, on a lab that drifts while it is measured."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from app.domain.comparison import Comparison, Verdict
from app.domain.plan import Design, Factor, Phase, Plan, Stop
from app.domain.setting import Setting
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path
from app.systems.transactional_replication.load import WorkloadSpec
from tests.benchmarks.figures import Share
from tests.benchmarks.lab_sessions import advisor, changed_scenario, run_on_lab

SCENARIO = "no-effect"
LEVELS = (100, 150, 200, 250, 500)
BASELINE = Setting.of(CommitBatchSize=100)
BACKLOG_COMMANDS = 20_000


@dataclass(frozen=True)
class FalseClaims:
    """What so many sessions claimed.

    Attributes:
        claiming: sessions with at least one claim: a confirming comparison that shows a difference, or a finding that
            recommends another value.
        confirming: sessions whose best mean was not the baseline's, so that confirmation trials ran; the others cannot
            claim anything.
        recommending: sessions with a finding that recommends another value.
        exploring: sessions in which an exploring comparison with the baseline shows a difference; a lead, no claim.
        drift_share: how far the machine drifted from the first to the last trial, mean over the sessions.
        lows: sum of the lower limits of all comparisons, in which sessions differ that count alike.
    """

    claiming: Share
    confirming: Share
    recommending: Share
    exploring: Share
    drift_share: float
    lows: float

    def __str__(self) -> str:
        """Return all figures, one to a line."""
        return (
            f"  false claims                          {self.claiming}\n"
            f"  sessions that confirmed a candidate   {self.confirming}\n"
            f"  recommendations of another value      {self.recommending}\n"
            f"  exploring comparisons (leads only)    {self.exploring}\n"
            f"  drift over a session, mean            {self.drift_share:.1%}"
        )


def plan_without_effect(stop: Stop, seed: int) -> Plan:
    """Return CommitBatchSize at five levels: three exploring blocks, or a race of at most four, then three confirming.

    The two designs need seeds of their own: under one seed their first blocks are the same trials.
    """
    return Plan(
        family="distribution_agent",
        factors=(Factor("CommitBatchSize", LEVELS),),
        baseline=BASELINE,
        load=WorkloadSpec(commands=BACKLOG_COMMANDS).to_load(),
        design=Design(stop=stop, blocks=4 if stop is Stop.RACE else 3, confirm_blocks=3, seed=seed),
    )


def drifting_scenario(stop: Stop, folder: Path) -> tuple[Path, float]:
    """Return a lab without effect whose whole drift of 6 % falls into one session, and how long that takes.

    As shipped it drifts over two hours, and these sessions of small backlogs last some minutes only: their trials would
    hardly drift at all. So the two hours become the usual length of a complete session, the median of five: some end
    early, as nothing is left to settle, and must drift as well.
    """
    shipped = scenario_path(SCENARIO)
    usual_s = median(run_on_lab(plan_without_effect(stop, seed), shipped, seed).length_s for seed in range(1, 6))
    return changed_scenario(SCENARIO, folder, drift_over_s=round(usual_s, 1)), usual_s


def count_false_claims(stop: Stop, seeds: Iterable[int], folder: Path) -> FalseClaims:
    """Run a session for each seed and count what they claim."""
    explaining = advisor()
    scenario, drift_over_s = drifting_scenario(stop, folder)
    drift_share = load_scenario(scenario).noise.drift_share
    counts = [0, 0, 0, 0]
    sessions = 0
    drifted = lows = 0.0
    for seed in seeds:
        session = run_on_lab(plan_without_effect(stop, seed), scenario, seed)
        advice = explaining.advise(session.record)
        confirming = _of(advice.comparisons, Phase.CONFIRM)
        recommends = any(finding.to_value is not None for finding in advice.findings)
        claims = recommends or _shows_difference(confirming)
        explores = _shows_difference(_of(advice.comparisons, Phase.EXPLORE))
        for index, holds in enumerate((claims, bool(confirming), recommends, explores)):
            counts[index] += holds
        sessions += 1
        lows += sum(comparison.low for comparison in advice.comparisons)
        drifted += min(1.0, session.length_s / drift_over_s) * drift_share
    claiming, confirmed, recommending, exploring = (Share(count, sessions) for count in counts)
    return FalseClaims(claiming, confirmed, recommending, exploring, drifted / sessions, lows)


def _of(comparisons: Iterable[Comparison], phase: Phase) -> list[Comparison]:
    return [comparison for comparison in comparisons if comparison.phase is phase]


def _shows_difference(comparisons: Iterable[Comparison]) -> bool:
    return any(comparison.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE) for comparison in comparisons)
