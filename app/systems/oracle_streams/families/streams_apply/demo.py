"""The runs of the demonstration: one large transaction, and many small ones."""

from app.domain.family import DemoRun
from app.domain.limits import usual_limits
from app.domain.load import Load
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting
from app.systems.oracle_streams.readings import STREAMS_LIMITS

# The published large transaction, whose changes are on the way for more than five minutes.
_LARGE_TRANSACTION_ROWS = 300_000
_SMALL_TRANSACTIONS_ROWS = 60_000


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return a spill threshold below and above one large transaction, and apply servers for many small ones."""
    design = Design(blocks=2, confirm_blocks=2, seed=seed)
    large: dict[str, PlanValue] = {
        "path": "",
        "operation": "update",
        "rows": _LARGE_TRANSACTION_ROWS,
        "rows_per_commit": _LARGE_TRANSACTION_ROWS,
        "trace_10046": "no",
        "confirm_hidden": "no",
    }
    small: dict[str, PlanValue] = {
        **large,
        "operation": "insert",
        "rows": _SMALL_TRANSACTIONS_ROWS,
        "rows_per_commit": 500,
    }
    # The baselines are what the lab has in effect: a recommendation is a change from there.
    runs = (
        ("TXN_LCR_SPILL_THRESHOLD", (100_000, 500_000), 100_000, large),
        ("PARALLELISM", (1, 2, 4, 8), 8, small),
    )
    return tuple(
        DemoRun(
            "lab:streams-2009",
            Plan(
                family="streams_apply",
                factors=(Factor(name, levels),),
                baseline=Setting.from_mapping({name: in_effect}),
                design=design,
                limits=usual_limits(STREAMS_LIMITS),
                load=Load.from_mapping(load),
            ),
        )
        for name, levels, in_effect, load in runs
    )
