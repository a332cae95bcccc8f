"""Health of this computer and rights of a login on a target, looked at before anything is planned."""

import importlib.metadata
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.errors import NotAsked, ReplituneError, TargetError
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
        kept: one sentence for each session of which a client keeps something on purpose.
    """

    version: str
    python: str
    system: str
    families: tuple[str, ...]
    targets: tuple[str, ...]
    rules: tuple[tuple[str, int], ...]
    parts: tuple[Part, ...]
    open_changes: int
    kept: tuple[str, ...] = ()


@dataclass(frozen=True)
class Readiness:
    """One experiment on one target.

    Attributes:
        impossible: why the site itself does not allow it, "" where it does.
        modes: the ways to work that are possible there, and this login has the rights for.
        missing: what hands-on work lacks.
        lacking: by way of working, what it lacks, and what it would go on without.
        not_guided: why no DBA could make the changes, "" where one could.
    """

    family: str
    title: str
    impossible: str
    modes: tuple[Mode, ...]
    missing: tuple[Right, ...]
    not_guided: str = ""
    lacking: Mapping[Mode, tuple[Right, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class TargetHealth:
    """One target as this login sees it."""

    target: str
    discovery: Discovery
    rights: LoginRights
    experiments: tuple[Readiness, ...]

    def grants(self, mode: Mode) -> tuple[Right, ...]:
        """Return every right that is missing for a way of working, each once, by server."""
        lacking = [right for experiment in self.experiments for right in experiment.lacking.get(mode, ())]
        return tuple(sorted(dict.fromkeys(lacking), key=lambda right: right.server))


def libraries() -> tuple[Part, ...]:
    """Return the libraries the program stands on, with their versions."""
    return tuple(Part(name, "library", name, importlib.metadata.version(name), is_there=True) for name in _LIBRARIES)


def computer_health(
    families: Sequence[str],
    targets: Sequence[str],
    rules: Sequence[tuple[str, int]],
    parts: Sequence[Part],
    open_changes: int,
    kept: tuple[str, ...] = (),
) -> Health:
    """Return the drivers and parts of this computer."""
    return Health(
        version=VERSION,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        families=tuple(sorted(families)),
        targets=tuple(sorted(targets)),
        rules=tuple(sorted(rules)),
        parts=tuple(parts),
        open_changes=open_changes,
        kept=kept,
    )


def target_health(target: str, families: Mapping[str, ExperimentFamily], open_target: TargetOpener) -> TargetHealth:
    """Return the rights of this login on a target; reads only.

    Raises:
        BadInput, TargetError: it cannot be reached, or nothing of it can be read.
    """
    opened = open_target(target, 1, _ignore_statement)
    try:
        systems = {system.system_id: system for system in systems_of(families)}
        refused: TargetError | None = None
        try:
            discovery = read_discovery(opened, systems)
        except TargetError as error:
            discovery, refused = Discovery(opened.key, (), (str(error),)), error
        read = {
            name: system.read_rights(opened, discovery.of(name))
            for name, system in systems.items()
            if name in opened.offers
        }
        nothing = LoginRights("", ())
        if refused is not None and not any(rights.rights for rights in read.values()):
            raise refused
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
    impossible, is_refused = _impossible(family, target)
    if is_refused and rights.missing(Use(family.subject, Mode.GUIDED)):
        impossible = ""  # its rights tell what is missing
    not_guided = "" if impossible else why_not_guided(family, target.key)
    lacking = {} if impossible else _lacking(rights, family)
    modes = [mode for mode in lacking if not rights.missing(Use(family.subject, mode))]
    if not_guided and Mode.GUIDED in modes:
        modes.remove(Mode.GUIDED)
    missing = () if impossible else rights.missing(Use(family.subject, Mode.HANDS_ON))
    return Readiness(family.family_id, family.title, impossible, tuple(modes), missing, not_guided, lacking)


def _lacking(rights: LoginRights, family: ExperimentFamily) -> dict[Mode, tuple[Right, ...]]:
    """Return the rights each way of working lacks, those it goes on without behind the rest."""
    uses = {mode: Use(family.subject, mode) for mode in Mode}
    return {mode: (*rights.missing(use), *rights.absent(use)) for mode, use in uses.items()}


def _impossible(family: ExperimentFamily, target: Target) -> tuple[str, bool]:
    """Return why an experiment is not possible, "" where it is, and whether rights are the reason."""
    if missing := why_missing(family, target):
        return missing, False
    try:
        read_site(target, family)
    except NotAsked:
        return "", False  # as far as was asked
    except ReplituneError as error:
        return str(error), isinstance(error, TargetError)
    return "", False


def grant_script(health: TargetHealth, mode: Mode = Mode.HANDS_ON) -> str:
    """Return the rights that are missing for a way of working as a script for a DBA, by server, with their reasons."""
    lines: list[str] = []
    server, reason, begun = "", "", set[tuple[str, str]]()
    for right in health.grants(mode):
        if right.server != server:
            server, reason = right.server, ""
            lines += ["", _at(server)]
        if (because := _reason(right, mode)) != reason:
            reason = because
            lines.append(reason)
        if right.before and (server, right.before) not in begun:
            begun.add((server, right.before))
            lines.append(right.before)
        if right.grant:
            lines.append(right.grant)
    return _script(lines)


def revoke_script(health: TargetHealth, mode: Mode = Mode.HANDS_ON) -> str:
    """Return a script that takes back everything `grant_script` gives, and nothing else."""
    lines: list[str] = []
    given = health.grants(mode)
    for server in dict.fromkeys(right.server for right in given):
        here = [right for right in given if right.server == server]
        lines += ["", _at(server)]
        # A user that is dropped loses what it was given.
        lines += [right.revoke for right in reversed(here) if right.revoke and not right.after]
        lines += dict.fromkeys(right.after for right in here if right.after)
    return _script(lines)


def _at(server: str) -> str:
    return _("-- At {server}:").format(server=" ".join(server.splitlines()))


def _reason(right: Right, mode: Mode) -> str:
    is_optional = not any(use.mode is mode for use in right.uses)
    if is_optional:
        return _("-- Not needed, but without it this is left out: {because}").format(because=right.because_optional)
    return f"-- {right.because}"


def _script(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip() + "\n" if lines else ""


def _ignore_statement(_record: StatementRecord) -> None:
    """A look outside a session keeps no statement log."""
