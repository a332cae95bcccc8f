"""Reading a target for the window: topology, parameters, and the site of each experiment family."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.errors import ReplituneError
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import TrialResult
from app.domain.plan import Plan
from app.domain.statement import StatementRecord
from app.domain.system import missing_needs, site_key, systems_of
from app.domain.target import Target
from app.foundation.texts import _
from app.services.look.discovering import Discovery, read_discovery
from app.services.plan.checking import check_run
from app.services.plan.completing import read_site
from app.services.plan.dry_run import DryRun, make_dry_run
from app.services.ports import TargetOpener


@dataclass(frozen=True)
class TargetReading:
    """A target's readings, and the experiments possible there.

    Attributes:
        label: what a person calls the target.
        sites: by (system, subject); one that is not there is missing.
        impossible: family id → one sentence why it cannot run here; families not named can.
    """

    discovery: Discovery
    label: str
    sites: tuple[tuple[tuple[str, str], Site], ...]
    impossible: tuple[tuple[str, str], ...]


def read_target(
    target: str, families: Mapping[str, ExperimentFamily], open_target: TargetOpener, seed: int = 1
) -> TargetReading:
    """Read a target; changes nothing.

    Raises:
        BadInput, TargetError: it cannot be reached or read.
    """
    opened = open_target(target, seed, _ignore_statement)
    try:
        discovery = read_discovery(opened, {system.system_id: system for system in systems_of(families)})
        sites: dict[tuple[str, str], Site] = {}
        impossible: list[tuple[str, str]] = []
        for family_id, family in families.items():
            reason = why_missing(family, opened)
            key = site_key(family)
            if not reason and key not in sites:
                try:
                    sites[key] = read_site(opened, family)
                except ReplituneError as error:
                    reason = str(error)
            if reason:
                impossible.append((family_id, reason))
        return TargetReading(discovery, opened.label, tuple(sites.items()), tuple(impossible))
    finally:
        opened.close()


def read_dry_run(
    plan: Plan,
    family: ExperimentFamily,
    target: str,
    open_target: TargetOpener,
    seed: int = 1,
    *,
    kept: Sequence[TrialResult] = (),
    least_confirm_blocks: int = 0,
) -> DryRun:
    """Read a plan's dry run on a target; changes nothing. Checks that forbid the run are among its checks.

    Args:
        kept, least_confirm_blocks: of a run that goes on, as `make_dry_run` takes them.

    Raises:
        BadInput, TargetError: the plan does not fit the target, or the target cannot be read.
    """
    opened = open_target(target, seed, _ignore_statement)
    try:
        return make_dry_run(check_run(plan, family, opened, target, kept=kept), opened, kept, least_confirm_blocks)
    finally:
        opened.close()


def why_missing(family: ExperimentFamily, target: Target) -> str:
    """Return the capabilities a family needs and a target lacks, as one sentence, "" where it has them all."""
    missing = ", ".join(missing_needs(family, target))
    return _("needs {missing}, which this target does not offer").format(missing=missing) if missing else ""


def _ignore_statement(_record: StatementRecord) -> None:
    """Reading before a session begins is not part of a session's statement log."""
