"""The list of the page that asks which servers to measure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.system import System, in_order, system_simulated
from app.flows.shell.wizard import Choices, choose_target, keep_reading
from app.flows.system_views import views_of
from app.foundation.texts import _
from app.services.look.reading import TargetReading
from app.services.target.target_spec import LAB, host_of, is_lab
from app.services.target.targets_catalogue import LabScenario


class TargetGroup(StrEnum):
    """Where a listed target comes from."""

    SAVED = "saved"
    RECENT = "recent"
    OTHER = "other"
    LAB = "lab"
    MORE_LABS = "more labs"


@dataclass(frozen=True)
class ListedTarget:
    """One target to choose.

    Attributes:
        target: as accepted by `--target`.
        title: what it is called.
        detail: one line on what it is.
        shows: what can be learned of it, "" where nobody said.
        can_be_removed: it is listed because it was saved.
        can_be_forgotten: it is listed because it was connected to before.
    """

    target: str
    group: TargetGroup
    title: str
    detail: str
    shows: str = ""

    @property
    def can_be_removed(self) -> bool:
        """Whether a person saved it."""
        return self.group is TargetGroup.SAVED

    @property
    def can_be_forgotten(self) -> bool:
        """Whether nobody saved it, and it is listed all the same."""
        return self.group is TargetGroup.RECENT

    @property
    def key(self) -> str:
        """Unique among those listed: a target may be saved under two names."""
        return f"{self.group}/{self.title}/{self.target}"


def group_title(group: TargetGroup) -> str:
    """Return the heading of a group."""
    return {
        TargetGroup.SAVED: _("Saved targets"),
        TargetGroup.LAB: _("Lab, simulated on this computer"),
        TargetGroup.MORE_LABS: _("More labs …"),
        TargetGroup.OTHER: _("In use, not saved"),
        TargetGroup.RECENT: _("Recent, not saved"),
    }[group]


def listed_targets(
    saved: tuple[tuple[str, str], ...],
    scenarios: tuple[LabScenario, ...],
    systems: Mapping[str, System],
    in_use: str = "",
    recent: tuple[str, ...] = (),
) -> tuple[ListedTarget, ...]:
    """Return every target to choose from, saved ones first, the lab last; the one in use is always among them.

    Args:
        recent: servers connected to before, newest first; those nobody saved are listed behind the saved ones.
    """
    kept = tuple(ListedTarget(target, TargetGroup.SAVED, name, target) for name, target in saved)
    names = {target for _name, target in saved}
    kept += tuple(
        ListedTarget(target, TargetGroup.RECENT, host_of(target), target)
        for target in recent
        if target not in names and not is_lab(target)
    )
    first = {*(scenario.target for scenario in scenarios[:1]), *_first_labs(systems)}
    simulating = ((s, system_simulated(systems.values(), s.kind)) for s in scenarios)
    listed = tuple(
        _listed_lab(s, system, TargetGroup.LAB if s.target in first else TargetGroup.MORE_LABS)
        for s, system in simulating
        if system is not None or not s.content  # what a missing system would simulate cannot be opened
    )
    shipped = tuple(sorted(listed, key=lambda entry: entry.group is TargetGroup.MORE_LABS))
    if not in_use or find_listed((*kept, *shipped), in_use) is not None:
        return (*kept, *shipped)
    return (*kept, ListedTarget(in_use, TargetGroup.OTHER, in_use, in_use), *shipped)


def _listed_lab(scenario: LabScenario, system: System | None, group: TargetGroup) -> ListedTarget:
    title = _(scenario.title) if scenario.title else scenario.name
    shows = _(scenario.shows) if scenario.shows else ""
    return ListedTarget(scenario.target, group, title, _describe(scenario, system), shows)


def _first_labs(systems: Mapping[str, System]) -> frozenset[str]:
    """Return the targets of the labs listed first beside the one to begin with: the default one of each system."""
    return frozenset({LAB, *(f"{LAB}:{system.lab.default_scenario}" for system in in_order(systems.values()))})


def _describe(scenario: LabScenario, system: System | None) -> str:
    words = () if system is None else views_of(system).scenario_words(scenario.content)
    return ", ".join((scenario.target, *words))


def find_listed(listed: tuple[ListedTarget, ...], target: str, key: str = "") -> ListedTarget | None:
    """Return the entry of a target, the one of a key where several have it; None where it is not listed."""
    of_target = [entry for entry in listed if entry.target == target]
    return next((entry for entry in of_target if entry.key == key), of_target[0] if of_target else None)


def choose_listed(entered: Choices, current: Choices, target: str) -> Choices:
    """Return the choices with a target; going back to the one the page was entered with brings everything back.

    Moving through the list must not cost what was read and planned.
    """
    return entered if target == entered.target else choose_target(current, target)


def keep_test(current: Choices, target: str, reading: TargetReading) -> Choices:
    """Return the choices with a test's reading; unchanged where it is of another target, or read already."""
    if current.target != target or current.discovery is not None:
        return current
    return keep_reading(current, reading.discovery, reading.sites, reading.impossible)
