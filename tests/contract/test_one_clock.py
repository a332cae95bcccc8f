"""The window has one clock, which a test can put: the desk's."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2] / "app" / "ui"
READS_THE_MACHINE: Final = re.compile(
    r"\bdatetime\.(?:now|today|utcnow)\(|\bdate\.today\(|\bSystemClock\(\)|\btime\.time\("
)


def test_only_the_desk_takes_the_time_of_the_machine() -> None:
    """Whatever shows a time of day asks the desk for it."""
    named = {path.name for path in ROOT.rglob("*.py") if READS_THE_MACHINE.search(path.read_text("utf-8"))}
    assert named == {"desk.py"}
