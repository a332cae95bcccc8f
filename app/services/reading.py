"""Reading a target for the window: topology, parameters, and what each experiment family would need to know."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.errors import ReplituneError
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.ports import Capability
from app.domain.setting import Subject
from app.domain.statement import StatementRecord
from app.foundation.texts import _
from app.services.capabilities import capability_words
from app.services.discovering import Discovery, read_discovery
from app.services.dry_run import DryRun, make_dry_run
from app.services.guided_session import check_run
from app.services.ports import TargetOpener
from app.services.site import read_site


@dataclass(frozen=True)
class TargetReading:
    """What was read from a target, and what can be done there.

    Attributes:
        label: what a person calls the target.
        sites: by subject; one that is not there is missing.
        impossible: family id → one sentence why it cannot run here; families not named can.
    """

    discovery: Discovery
    label: str
    sites: tuple[tuple[Subject, Site], ...]
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
        discovery = read_discovery(opened)
        sites: dict[Subject, Site] = {}
        impossible: list[tuple[str, str]] = []
        for family_id, family in families.items():
            reason = _missing(family, opened.capabilities)
            if not reason and family.subject not in sites:
                try:
                    sites[family.subject] = read_site(opened, family.subject)
                except ReplituneError as error:
                    reason = str(error)
            if reason:
                impossible.append((family_id, reason))
        return TargetReading(discovery, opened.label, tuple(sites.items()), tuple(impossible))
    finally:
        opened.close()


def read_dry_run(plan: Plan, family: ExperimentFamily, target: str, open_target: TargetOpener, seed: int = 1) -> DryRun:
    """Read what a plan would do to a target; changes nothing. Checks that forbid the run are among its checks.

    Raises:
        BadInput, TargetError: the plan does not fit the target, or the target cannot be read.
    """
    opened = open_target(target, seed, _ignore_statement)
    try:
        return make_dry_run(check_run(plan, family, opened, target), opened)
    finally:
        opened.close()


def _missing(family: ExperimentFamily, capabilities: frozenset[Capability]) -> str:
    missing = sorted(capability_words(need) for need in family.needs - capabilities)
    return _("needs {missing}, which this target does not offer").format(missing=", ".join(missing)) if missing else ""


def _ignore_statement(_record: StatementRecord) -> None:
    """Reading before a session begins is not part of a session's statement log."""
