"""Plans on a client's own work of any family, and sites that have some."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from app.domain.family import ExperimentFamily
from app.domain.plan import Design, Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Setting, Value
from app.domain.work_source import SOURCE, WorkSource
from app.lab.scenario_file import shipped_scenarios
from app.systems.availability_groups.subjects import COMMIT
from app.systems.change_data_capture.subjects import CAPTURE
from app.systems.oracle_streams.subjects import STREAMS
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab
from tests.writers import full_log, incident, streams_incident

ALLOWED_AGE_S: Final = 300.0
CAUGHT_UP: Final = {"publication": "Webshop_Stock", "database": "Webshop"}
_LEVELS: Final[Mapping[str, tuple[str, tuple[Value, ...]]]] = {
    "log_reader": ("ReadBatchSize", (500, 5_000)),
    "streams_apply": ("PARALLELISM", (1, 4)),
    "cdc_capture": ("maxtrans", (500, 2_000)),
    "commit_mode": ("availability_mode", ("async", "sync")),
}


def sources_of(family: ExperimentFamily) -> tuple[WorkSource, ...]:
    """Return the sources of a client's own work that a family's plans may name."""
    named = (WorkSource(choice) for field in family.load_fields if field.name == SOURCE for choice in field.choices)
    return tuple(source for source in named if source.is_own_work)


OWN_WORK: Final = tuple((name, source) for name, family in FAMILIES.items() for source in sources_of(family))
"""Each family that knows the client's own work, with each of its sources."""


def site_of(family: ExperimentFamily, folder: Path, source: WorkSource) -> Path:
    """Return a site on which the client's applications write, and something waits where a source says so."""
    if family.subject == STREAMS and source is not WorkSource.OWN_BACKLOG:
        return streams_incident(folder, outage_h=0.01)
    if family.subject == COMMIT:
        return shipped_scenarios()["ag-busy"]
    if family.subject == CAPTURE:
        return shipped_scenarios()["capture-traffic" if source is WorkSource.OWN_TRAFFIC else "capture"]
    made: Mapping[str, Callable[[Path], Path]] = {"log_reader": full_log}
    usual = streams_incident if family.subject == STREAMS else incident
    return made.get(family.family_id, usual)(folder)


def own_plan(family: ExperimentFamily, source: WorkSource) -> Plan:
    """Return a baseline against another level, on the client's own work."""
    plan = family.default_plan()
    name, levels = _LEVELS.get(family.family_id, (plan.factors[0].name, (1, 8)))
    is_agents = family.system.system_id == REPLICATION
    names: Mapping[str, PlanValue] = CAUGHT_UP if is_agents and source is not WorkSource.OWN_BACKLOG else {}
    return replace(
        plan,
        factors=(Factor(name, levels),),
        baseline=Setting.from_mapping({name: levels[0]}),
        load=plan.load.but(source=str(source), **names),
        limits=plan.limits.but(data_age_s=ALLOWED_AGE_S if source is WorkSource.HELD else None),
        design=Design(blocks=2, confirm_blocks=0, further_blocks=0 if family.compares_all else 3, settling_trials=0),
    )


def run_own(family_id: str, source: WorkSource, scenario: Path, **how: object) -> LabRun:
    """Run that plan on a site."""
    family = FAMILIES[family_id]
    return run_on_lab(family, own_plan(family, source), scenario=scenario, **how)  # type: ignore[arg-type]  # callers name what it takes
