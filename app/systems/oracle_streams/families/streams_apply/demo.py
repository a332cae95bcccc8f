"""What the demonstration runs: one large transaction, and many small ones."""

from app.domain.family import DemoRun
from app.domain.load import Load, LoadValue
from app.domain.plan import Design, Factor, Limits, Plan
from app.domain.setting import Setting

# The published large transaction, whose changes are on the way for more than five minutes.
_LARGE_TRANSACTION_ROWS = 300_000
_SMALL_TRANSACTIONS_ROWS = 60_000


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return a spill threshold below and above one large transaction, and apply servers for many small ones."""
    design = Design(blocks=2, confirm_blocks=2, seed=seed)
    large: dict[str, LoadValue] = {
        "path": "",
        "operation": "update",
        "rows": _LARGE_TRANSACTION_ROWS,
        "rows_per_commit": _LARGE_TRANSACTION_ROWS,
        "trace_10046": "no",
        "confirm_hidden": "no",
    }
    small: dict[str, LoadValue] = {
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
                limits=Limits(streams_pool_share=0.95, log_used_share=None, free_disk_gb=None),
                load=Load.from_mapping(load),
            ),
        )
        for name, levels, in_effect, load in runs
    )
