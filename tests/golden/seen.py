"""What is seen of simulated systems; `python -m tests.golden.seen` writes it anew.

Look at the difference before you keep it.
"""

import re
import tempfile
from collections import defaultdict
from pathlib import Path

from app.domain.events import TrialFinished
from app.domain.measurement import Sample, TrialResult
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.e2e.program import call

ROOT = Path(__file__).parent
LABS = {
    "agents": ("busy-day", "lan", "on-site", "wan-512k"),
    "groups": ("ag-2014", "ag-2016", "ag-seeding", "ag-uneven", "on-site-group"),
    "streams": ("streams-12c", "streams-2009", "streams-small-pool", "streams-uneven"),
}
TRIALS = {
    "agents": {"distribution_agent": "lan-uneven", "log_reader": "lan", "wan_delivery": "wan-512k"},
    "groups": {"commit_mode": "ag-2016", "seeding": "ag-seeding"},
    "streams": {"streams_apply": "streams-2009"},
}
PLAN = """
family = "streams_apply"
baseline.TXN_LCR_SPILL_THRESHOLD = 100000
factors.TXN_LCR_SPILL_THRESHOLD = [100000, 1000]
workload = {operation = "insert", rows = 8000, rows_per_commit = 8000}
design = {blocks = 2, confirm_blocks = 0, seed = 1}
"""
_COSTS = re.compile(r' *"costs": \[[^]]*\],\n|What an experiment costs:\n(  .*\n)+')
_CHANGES = re.compile(r"Steps of each trial:\n.*?(?=\n-- \w+ \((?:reads|changes))", re.DOTALL)
_OF_THIS_RUN = re.compile(r"/\S+/|(?<=-- Session ).*")
NAMES = (
    *(
        f"{folder}/{lab}-{what}.{kind}"
        for folder, labs in LABS.items()
        for lab in labs
        for what in ("discover", "observe")
        for kind in ("txt", "json")
    ),
    *(f"{folder}/{family}-trials.txt" for folder, trials in TRIALS.items() for family in trials),
    "streams/streams-2009-changes.txt",
    "streams/streams-2009-advice.txt",
)


def produce(name: str) -> str:
    """Return what the program says: of a lab that is looked at, of the trials of a small run, or of a plan.

    What an experiment costs is left out: it changes with how time is estimated.
    """
    folder, _slash, file = name.partition("/")
    stem, _dot, kind = file.rpartition(".")
    subject, _dash, what = stem.rpartition("-")
    if what == "trials":
        return _trials(subject, TRIALS[folder][subject])
    if what in ("changes", "advice"):
        with tempfile.TemporaryDirectory() as work:
            return _planned(Path(work), subject, what)
    ended = call(what, "--target", f"lab:{subject}", *(["--json"] if kind == "json" else []))
    assert (ended.code, ended.err) == (0, ""), ended
    return _COSTS.sub("", ended.out)


def _planned(work: Path, lab: str, what: str) -> str:
    """Return what a plan would change, or what its run advises with the scripts for it."""
    plan, out = work / "plan.toml", work / "out"
    plan.write_text(PLAN, "utf-8")
    if what == "changes":
        told = _CHANGES.search(call("run", plan, "--target", f"lab:{lab}", "--dry-run").out)
        assert told is not None
        return told.group()
    told_at_end = call("run", plan, "--target", f"lab:{lab}", "--out", out).out
    texts = [told_at_end, *(path.read_text("utf-8") for path in sorted(out.glob("*.sql")))]
    return "\n".join(_OF_THIS_RUN.sub("…", text) for text in texts)


def _trials(family_id: str, lab: str) -> str:
    """Return each curve and each measure of the trials of a small run, to nine digits."""
    family = FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family), scenario=lab)
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
    for name in NAMES:
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_text(produce(name), encoding="utf-8")


if __name__ == "__main__":
    write()
