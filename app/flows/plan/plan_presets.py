"""Plans to begin with: the family's own, and on the lab one that is over in moments."""

from dataclasses import dataclass, replace
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.load import Load, LoadValue
from app.domain.plan import Design, Plan
from app.domain.setting import Setting, Subject
from app.flows.plan.plan_site import fitted
from app.foundation.texts import _
from app.services.plan.plan_outlook import commands_delivered_in
from app.services.target.target_spec import is_lab

# A tenth of the family's backlog: the mechanisms show, the numbers are rougher.
_QUICK_SHARE = 10
_QUICK_BLOCKS = 2
# So that a trial over a distant link stays far from the limit that would end it.
_QUICK_DELIVERY_S = 1_800.0
# About a tenth of the published loads; a transaction of 60,000 rows is still larger than the usual spill threshold.
_SMALL_LOADS: Final[dict[Subject, dict[str, LoadValue]]] = {
    Subject.COMMIT: {"inserts": (1, 100, 10_000), "rows_total": 100_000},
    Subject.SEEDING: {"database_mb": 1_000},
    Subject.STREAMS: {"rows": 60_000, "rows_per_commit": 60_000},
}


@dataclass(frozen=True)
class Preset:
    """One plan to begin with; it names no baseline, which is then the value in effect."""

    preset_id: str
    label: str
    help: str
    plan: Plan


def presets(family: ExperimentFamily, target: str, site: Site | None) -> tuple[Preset, ...]:
    """Return the plans a person can begin with on a target, the recommended one first.

    Args:
        site: what was read there; over a distant link the quick look is smaller still.
    """
    usual = fitted(replace(family.default_plan(), baseline=Setting()), family, site)
    recommended = Preset("recommended", _("&Recommended"), _recommended_help(family), usual)
    if not is_lab(target):
        return (recommended,)
    quick = Preset(
        "quick",
        _("&Quick look"),
        _("A small load, at most three levels and few blocks: shows the whole journey, rougher numbers."),
        _quick(usual, family, site),
    )
    return recommended, quick


def _recommended_help(family: ExperimentFamily) -> str:
    if family.compares_all:
        return _("The levels and the load of the published study, three blocks.")
    return _("The levels and the workload of the published study, three blocks to explore and three to confirm.")


def _quick(plan: Plan, family: ExperimentFamily, site: Site | None) -> Plan:
    """Return a plan with a small load, at most three levels of each factor and two blocks."""
    factors = tuple(
        replace(f, levels=tuple(dict.fromkeys((f.levels[0], f.levels[len(f.levels) // 2], f.levels[-1]))))
        for f in plan.factors
    )
    confirm = plan.design.confirm_blocks if family.compares_all else _QUICK_BLOCKS
    quick = replace(plan, factors=factors, design=Design(blocks=_QUICK_BLOCKS, confirm_blocks=confirm))
    if family.load_fields:
        small = {name: value for name, value in _SMALL_LOADS.get(family.subject, {}).items() if name in plan.load}
        return replace(quick, load=Load.from_mapping({**plan.load, **small}))
    commands = min(plan.workload.commands / _QUICK_SHARE, commands_delivered_in(_QUICK_DELIVERY_S, site))
    return replace(quick, workload=replace(plan.workload, commands=max(1_000, int(commands))))
