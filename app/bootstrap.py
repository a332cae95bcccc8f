"""The one place that builds the object graph; expensive modules are imported when they are needed."""

import gc
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from app import drivers, systems
from app.cli.main import run
from app.domain.connection import ServerUrl
from app.domain.errors import BadInput, LoginFailed
from app.domain.ports import FigureRenderer, StatementSink
from app.domain.system import in_order
from app.domain.target import Connection, Target
from app.foundation.discovery import load_subpackages
from app.foundation.paths import rules_roots, user_data_folder
from app.foundation.texts import _
from app.services.program import Parts, Program
from app.services.target.credentials import Credentials
from app.services.target.saved_targets import SavedTargets
from app.services.target.system_keyring import SystemKeyring

if TYPE_CHECKING:
    from app.domain.connection import ConnectionWay, ForeignAddress
    from app.domain.family import ExperimentFamily
    from app.domain.installed import Part
    from app.domain.system import System
    from app.services.explain.advising import Advisor
    from app.services.target.engines import ServerEngine
    from app.services.target.target_spec import LabSpec

NO_DISPLAY = 2
"""Exit code where a window was asked for and there is no screen."""


# A run keeps hundreds of thousands of samples, which the collector would look through again and again: two families of
# the demonstration spent 0.74 s on it at Python's own thresholds, 0.25 s at these.
_COLLECTED_AFTER: Final = (20_000, 20, 20)


def run_command_line(arguments: list[str]) -> int:
    """Build the program and run one command; returns the exit code."""
    gc.set_threshold(*_COLLECTED_AFTER)
    return run(arguments, build_program())


def run_beside(command: str) -> int:
    """Build the program and carry out the orders on its standard input; returns the exit code."""
    gc.set_threshold(*_COLLECTED_AFTER)
    from app.services.hand_over import second_process
    from app.services.run import side_by_side

    serve = {second_process.COMMAND: second_process.serve, side_by_side.COMMAND: side_by_side.serve}[command]
    return serve(build_program())


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
    saved = SavedTargets(user_data_folder() / "targets.json", understand_address)
    keyring = SystemKeyring()
    credentials = Credentials(keyring)
    return Program(
        Parts(
            load_systems=load_systems,
            load_families=load_families,
            load_advisor=load_advisor,
            family_ids=tuple(sorted(family_modules())),
            rules_roots=rules_roots(),
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


def load_systems() -> "Mapping[str, System]":
    """Return every system found under `systems/`, by id.

    Raises:
        RuntimeError: no system, a folder without `SYSTEM`, or one whose id is not its folder's name.
    """
    system_by_id: dict[str, System] = {}
    for name, package in load_subpackages(systems).items():
        system: System | None = getattr(importlib.import_module(f"{package.__name__}.system"), "SYSTEM", None)
        if system is None or system.system_id != name:
            raise RuntimeError(f"app.systems.{name}.system exports no SYSTEM of that id")
        system_by_id[name] = system
    return {system.system_id: system for system in in_order(system_by_id.values())}


def family_modules() -> dict[str, str]:
    """Return the module of each experiment family by its id, known without importing the families.

    Raises:
        RuntimeError: two systems have a family of one id.
    """
    module_by_id: dict[str, str] = {}
    for system in sorted(module.name for module in pkgutil.iter_modules(systems.__path__) if module.ispkg):
        families = importlib.import_module(f"{systems.__name__}.{system}.families")
        for module in pkgutil.iter_modules(families.__path__):
            if module.ispkg and module_by_id.setdefault(module.name, families.__name__) != families.__name__:
                raise RuntimeError(f"two systems have a family {module.name}")
    return {name: f"{families}.{name}" for name, families in module_by_id.items()}


def load_families() -> "Mapping[str, ExperimentFamily]":
    """Return every family found under a system's `families/`, by id, those of one system together.

    Raises:
        RuntimeError: no family, a folder without `FAMILY`, or one whose id is not its folder's name.
    """
    families: dict[str, ExperimentFamily] = {}
    for name, module in sorted(family_modules().items()):
        family: ExperimentFamily | None = getattr(importlib.import_module(module), "FAMILY", None)
        if family is None or family.family_id != name:
            raise RuntimeError(f"{module} exports no FAMILY of that id")
        families[name] = family
    if not families:
        raise RuntimeError("no experiment family was found: the program is incomplete")
    return families


def load_advisor(families: "Mapping[str, ExperimentFamily]") -> "Advisor":
    """Return analysis and rules; raises BadInput where a shipped rule pack was edited into nonsense."""
    from app.advice import load_packs
    from app.domain.system import fact_kinds, systems_of
    from app.services.explain.advising import Advisor

    return Advisor(families, load_packs(rules_roots(), tuple(families), fact_kinds(systems_of(families))))


def open_target(
    target: str, seed: int, on_statement: StatementSink, *, saved: SavedTargets, credentials: Credentials
) -> Target:
    """Open the target `--target` names, by its address or the name it is saved under; see `TargetOpener`."""
    from app.services.target.assembling import assemble

    connection = open_connection(target, seed, on_statement, saved, credentials)
    return assemble(connection, load_systems(), saved.name_of(target))


# Which engine's protocol a served lab speaks, as its key says it.
_ENGINE_OPTION: Final = "engine"
_USUAL_ENGINE: Final = "sqlserver"


def open_connection(
    target: str, seed: int, on_statement: StatementSink, saved: SavedTargets, credentials: Credentials
) -> Connection:
    """Open a way to the servers `--target` names; raises BadInput or TargetError."""
    from app.services.target.target_spec import LabSpec, RemoteLabSpec, parse_target

    spec = parse_target(saved.resolve(target))
    if isinstance(spec, LabSpec):
        return open_lab(spec, seed, on_statement)
    if isinstance(spec, RemoteLabSpec):
        options = dict(spec.options)
        served = ServerUrl(options.pop(_ENGINE_OPTION, _USUAL_ENGINE), "", spec.host, spec.port)
        return find_engine(served).connect_lab(spec.host, spec.port, on_statement, tuple(options.items()))
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


def open_lab(spec: "LabSpec", seed: int, on_statement: StatementSink) -> Connection:
    """Open a lab of this process: the system is the one its scenario's kind names."""
    system, scenario = _lab_of(spec)
    return system.lab.open(scenario, seed, on_statement)


def _lab_of(spec: "LabSpec") -> "tuple[System, Path | None]":
    """Return the system a lab simulates, with its scenario file, None for the default one.

    Raises:
        BadInput: there is no such scenario, or none of the systems is of its kind.
    """
    from app.domain.system import system_simulated
    from app.lab.scenario_file import scenario_kind, shipped_scenarios
    from app.services.target.target_spec import find_scenario

    systems = load_systems()
    if spec.scenario is None:
        return next(iter(systems.values())), None
    scenario = find_scenario(spec, shipped_scenarios())
    kind = scenario_kind(scenario)
    system = system_simulated(systems.values(), kind)
    if system is None:
        raise BadInput(
            _('{path}: kind = "{named}" is unknown; it is one of {known}').format(
                path=scenario, named=kind, known=", ".join(system.lab.kind for system in systems.values())
            )
        )
    return system, scenario


def _other_ends(engine: "ServerEngine", url: ServerUrl) -> tuple[str, ...]:
    """Return the further targets a URL names, such as the destination of a pipeline: addresses or saved names."""
    named: str = getattr(engine, "destination_of", lambda _url: "")(url)
    return (named,) if named else ()


def find_engine(url: "ServerUrl") -> "ServerEngine":
    """Return the folder under `drivers/` that reaches servers of an engine.

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
    return _engine(url.engine)


def _engine(engine_id: str) -> "ServerEngine":
    return cast("ServerEngine", importlib.import_module(f"{drivers.__name__}.{engine_id}"))


def engine_ids() -> tuple[str, ...]:
    """Return the ids of the engines, known without importing them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(drivers.__path__) if module.ispkg))


def connection_ways() -> "tuple[ConnectionWay, ...]":
    """Return the ways to reach servers, of every engine."""
    loaded = (cast("ServerEngine", package) for package in load_subpackages(drivers).values())
    return tuple(way for engine in loaded for way in getattr(engine, "CONNECTION_WAYS", ()))


def understand_address(text: str) -> "ForeignAddress | None":
    """Return the server that an address of another tool names; no engine is loaded for this program's own."""
    from app.services.target.foreign_addresses import understand

    scheme, mark, _rest = text.partition("://")
    return None if mark and scheme in engine_ids() else understand(text, connection_ways())


def installed_drivers() -> "tuple[Part, ...]":
    """Return the drivers of every engine, those that are missing among them."""
    loaded = (cast("ServerEngine", package) for package in load_subpackages(drivers).values())
    return tuple(part for engine in loaded for part in getattr(engine, "installed_drivers", tuple)())


def keyring_part(keyring: SystemKeyring) -> "Part":
    """Return whether passwords can be kept on this computer."""
    from app.domain.installed import Part

    remedy = _("passwords are asked for each time, and never written")
    return Part("keyring", "keyring", _("Keyring of the system"), "", is_there=keyring.is_there(), remedy=remedy)


def serve_lab(
    scenario: str | None, seed: int, port: int, announce: Callable[[str], None], *, speed: float | None = None
) -> None:
    """Serve a lab on loopback ports until the process is ended; see `LabServer`.

    Raises:
        BadInput: no such scenario, or its servers are spoken to in a way that cannot be served yet.
    """
    from app.domain.system import answers_where_absent
    from app.services.target.target_spec import LabSpec

    system, path = _lab_of(LabSpec(scenario))
    engine = _engine(system.engine)
    serve = getattr(engine, "serve_lab", None)
    if serve is None:
        raise BadInput(
            _('scenario "{name}" cannot be served on a port; open it in this program with --target lab:{name}').format(
                name=scenario
            )
        )
    absent = answers_where_absent(load_systems().values(), system.engine)
    serve(system.lab.build(path, seed), port, announce, speed=speed, where_absent=absent)


def make_renderer() -> FigureRenderer:
    """Return the renderer of the report's figures; loads Qt."""
    from app.charts.renderer import PyqtgraphRenderer

    return PyqtgraphRenderer()
