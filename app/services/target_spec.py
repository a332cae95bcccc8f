"""What `--target` accepts, taken apart."""

import re
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import BadInput
from app.foundation.texts import _

LAB = "lab"
_REMOTE = re.compile(r"lab@(?P<host>127\.0\.0\.1|localhost):(?P<port>\d{1,5})")


@dataclass(frozen=True)
class LabSpec:
    """A lab inside this program.

    Attributes:
        scenario: shipped scenario name, path of a scenario file, or None for the default one.
    """

    scenario: str | None


@dataclass(frozen=True)
class RemoteLabSpec:
    """A lab that runs as a process of its own on this machine and outlives this program."""

    host: str
    port: int


TargetSpec = LabSpec | RemoteLabSpec


def parse_target(text: str) -> TargetSpec:
    """Take a target apart.

    Raises:
        BadInput: no target is spelled like that.
    """
    if text == LAB:
        return LabSpec(None)
    if text.startswith("lab:") and len(text) > len("lab:"):
        return LabSpec(text[len("lab:") :])
    remote = _REMOTE.fullmatch(text)
    if remote and 0 < int(remote["port"]) < 65_536:
        return RemoteLabSpec("127.0.0.1", int(remote["port"]))
    raise BadInput(
        _(
            'unknown target "{text}"; give lab, lab:SCENARIO (a shipped name or a .toml file) '
            "or lab@127.0.0.1:PORT (a lab started with `replitune lab serve`)"
        ).format(text=text)
    )


def find_scenario(spec: LabSpec, shipped: Path) -> Path:
    """Return the scenario file a lab target names.

    Args:
        shipped: folder of the scenarios that come with the program.

    Raises:
        BadInput: neither a shipped name nor an existing file.
    """
    if spec.scenario is None:
        return shipped / "lan.toml"
    named = shipped / f"{spec.scenario}.toml"
    if named.is_file():
        return named
    given = Path(spec.scenario)
    if given.is_file():
        return given
    names = ", ".join(sorted(path.stem for path in shipped.glob("*.toml")))
    raise BadInput(
        _('lab scenario "{name}" is neither a file nor one of {names}').format(name=spec.scenario, names=names)
    )


def is_lab(target: str) -> bool:
    """Tell whether a target is simulated, in this program or in a process of its own."""
    try:
        return isinstance(parse_target(target), LabSpec | RemoteLabSpec)
    except BadInput:
        return False


def is_lab_of_this_process(target: str) -> bool:
    """Tell whether a target is a lab that is made anew each time it is opened."""
    return is_lab(target) and isinstance(parse_target(target), LabSpec)
