"""Plans to begin with: the family's own, and on the lab one that is over in moments."""

from dataclasses import dataclass, replace
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.load import Load
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.domain.system import rig_of
from app.foundation.texts import _
from app.services.plan.plan_ways import ways_of_stopping
from app.services.target.target_spec import is_lab

QUICK: Final = "quick"
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
    usual = _stopped_as_recommended(usual, family, site)
    recommended = Preset("recommended", _("&Recommended"), _recommended_help(family), usual)
    if not is_lab(target):
        return (recommended,)
    quick = Preset(
        QUICK,
        _("&Quick look"),
        _("A small workload, at most three values, few blocks: the whole way, with rougher numbers."),
        _quick(usual, family, site),
    )
    return recommended, quick


def about_chosen(preset: Preset, chosen: Plan | None) -> Plan:
    """Return a preset's plan about the parameters and the subject that are chosen already: it replaces neither."""
    if chosen is None:
        return preset.plan
    names = [factor.name for factor in preset.plan.factors]
    factors = preset.plan.factors
    if names != [factor.name for factor in chosen.factors]:
        factors = chosen.factors if preset.preset_id != QUICK else tuple(map(_few_levels, chosen.factors))
    left_open = {name: value for name, value in chosen.load.items() if preset.plan.load.get(name) is None}
    return replace(preset.plan, factors=factors, load=preset.plan.load.but(**left_open))


def _stopped_as_recommended(plan: Plan, family: ExperimentFamily, site: Site | None) -> Plan:
    """Return the plan with the way of stopping that is recommended below the form."""
    ways = ways_of_stopping(replace(plan, baseline=family.default_plan().baseline), family, site)
    stop = next((way.stop for way in ways if way.is_recommended), plan.design.stop)
    return replace(plan, design=replace(plan.design, stop=stop))


def _few_levels(factor: Factor) -> Factor:
    levels = factor.levels
    return replace(factor, levels=tuple(dict.fromkeys((levels[0], levels[len(levels) // 2], levels[-1]))))


def _recommended_help(family: ExperimentFamily) -> str:
    if family.compares_all:
        return _("The values and the workload of the published study, three blocks.")
    return _("The values and the workload of the published study, three blocks to explore and three to confirm.")


def _quick(plan: Plan, family: ExperimentFamily, site: Site | None) -> Plan:
    """Return a plan with a small load, at most three levels of each factor and two blocks."""
    factors = tuple(map(_few_levels, plan.factors))
    confirm = plan.design.confirm_blocks if family.compares_all else _QUICK_BLOCKS
    quick = replace(plan, factors=factors, design=Design(blocks=_QUICK_BLOCKS, confirm_blocks=confirm))
    small = Load.from_mapping({**plan.load, **{f.name: f.quick for f in family.load_fields if f.quick is not None}})
    quick = replace(quick, load=small)
    return quick if site is None else rig_of(family).reachable(quick, site, _QUICK_DELIVERY_S)
