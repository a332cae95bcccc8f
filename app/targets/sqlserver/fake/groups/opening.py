"""Reading an availability scenario with the faults it may list."""

from pathlib import Path

from app.lab.availability.scenario import AvailabilityScenario
from app.lab.scenario_file import check_content, read_content
from app.targets.sqlserver.fake.faults import Fault, listed_faults


def load_group_site(path: Path) -> tuple[AvailabilityScenario, tuple[Fault, ...]]:
    """Read a scenario of kind "availability" with the faults it may list as `[[faults]]` (statement, call, kind).

    Raises:
        BadInput: the scenario or a fault cannot be used; the sentence names file and key.
    """
    content = read_content(path)
    faults = listed_faults(path, content)
    constants = {key: value for key, value in content.items() if key != "faults"}
    return check_content(constants, path, AvailabilityScenario), faults
