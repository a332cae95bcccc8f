"""Plans to begin with: the family's own, and on the lab one that is over in moments."""

from dataclasses import dataclass, replace

from app.domain.family import ExperimentFamily, Site
from app.domain.load import Load
from app.domain.plan import Design, Plan
from app.domain.setting import Setting
from app.domain.system import rig_of
from app.foundation.texts import _
from app.services.target.target_spec import is_lab

_QUICK_BLOCKS = 2
# So that a trial over a distant link stays far from the limit that would end it.
_QUICK_DELIVERY_S = 1_800.0


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
    usual = replace(family.default_plan(), baseline=Setting())
    if site is not None:
        usual = rig_of(family).fitted(usual, site)
    recommended = Preset("recommended", _("&Recommended"), _recommended_help(family), usual)
    if not is_lab(target):
        return (recommended,)
    quick = Preset(
        "quick",
        _("&Quick look"),
        _("A small workload, at most three values and few blocks: shows the whole journey with rougher numbers."),
        _quick(usual, family, site),
    )
    return recommended, quick


def _recommended_help(family: ExperimentFamily) -> str:
    if family.compares_all:
        return _("The values and the workload of the published study, three blocks.")
    return _("The values and the workload of the published study, three blocks to explore and three to confirm.")


def _quick(plan: Plan, family: ExperimentFamily, site: Site | None) -> Plan:
    """Return a plan with a small load, at most three levels of each factor and two blocks."""
    factors = tuple(
        replace(f, levels=tuple(dict.fromkeys((f.levels[0], f.levels[len(f.levels) // 2], f.levels[-1]))))
        for f in plan.factors
    )
    confirm = plan.design.confirm_blocks if family.compares_all else _QUICK_BLOCKS
    quick = replace(plan, factors=factors, design=Design(blocks=_QUICK_BLOCKS, confirm_blocks=confirm))
    small = Load.from_mapping({**plan.load, **{f.name: f.quick for f in family.load_fields if f.quick is not None}})
    quick = replace(quick, load=small)
    return quick if site is None else rig_of(family).reachable(quick, site, _QUICK_DELIVERY_S)
