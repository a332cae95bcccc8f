"""The runs of the demonstration: the three methods of the published test."""

from app.domain.family import DemoRun
from app.domain.limits import usual_limits
from app.domain.load import Load
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting
from app.systems.availability_groups.readings import SEEDING_LIMITS

# Each method of seeding runs for a minute or more.
_SEEDED_MB = 20_000


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return the three methods of the published test, over a test database of a fifth of its size."""
    load: dict[str, PlanValue] = {
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
        design=Design(confirm_blocks=0, further_blocks=0, seed=seed),
        limits=usual_limits(SEEDING_LIMITS),
        load=Load.from_mapping(load),
    )
    return (DemoRun("lab:ag-seeding", plan),)
