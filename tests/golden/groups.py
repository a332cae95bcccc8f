"""What is seen of the simulated availability groups; `python -m tests.golden.groups` writes it anew.

Look at the difference before you keep it.
"""

import re
from collections import defaultdict
from pathlib import Path

from app.domain.events import TrialFinished
from app.domain.measurement import Sample, TrialResult
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.e2e.program import call

FOLDER = Path(__file__).parent / "groups"
LABS = ("ag-2014", "ag-2016", "ag-seeding", "ag-uneven")
TRIALS = {"commit_mode": "ag-2016", "seeding": "ag-seeding"}
_COSTS = re.compile(r' *"costs": \[[^]]*\],\n|What an experiment would take:\n(  .*\n)+')
NAMES = (
    *(f"{lab}-{what}.{kind}" for lab in LABS for what in ("discover", "observe") for kind in ("txt", "json")),
    *(f"{family}-trials.txt" for family in TRIALS),
)


def produce(name: str) -> str:
    """Return what the program says: of a lab that is looked at, or of the trials of a small run.

    What an experiment would take is left out: it changes with how time is estimated.
    """
    stem, _dot, kind = name.rpartition(".")
    subject, _dash, what = stem.rpartition("-")
    if what == "trials":
        return _trials(subject)
    ended = call(what, "--target", f"lab:{subject}", *(["--json"] if kind == "json" else []))
    assert (ended.code, ended.err) == (0, ""), ended
    return _COSTS.sub("", ended.out)


def _trials(family_id: str) -> str:
    """Return each curve and each measure of the trials of a small run, to nine digits."""
    family = FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family), scenario=TRIALS[family_id])
    trials = [event.trial for event in run.events if isinstance(event, TrialFinished)]
    return "\n".join(line for trial in trials for line in _trial_lines(trial)) + "\n"


def _trial_lines(trial: TrialResult) -> list[str]:
    curves: dict[str, list[Sample]] = defaultdict(list)
    for sample in trial.samples:
        curves[sample.stream].append(sample)
    return [
        f"{trial.trial_id} {dict(trial.setting)} {trial.status}",
        *(f"  {name}: {_curve(points)}" for name, points in sorted(curves.items())),
        *(f"  {m.metric} {dict(m.conditions)}: {m.value:.9g} {m.unit}" for m in trial.measurements),
    ]


def _curve(points: list[Sample]) -> str:
    values = [point.value for point in points]
    ends = f"{min(values):.9g} to {max(values):.9g} {points[0].unit}"
    return (
        f"{len(points)} points, {points[0].offset_s:.9g} to {points[-1].offset_s:.9g} s, {ends}, sum {sum(values):.9g}"
    )


def write() -> None:
    """Replace the expected files by what the program makes now."""
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        (FOLDER / name).write_text(produce(name), encoding="utf-8")


if __name__ == "__main__":
    write()
