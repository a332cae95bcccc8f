"""The demonstration: which plans run on which lab scenarios, small enough for half a minute."""

from dataclasses import dataclass

from app.domain.load import Load, LoadValue
from app.domain.plan import Design, Factor, Limits, Plan, Stop, WorkloadSpec
from app.domain.setting import Setting, Value

# As large as the backlog of the published study.
_BACKLOG_COMMANDS = 1_000_000
_WAN_BACKLOG_COMMANDS = 6_000
# The ends and the middle of the published shapes, each of a million rows; of single inserts a few seconds are enough.
_SHAPES = (1, 100, 10_000, 1_000_000)
_SHAPE_BUDGET_S = 8.0
# The published large transaction, whose changes are on the way for more than five minutes.
_LARGE_TRANSACTION_ROWS = 300_000
_SMALL_TRANSACTIONS_ROWS = 60_000
# Each method of seeding runs for a minute or more.
_SEEDED_MB = 20_000


@dataclass(frozen=True)
class DemoRun:
    """One plan with the target it runs on."""

    target: str
    plan: Plan


def demo_runs(families: tuple[str, ...], seed: int) -> tuple[DemoRun, ...]:
    """Return the runs of the demonstration for the given families, in the order of the pipeline."""
    made = (
        *_log_reader(seed),
        *_distribution_agent(seed),
        *_wan_delivery(seed),
        *_commit_mode(seed),
        *_seeding(seed),
        *_streams_apply(seed),
    )
    return tuple(run for run in made if run.plan.family in families)


def _plan(family: str, factor: str, levels: tuple[int, ...], default: int, work: WorkloadSpec, design: Design) -> Plan:
    return Plan(family, (Factor(factor, levels),), Setting.from_mapping({factor: default}), work, design)


def _log_reader(seed: int) -> tuple[DemoRun, ...]:
    work = WorkloadSpec(commands=_BACKLOG_COMMANDS)
    levels = (500, 1_000, 2_500, 5_000, 10_000)
    return (DemoRun("lab", _plan("log_reader", "ReadBatchSize", levels, 500, work, Design(seed=seed))),)


def _distribution_agent(seed: int) -> tuple[DemoRun, ...]:
    work = WorkloadSpec(commands=_BACKLOG_COMMANDS)
    race = Design(stop=Stop.RACE, blocks=4, seed=seed)
    streams, commits = (1, 2, 4, 8, 16), (100, 200, 500, 1_000)
    return (
        DemoRun("lab", _plan("distribution_agent", "SubscriptionStreams", streams, 1, work, race)),
        DemoRun("lab", _plan("distribution_agent", "CommitBatchSize", commits, 100, work, Design(seed=seed))),
    )


def _wan_delivery(seed: int) -> tuple[DemoRun, ...]:
    work = WorkloadSpec(commands_per_transaction=(5, 10), commands=_WAN_BACKLOG_COMMANDS)
    streams = (1, 8, 16)
    return tuple(
        DemoRun(target, _plan("wan_delivery", "SubscriptionStreams", streams, 1, work, Design(seed=seed)))
        for target in ("lab:wan-512k", "lab:wan-128k")
    )


def _commit_mode(seed: int) -> tuple[DemoRun, ...]:
    """Return both versions of the published study, each with its two groups side by side."""
    load: dict[str, LoadValue] = {
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
                design=Design(confirm_blocks=0, seed=seed),
                load=Load.from_mapping(load),
            ),
        )
        for target, factors in arms
    )


def _seeding(seed: int) -> tuple[DemoRun, ...]:
    """Return the three methods of the published test, over a test database of a fifth of its size."""
    load: dict[str, LoadValue] = {
        "group": "AG_ARCHIVE",
        "secondary": "",
        "database": "",
        "database_mb": _SEEDED_MB,
        "compressible_share": 1.0,
        "backup_folder": r"\\SQLNODE2\seeding",
        "settle_s": 10.0,
        "watch_s": 60.0,
        "link_mbps": 10_000.0,
    }
    methods = Factor("seeding_method", ("backup_restore", "direct", "direct_compressed"))
    plan = Plan(
        family="seeding",
        factors=(methods,),
        baseline=Setting.of(seeding_method="backup_restore"),
        design=Design(confirm_blocks=0, seed=seed),
        load=Load.from_mapping(load),
    )
    return (DemoRun("lab:ag-seeding", plan),)


def _streams_apply(seed: int) -> tuple[DemoRun, ...]:
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
