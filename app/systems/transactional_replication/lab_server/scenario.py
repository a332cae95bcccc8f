"""Scenarios of replication agents, with the faults they may list."""

import tomllib
from pathlib import Path

from pydantic import ValidationError

from app.drivers.sqlserver.lab.faults import Fault, listed_faults, unusable
from app.systems.transactional_replication.lab.scenario import Scenario, load_scenario
from app.systems.transactional_replication.lab_server.faults import OWN_FAULTS


def load_site(path: Path) -> tuple[Scenario, tuple[Fault, ...]]:
    """Read a scenario with the faults it may list as `[[faults]]` (statement, call, kind).

    Raises:
        BadInput: the scenario or a fault cannot be used; the sentence names file and key.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return load_scenario(path), ()  # it has the sentences for all of these
    if "faults" not in content:
        return load_scenario(path), ()
    listed = listed_faults(path, content, OWN_FAULTS)
    try:
        scenario = Scenario.model_validate({key: value for key, value in content.items() if key != "faults"})
    except ValidationError as error:
        raise unusable(path, error) from error
    return scenario, listed
