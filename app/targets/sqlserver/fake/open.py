"""Opening a lab as a target in this process, and building one of any kind."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.domain.ports import StatementSink
from app.foundation.paths import resource_path
from app.lab.scenario import scenario_path
from app.lab.scenario_file import ScenarioKind, scenario_kind
from app.targets.sqlserver.fake.faults import Fault, load_site
from app.targets.sqlserver.fake.groups import LabGroupServer
from app.targets.sqlserver.fake.groups.opening import load_group_site
from app.targets.sqlserver.fake.server import LabClock, LabSqlServer, LabTransport
from app.targets.sqlserver.target import AVAILABILITY, REPLICATION, SqlServerTarget

DEFAULT_SCENARIO: Final = "lan"
_CAPABILITIES: Final = {LabSqlServer: REPLICATION, LabGroupServer: AVAILABILITY}


def lab_file(scenario: Path | None) -> Path:
    """Return the scenario file to use, the default one where none is named."""
    return scenario_path(DEFAULT_SCENARIO) if scenario is None else scenario


def open_lab(
    scenario: Path | None,
    seed: int,
    on_statement: StatementSink,
    noise: bool | None = None,
    faults: Sequence[Fault] = (),
) -> SqlServerTarget:
    """Build a lab in this process, all agents running; its clock is virtual.

    Args:
        scenario: scenario file, None for the default one.
        seed: of the lab's noise: the same seed and statements give the same readings.
        on_statement: receives a record of every statement.
        noise: switches the scenario's noise on or off; None leaves it as the scenario says.
        faults: what goes wrong, besides the faults the file lists.

    Raises:
        BadInput: the scenario cannot be used.
    """
    lab = build_lab(scenario, seed, noise, faults)
    key = "lab" if scenario is None else f"lab:{_short_name(scenario)}"
    return SqlServerTarget(
        LabTransport(lab), LabClock(lab), on_statement, key, lab.title, capabilities=_CAPABILITIES[type(lab)]
    )


def build_lab(
    scenario: Path | None, seed: int, noise: bool | None, faults: Sequence[Fault] = ()
) -> LabSqlServer | LabGroupServer:
    """Build the lab a scenario file describes, of whatever kind; arguments and errors as of `open_lab`."""
    path = lab_file(scenario)
    if scenario_kind(path) is ScenarioKind.AVAILABILITY:
        groups, listed = load_group_site(path)
        return LabGroupServer(groups, seed, noise, (*listed, *faults))
    constants, listed = load_site(path)
    return LabSqlServer(constants, seed, noise, (*listed, *faults))


def _short_name(path: Path) -> str:
    return path.stem if path.resolve().parent == resource_path("lab").resolve() else str(path)
