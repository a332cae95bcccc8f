"""Which targets a person may choose from: the lab's scenarios, and the ways to reach one that is not listed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.connection import ConnectionField, ConnectionWay, FieldKind
from app.domain.errors import BadInput
from app.domain.system import System
from app.foundation.texts import _
from app.lab.scenario_file import read_content, shipped_scenarios
from app.services.target.target_spec import LAB

# Behind every engine: most people come to reach a server.
_LAB_RANK: Final = 90


@dataclass(frozen=True)
class LabScenario:
    """One scenario that comes with the program.

    Attributes:
        target: as accepted by `--target`.
        name: its short name.
        title, shows: what it is and what can be learned of it, each "" where the file does not say.
        kind: of the systems' labs, the one it describes; "" where the file does not say.
        content: of the file, unchecked; empty where it cannot be used.
    """

    target: str
    name: str
    title: str
    shows: str
    kind: str
    content: Mapping[str, object]


def list_lab_scenarios(systems: Iterable[System], folder: Path | None = None) -> tuple[LabScenario, ...]:
    """Return the scenarios that come with the program: those a newcomer meets first, the default one, which
    `--target lab` opens, and the others by name.

    Only what describes them is read; a file that cannot be used is listed by its name, and opening it says why.
    """
    files = sorted(
        shipped_scenarios().values() if folder is None else folder.glob("*.toml"), key=lambda path: path.stem
    )
    default = next((system.lab.default_scenario for system in systems), "")
    files.sort(key=lambda path: path.stem != default)
    described = (_describe(path, default) for path in files)
    return tuple(sorted(described, key=lambda scenario: scenario.content.get("is_met_first") is not True))


def _describe(path: Path, default: str) -> LabScenario:
    try:
        content = read_content(path)
    except BadInput:
        content = {}
    title, shows = (text if isinstance(text := content.get(key), str) else "" for key in ("title", "shows"))
    return LabScenario(
        target=LAB if path.stem == default else f"{LAB}:{path.stem}",
        name=path.stem,
        title=title,
        shows=shows,
        kind=str(content.get("kind", "")),
        content=content,
    )


def list_connection_ways(servers: tuple[ConnectionWay, ...] = ()) -> tuple[ConnectionWay, ...]:
    """Return the ways to reach a target that is not listed, by rank; only those that work in this version.

    Args:
        servers: the ways the engines offer.
    """
    return tuple(sorted((*servers, *_lab_ways()), key=lambda way: way.rank))


def _lab_ways() -> tuple[ConnectionWay, ...]:
    return (
        ConnectionWay(
            way_id="lab_server",
            title=_("A lab server on this computer"),
            fields=(
                ConnectionField(
                    name="port",
                    label=_("Port"),
                    kind=FieldKind.PORT,
                    help=_("The port that the lab server printed when it was started."),
                    example="51433",
                ),
            ),
            pattern="lab@127.0.0.1:{port}",
            suggested_name=_("Lab server {port}"),
            rank=_LAB_RANK,
        ),
        ConnectionWay(
            way_id="lab_scenario",
            title=_("A lab scenario of your own"),
            fields=(
                ConnectionField(
                    name="scenario",
                    label=_("Scenario file"),
                    kind=FieldKind.FILE,
                    help=_("A .toml file modelled on one of the scenarios in resources/lab."),
                    example=_("my-site.toml"),
                    suffix=".toml",
                ),
            ),
            pattern="lab:{scenario}",
            suggested_name="{scenario}",
            rank=_LAB_RANK,
        ),
    )
