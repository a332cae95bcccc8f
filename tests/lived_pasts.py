"""A lab's past is lived through once in a run of tests: its processes, and those they start, begin behind it."""

import hashlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from app.systems.transactional_replication.lab.scenario import Scenario
from app.systems.transactional_replication.lab_server import state
from tests.made_once import made_once

_FOLDER: Final = "REPLITUNE_TESTS_PASTS"


def share_pasts(folder: Path) -> None:
    """Have labs of this process, and of those it starts, begin behind the pasts in a folder."""
    os.environ[_FOLDER] = str(folder)
    lived_through = state._kept_past.__wrapped__

    @lru_cache(maxsize=1)
    def kept_past(scenario: Scenario, seed: int, noise: bool | None) -> bytes:
        key = hashlib.sha256(f"{scenario.model_dump_json()} {seed} {noise}".encode()).hexdigest()
        return made_once(folder, f"past-{key[:16]}", lambda _folder: lived_through(scenario, seed, noise))

    state._kept_past = kept_past


def take_pasts() -> None:
    """Begin behind the pasts of the run of tests that started this process, if one did."""
    if folder := os.environ.get(_FOLDER):
        share_pasts(Path(folder))
