"""Groups and pipelines that nobody keeps quiet: the noise of `lan-uneven` through loops, copies and workloads."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from app.domain.events import RunStatus
from app.domain.happening import Happening, Work
from app.lab.clock import EventQueue
from app.lab.scenario_file import shipped_scenarios
from app.lab.uneven import UnevenConstants
from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.lab.noise import Noise
from app.systems.availability_groups.lab.scenario import availability_scenario_path, load_availability_scenario
from app.systems.oracle_streams.lab.durations import Durations
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_path
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan

GROUPS = load_availability_scenario(availability_scenario_path("ag-uneven"))
PIPELINE = load_scenario(scenario_path("streams-uneven"))
BURST = {"ag-uneven": ("burst_s = 60.0 ", "burst_s = 1.0 "), "streams-uneven": ("burst_s = 300.0 ", "burst_s = 30.0 ")}
QUIET = {
    "setting_spread": 0.0,
    "autocorrelation": 0.0,
    "outlier_probability": 0.0,
    "burst_probability": 0.0,
    "step_share": 0.0,
}


def uneven(given: UnevenConstants | None, **changed: float) -> UnevenConstants:
    """Return constants of which only the changed ones are not quiet."""
    assert given is not None
    return given.model_copy(update={**QUIET, **changed})


def group_noise(**changed: float) -> Noise:
    """Return noise of groups without scatter between sessions."""
    levels = {"uneven": uneven(GROUPS.noise.uneven, **changed), "session_cv": 0.0}
    return Noise(GROUPS.noise.model_copy(update=levels), 1, enabled=True)


def durations(settings: Sequence[str] = ("same",), **changed: float) -> Durations:
    """Return durations of a pipeline whose components have no noise of their own; settings take turns."""
    levels = {"uneven": uneven(PIPELINE.noise.uneven, **changed), "component_cv": 0.0}
    turns = iter(range(1_000_000))
    return Durations(
        PIPELINE.noise.model_copy(update=levels), EventQueue(), 1, True, lambda: settings[next(turns) % len(settings)]
    )


def test_what_is_written_one_after_the_other_with_one_setting_is_one_loop() -> None:
    """A trial's portions share a factor; the next setting has another, and so has the first one when it comes again."""
    noise = group_noise()
    factors = [noise.loop_factor(number, "Orders", setting) for number, setting in enumerate("aaabbaa")]
    assert factors[:3] == [factors[0]] * 3
    assert factors[3:5] == [factors[3]] * 2
    assert len({factors[0], factors[3], factors[5]}) == 3


def test_loops_copies_and_workloads_vary_as_the_file_says_and_follow_each_other() -> None:
    """4 and 5 % between equal ones; the correlation from one to the next is the scenario's."""
    noise, pipeline = group_noise(autocorrelation=0.5), durations(autocorrelation=0.5)
    series = (
        (0.04, [noise.loop_factor(number, "Orders", "ab"[number % 2]) for number in range(800)]),
        (0.05, [noise.copy_factor(number, "BACKUP", 0.0) for number in range(800)]),
        (0.04, [pipeline.factor(Durations.READER, workload) for workload in range(800)]),
    )
    for cv, factors in series:
        logs = np.log(factors)
        assert logs.std() == pytest.approx(cv, rel=0.2)
        assert np.corrcoef(logs[:-1], logs[1:])[0, 1] == pytest.approx(0.5, abs=0.12)


def test_settings_have_noise_of_their_own() -> None:
    """Of eight, one is at least twice as noisy as another."""
    names = [f"PARALLELISM={2**number}" for number in range(8)]
    pipeline = durations(names, setting_spread=0.5)
    noise = group_noise(setting_spread=0.5)
    drawn = [np.log([pipeline.factor(Durations.SERVER, workload) for workload in range(1_600)])[n::8] for n in range(8)]
    copied = [np.log([noise.copy_factor(number, name, 0.0) for number in range(200)]) for name in names]
    for series in (drawn, copied):
        spreads = [float(one.std()) for one in series]
        assert max(spreads) > 2 * min(spreads)


def test_components_of_a_pipeline_share_the_noise_of_their_workload() -> None:
    """Capture, propagation and apply work on one machine each, and something else slows the whole of it down."""
    pipeline = durations(outlier_probability=0.05)
    slow = [
        {pipeline.factor(part, workload) > 1.3 for part in (Durations.CAPTURE, Durations.SERVER)}
        for workload in range(600)
    ]
    assert all(len(one) == 1 for one in slow)
    assert fmean(True in one for one in slow) == pytest.approx(0.05, abs=0.03)


def test_bursts_and_a_step_slow_everything_down() -> None:
    """At the groups a minute in ten by 15 %, and by 5 % for good after ten minutes; so are copies that begin then."""
    bursts, step = group_noise(burst_probability=0.1), group_noise(step_share=0.05)
    factors = [round(bursts.slowness(60.0 * span + 1.0), 9) for span in range(1_000)]
    assert set(factors) == {1.0, 1.15}
    assert factors.count(1.15) == pytest.approx(100, abs=35)
    busy = bursts.busy_spans(0.0, 59_999.0)
    assert len(busy) == factors.count(1.15)
    assert bursts.copy_factor(7, "BACKUP", busy[0][0]) == pytest.approx(bursts.copy_factor(7, "BACKUP", 0.0) * 1.15)
    assert (step.slowness(599.0), step.slowness(600.0)) == (1.0, 1.05)


def test_a_quiet_lab_has_none_of_it() -> None:
    """With noise off every factor is 1 and nobody is busy."""
    noise = Noise(GROUPS.noise, 1, enabled=False)
    assert (noise.slowness(9_000.0), noise.loop_factor(1, "Orders", "a"), noise.copy_factor(1, "x", 9_000.0)) == (
        1,
    ) * 3
    assert noise.busy_spans(0.0, 1e6) == []
    pipeline = Durations(PIPELINE.noise, EventQueue(), 1, False, str)
    assert pipeline.factor(Durations.READER, 1) == 1.0
    assert pipeline.busy_spans(0.0, 1e6) == []


def test_the_same_seed_makes_the_same_loops() -> None:
    """Whatever is asked for in between."""
    taken = []
    for asks in (False, True):
        lab = AvailabilityLab(GROUPS, 3)
        if asks:
            lab.busy_spans(0.0, 5_000.0)
        taken.append([lab.run_inserts("LoadAsync", 200, rows).elapsed_s for rows in (10, 100, 10)])
    assert taken[0] == taken[1]
    assert taken[0][0] != taken[0][2]


@pytest.mark.parametrize(
    ("family_id", "scenario", "told"),
    [
        ("commit_mode", "ag-uneven", Happening(Work.LOG_BACKUP, "SQLNODE1", "LoadAsync")),
        ("streams_apply", "streams-uneven", Happening(Work.BACKUP, "SRC.EXAMPLE.COM")),
    ],
)
def test_what_makes_a_server_busy_stands_beside_the_trials_of_that_time(
    tmp_path: Path, family_id: str, scenario: str, told: Happening
) -> None:
    """A whole session at a site with many short bursts: some trials meet one, others none."""
    text = shipped_scenarios()[scenario].read_text(encoding="utf-8")
    often = tmp_path / "often.toml"
    often.write_text(text.replace("burst_probability = 0.1 ", "burst_probability = 0.2 ").replace(*BURST[scenario]))
    family = FAMILIES[family_id]
    plan = small_plan(family, blocks=6)
    if family_id == "commit_mode":
        plan = replace(plan, load=plan.load.but(settle_s=0.0))  # a trial that waits first outlasts many bursts
    run = run_on_lab(family, plan, scenario=often)
    assert run.end.status is RunStatus.SUCCEEDED
    met = [told in trial.happenings for trial in run.trials]
    assert any(met)
    assert not all(met)
