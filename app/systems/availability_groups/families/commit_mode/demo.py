"""The runs of the demonstration: both versions of the published study."""

from app.domain.family import DemoRun
from app.domain.limits import usual_limits
from app.domain.load import Load
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting, Value
from app.systems.availability_groups.readings import COMMIT_LIMITS

# The ends and the middle of the published shapes, each of a million rows; of single inserts a few seconds are enough.
_SHAPES = (1, 100, 10_000, 1_000_000)
_SHAPE_BUDGET_S = 8.0


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return both versions of the published study, each with its two groups side by side."""
    load: dict[str, PlanValue] = {
        "group": "AG_ASYNC",
        "database": "LoadAsync",
        "secondary": "",
        "sync_database": "LoadSync",
        "standalone_database": "LoadAlone",
        "inserts": _SHAPES,
        "rows_total": 1_000_000,
        "loops": 1,
        "budget_s": _SHAPE_BUDGET_S,
        "settle_s": 10.0,
    }
    modes = Factor("availability_mode", ("standalone", "async", "sync"))
    compression = Factor("log_stream_compression", ("default", "on"))
    arms = (("lab:ag-2014", (modes,)), ("lab:ag-2016", (modes, compression)))
    baseline: dict[str, Value] = {"availability_mode": "async", "log_stream_compression": "default"}
    return tuple(
        DemoRun(
            target,
            Plan(
                family="commit_mode",
                factors=factors,
                baseline=Setting.from_mapping({factor.name: baseline[factor.name] for factor in factors}),
                design=Design(confirm_blocks=0, further_blocks=0, seed=seed),
                limits=usual_limits(COMMIT_LIMITS),
                load=Load.from_mapping(load),
            ),
        )
        for target, factors in arms
    )
