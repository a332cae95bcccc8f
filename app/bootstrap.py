"""The one place that builds the object graph; what is expensive to import is imported when it is needed."""

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, cast

from app import experiments, targets
from app.cli.main import run
from app.domain.connection import ServerUrl
from app.domain.errors import BadInput, LoginFailed
from app.domain.ports import FigureRenderer, StatementSink, Target
from app.foundation.discovery import load_subpackages
from app.foundation.paths import resource_path, rules_root, user_data_folder
from app.foundation.texts import _
from app.services.credentials import Credentials
from app.services.program import Parts, Program
from app.services.saved_targets import SavedTargets
from app.services.system_keyring import SystemKeyring

if TYPE_CHECKING:
    from app.domain.connection import ConnectionWay
    from app.domain.family import ExperimentFamily
    from app.domain.installed import Part
    from app.services.advising import Advisor
    from app.services.engines import ServerEngine
    from app.services.target_spec import LabSpec

NO_DISPLAY = 2
"""Exit code where a window was asked for and there is no screen."""


def run_command_line(arguments: list[str]) -> int:
    """Build the program and run one command; returns the exit code."""
    return run(arguments, build_program())


def run_window() -> int:
    """Build the program and show its window; returns the exit code, 2 where there is no screen."""
    if not has_display():
        sentence = _("There is no screen to show the window on; `make demo` runs a complete session without one.")
        sys.stderr.write(f"replitune: {sentence}\n")
        return NO_DISPLAY
    from app.ui.app import run_window as show_window

    return show_window(build_program(), user_data_folder() / "preferences.json")


def has_display() -> bool:
    """Tell whether there is a screen; only Linux can be without one, and a platform named to Qt needs none."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def build_program() -> Program:
    """Return the program with its real parts."""
    saved = SavedTargets(user_data_folder() / "targets.json")
    keyring = SystemKeyring()
    credentials = Credentials(keyring)
    return Program(
        Parts(
            load_families=load_families,
            load_advisor=load_advisor,
            family_ids=tuple(sorted(m.name for m in pkgutil.iter_modules(experiments.__path__) if m.ispkg)),
            rules_root=rules_root(),
            journal_path=user_data_folder() / "undo.journal",
            open_target=partial(open_target, saved=saved, credentials=credentials),
            serve_lab=serve_lab,
            make_renderer=make_renderer,
            credentials=credentials,
            saved_targets=saved,
            connection_ways=connection_ways,
            needs_password=lambda url: find_engine(url).needs_password(url),
            target_ids=engine_ids(),
            installed=lambda: (*installed_drivers(), keyring_part(keyring)),
        )
    )


def load_families() -> "Mapping[str, ExperimentFamily]":
    """Return every family found under `experiments/`, by id.

    Raises:
        RuntimeError: no family, a folder without `FAMILY`, or one whose id is not its folder's name.
    """
    families: dict[str, ExperimentFamily] = {}
    for name, package in load_subpackages(experiments).items():
        family: ExperimentFamily | None = getattr(package, "FAMILY", None)
        if family is None or family.family_id != name:
            raise RuntimeError(f"app.experiments.{name} exports no FAMILY of that id")
        families[name] = family
    return families


def load_advisor(families: "Mapping[str, ExperimentFamily]") -> "Advisor":
    """Return analysis and rules; raises BadInput where a shipped rule pack was edited into nonsense."""
    from app.advice import load_packs
    from app.services.advising import Advisor

    return Advisor(families, load_packs(rules_root(), tuple(families)))


def open_target(
    target: str, seed: int, on_statement: StatementSink, *, saved: SavedTargets, credentials: Credentials
) -> Target:
    """Open the target `--target` names, by its address or the name it is saved under; see `TargetOpener`."""
    from app.services.target_spec import LabSpec, RemoteLabSpec, parse_target
    from app.targets import sqlserver

    spec = parse_target(saved.resolve(target))
    if isinstance(spec, LabSpec):
        return open_lab(spec, seed, on_statement)
    if isinstance(spec, RemoteLabSpec):
        return sqlserver.connect_lab(spec.host, spec.port, on_statement, spec.options)
    engine = find_engine(spec)
    others = [parse_target(saved.resolve(name)) for name in _other_ends(engine, spec)]
    servers = [spec, *(other for other in others if isinstance(other, ServerUrl))]
    passwords = [credentials.password_for(url) if engine.needs_password(url) else None for url in servers]
    more = [part for pair in zip(servers[1:], passwords[1:], strict=True) for part in pair]
    try:
        return engine.open_server(spec, passwords[0], on_statement, *more)
    except LoginFailed:
        for url in servers:
            credentials.refuse(url)
        raise


def open_lab(spec: "LabSpec", seed: int, on_statement: StatementSink) -> Target:
    """Open a lab of this process: the engine is the one its scenario's kind simulates."""
    from app.lab.scenario_file import ScenarioKind, scenario_kind
    from app.services.target_spec import find_scenario
    from app.targets import oracle, sqlserver

    scenario = None if spec.scenario is None else find_scenario(spec, resource_path("lab"))
    if scenario is not None and scenario_kind(scenario) is ScenarioKind.STREAMS:
        return oracle.open_lab(scenario, seed, on_statement)
    return sqlserver.open_lab(scenario, seed, on_statement)


def _other_ends(engine: "ServerEngine", url: ServerUrl) -> tuple[str, ...]:
    """Return the further targets a URL names, such as the destination of a pipeline: addresses or saved names."""
    named: str = getattr(engine, "destination_of", lambda _url: "")(url)
    return (named,) if named else ()


def find_engine(url: "ServerUrl") -> "ServerEngine":
    """Return the folder under `targets/` that reaches servers of an engine.

    Raises:
        BadInput: there is none of that name.
    """
    engines = engine_ids()
    if url.engine not in engines:
        raise BadInput(
            _('"{engine}" is no engine this program knows; it knows {known}').format(
                engine=url.engine, known=", ".join(engines)
            )
        )
    package = importlib.import_module(f"{targets.__name__}.{url.engine}")
    return cast("ServerEngine", package)


def engine_ids() -> tuple[str, ...]:
    """Return the ids of the engines, known without importing them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(targets.__path__) if module.ispkg))


def connection_ways() -> "tuple[ConnectionWay, ...]":
    """Return the ways to reach servers, of every engine."""
    loaded = (cast("ServerEngine", package) for package in load_subpackages(targets).values())
    return tuple(way for engine in loaded for way in getattr(engine, "CONNECTION_WAYS", ()))


def installed_drivers() -> "tuple[Part, ...]":
    """Return the drivers of every engine, those that are missing among them."""
    loaded = (cast("ServerEngine", package) for package in load_subpackages(targets).values())
    return tuple(part for engine in loaded for part in getattr(engine, "installed_drivers", tuple)())


def keyring_part(keyring: SystemKeyring) -> "Part":
    """Return whether passwords can be kept on this computer."""
    from app.domain.installed import Part

    remedy = _("passwords are asked for each time, and never written")
    return Part("keyring", "keyring", _("Keyring of the system"), "", is_there=keyring.is_there(), remedy=remedy)


def serve_lab(
    scenario: str | None, seed: int, port: int, announce: Callable[[str], None], *, speed: float | None = None
) -> None:
    """Serve a lab on loopback ports until the process is ended; see `LabServer`."""
    from app.services.target_spec import LabSpec, find_scenario
    from app.targets import sqlserver

    sqlserver.serve_tds(find_scenario(LabSpec(scenario), resource_path("lab")), seed, port, announce, speed=speed)


def make_renderer() -> FigureRenderer:
    """Return what draws figures for the report; loads Qt."""
    from app.charts.renderer import PyqtgraphRenderer

    return PyqtgraphRenderer()
