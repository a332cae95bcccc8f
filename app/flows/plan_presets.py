"""Plans to begin with: the family's own, and on the lab one that is over in moments."""

from dataclasses import dataclass, replace

from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Design, Plan
from app.domain.setting import Setting
from app.foundation.texts import _
from app.services.plan_outlook import commands_delivered_in
from app.services.target_spec import is_lab

# A tenth of the family's backlog: the mechanisms show, the numbers are rougher.
_QUICK_SHARE = 10
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
    recommended = Preset(
        "recommended",
        _("&Recommended"),
        _("The levels and the workload of the published study, three blocks to explore and three to confirm."),
        usual,
    )
    if not is_lab(target):
        return (recommended,)
    quick = Preset(
        "quick",
        _("&Quick look"),
        _("A small backlog, three levels and few blocks: shows the whole journey, rougher numbers."),
        _quick(usual, site),
    )
    return recommended, quick


def _quick(plan: Plan, site: Site | None) -> Plan:
    """Return a plan with a small backlog, at most three levels of each factor and two blocks."""
    factors = tuple(
        replace(f, levels=tuple(dict.fromkeys((f.levels[0], f.levels[len(f.levels) // 2], f.levels[-1]))))
        for f in plan.factors
    )
    commands = min(plan.workload.commands / _QUICK_SHARE, commands_delivered_in(_QUICK_DELIVERY_S, site))
    work = replace(plan.workload, commands=max(1_000, int(commands)))
    return replace(
        plan, factors=factors, workload=work, design=Design(blocks=_QUICK_BLOCKS, confirm_blocks=_QUICK_BLOCKS)
    )
