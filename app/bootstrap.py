"""The one place that builds the object graph; what is expensive to import is imported when it is needed."""

import os
import pkgutil
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from app import experiments
from app.cli.main import run
from app.domain.ports import FigureRenderer, StatementSink, Target
from app.foundation.discovery import load_subpackages
from app.foundation.paths import resource_path, rules_root, user_data_folder
from app.foundation.texts import _
from app.services.program import Parts, Program

if TYPE_CHECKING:
    from app.domain.family import ExperimentFamily
    from app.services.advising import Advisor

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
    return Program(
        Parts(
            load_families=load_families,
            load_advisor=load_advisor,
            family_ids=tuple(sorted(m.name for m in pkgutil.iter_modules(experiments.__path__) if m.ispkg)),
            rules_root=rules_root(),
            journal_path=user_data_folder() / "undo.journal",
            open_target=open_target,
            serve_lab=serve_lab,
            make_renderer=make_renderer,
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


def open_target(target: str, seed: int, on_statement: StatementSink) -> Target:
    """Open the target `--target` names; see `TargetOpener`."""
    from app.services.target_spec import LabSpec, find_scenario, parse_target
    from app.targets import sqlserver

    spec = parse_target(target)
    if isinstance(spec, LabSpec):
        scenario = None if spec.scenario is None else find_scenario(spec, resource_path("lab"))
        return sqlserver.open_lab(scenario, seed, on_statement)
    return sqlserver.connect_lab(spec.host, spec.port, on_statement)


def serve_lab(scenario: str | None, seed: int, port: int, announce: Callable[[str], None]) -> None:
    """Serve a lab on a loopback port until the process is ended."""
    from app.services.target_spec import LabSpec, find_scenario
    from app.targets import sqlserver

    path = find_scenario(LabSpec(scenario), resource_path("lab"))

    def tell(opened_port: int) -> None:
        announce(f"lab@127.0.0.1:{opened_port}")

    sqlserver.serve_lab(path, seed, port, tell)


def make_renderer() -> FigureRenderer:
    """Return what draws figures for the report; loads Qt."""
    from app.charts.renderer import PyqtgraphRenderer

    return PyqtgraphRenderer()
