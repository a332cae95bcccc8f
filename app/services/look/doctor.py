"""What works on this computer, and what a login may do on a target: looked at before anything is planned."""

import importlib.metadata
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.domain.errors import ReplituneError
from app.domain.family import ExperimentFamily
from app.domain.installed import Part
from app.domain.rights import LoginRights, Mode, Right, Use
from app.domain.statement import StatementRecord
from app.domain.system import system_of, systems_of
from app.domain.target import Target
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.services.look.discovering import Discovery, read_discovery
from app.services.look.reading import why_missing
from app.services.plan.completing import read_site
from app.services.plan.modes import why_not_guided
from app.services.ports import TargetOpener

_LIBRARIES = ("PySide6_Essentials", "pyqtgraph", "numpy", "scipy", "typst")


@dataclass(frozen=True)
class Health:
    """This computer.

    Attributes:
        families, targets: ids of the experiment families and of the engines found.
        rules: rule packs and rules, (pack, number of rules).
        parts: drivers, libraries and the keyring.
        open_changes: changes of earlier runs that are not put back.
    """

    version: str
    python: str
    system: str
    families: tuple[str, ...]
    targets: tuple[str, ...]
    rules: tuple[tuple[str, int], ...]
    parts: tuple[Part, ...]
    open_changes: int


@dataclass(frozen=True)
class Readiness:
    """One experiment on one target.

    Attributes:
        impossible: why the site itself does not allow it, "" where it does.
        modes: the ways to work that are possible there, and this login has the rights for.
        missing: what hands-on work lacks.
        not_guided: why no DBA could make the changes, "" where one could.
    """

    family: str
    title: str
    impossible: str
    modes: tuple[Mode, ...]
    missing: tuple[Right, ...]
    not_guided: str = ""


@dataclass(frozen=True)
class TargetHealth:
    """One target as this login sees it."""

    target: str
    discovery: Discovery
    rights: LoginRights
    experiments: tuple[Readiness, ...]

    @property
    def grants(self) -> tuple[Right, ...]:
        """Every right that is missing for hands-on work, each once, by server."""
        missing = [right for experiment in self.experiments for right in experiment.missing]
        return tuple(sorted(dict.fromkeys(missing), key=lambda right: (right.server, right.title)))


def libraries() -> tuple[Part, ...]:
    """Return the libraries the program stands on, with their versions."""
    return tuple(Part(name, "library", name, importlib.metadata.version(name), is_there=True) for name in _LIBRARIES)


def computer_health(
    families: Sequence[str],
    targets: Sequence[str],
    rules: Sequence[tuple[str, int]],
    parts: Sequence[Part],
    open_changes: int,
) -> Health:
    """Return what this computer has."""
    return Health(
        version=VERSION,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        families=tuple(sorted(families)),
        targets=tuple(sorted(targets)),
        rules=tuple(sorted(rules)),
        parts=tuple(parts),
        open_changes=open_changes,
    )


def target_health(target: str, families: Mapping[str, ExperimentFamily], open_target: TargetOpener) -> TargetHealth:
    """Return what this login may do on a target; reads only.

    Raises:
        BadInput, TargetError: it cannot be reached, or nothing of it can be read.
    """
    opened = open_target(target, 1, _ignore_statement)
    try:
        discovery = read_discovery(opened, {system.system_id: system for system in systems_of(families)})
        read = {system.system_id: system.read_rights(opened, site) for system, site in discovery.by_system}
        nothing = LoginRights("", ())
        experiments = tuple(
            _readiness(family, opened, read.get(system_of(family).system_id, nothing)) for family in families.values()
        )
        return TargetHealth(opened.key, discovery, _together(read.values()), experiments)
    finally:
        opened.close()


def _together(read: Iterable[LoginRights]) -> LoginRights:
    """Return the rights of one login for every system."""
    parts = tuple(read)
    return LoginRights(
        next((part.login for part in parts if part.login), ""),
        tuple(right for part in parts for right in part.rights),
        tuple(dict.fromkeys(sentence for part in parts for sentence in part.unread)),
    )


def _readiness(family: ExperimentFamily, target: Target, rights: LoginRights) -> Readiness:
    impossible = _impossible(family, target)
    not_guided = "" if impossible else why_not_guided(family, target.key)
    modes = [mode for mode in Mode if not impossible and not rights.missing(Use(family.subject, mode))]
    if not_guided and Mode.GUIDED in modes:
        modes.remove(Mode.GUIDED)
    missing = () if impossible else rights.missing(Use(family.subject, Mode.HANDS_ON))
    return Readiness(family.family_id, family.title, impossible, tuple(modes), missing, not_guided)


def _impossible(family: ExperimentFamily, target: Target) -> str:
    if missing := why_missing(family, target):
        return missing
    try:
        read_site(target, family)
    except ReplituneError as error:
        return str(error)
    return ""


def grant_script(health: TargetHealth) -> str:
    """Return the rights that are missing as a script for a DBA, by server, each with its reason."""
    lines: list[str] = []
    server = ""
    for right in health.grants:
        if right.server != server:
            server = right.server
            lines += ["", _("-- At {server}:").format(server=server)]
        lines += [_("-- {title}: {because}").format(title=right.title, because=right.because), right.grant]
    return "\n".join(lines).strip() + "\n" if lines else ""


def _ignore_statement(_record: StatementRecord) -> None:
    """A look outside a session keeps no statement log."""
