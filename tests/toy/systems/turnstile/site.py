"""What a turnstile is: its record, its port, and what an experiment knows of it beforehand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from app.domain.change import Change
from app.domain.errors import BadInput
from app.domain.family import Site
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.session import Environment
from app.domain.setting import Parameter, Value
from app.domain.target import Target
from app.foundation.codec import dump_json, load_json

SYSTEM_ID: Final = "turnstile"
SUBJECT: Final = "door"
CAPABILITIES: Final[Mapping[str, str]] = {"Turnstile": "a turnstile whose gates and queue may be changed"}

GATES: Final = Parameter("Gates", "count", 1, 1, 16, (1, 2, 4, 8), "Doors open at a time; counts at once.", "made up")
QUEUE: Final = Parameter(
    "QueueLength", "count", 10, 1, 1000, (10, 100), "People who may wait inside; counts from the next start.", "made up"
)
PARAMETERS: Final = (GATES, QUEUE)


@dataclass(frozen=True)
class Turnstile:
    """What was read of the turnstile of a server."""

    server: ServerInfo
    settings: tuple[EffectiveParameter, ...]

    @property
    def by_name(self) -> Mapping[str, EffectiveParameter]:
        """The settings by name."""
        return {setting.name: setting for setting in self.settings}


@dataclass(frozen=True, kw_only=True)
class TurnstileSite(Site):
    """A server with a turnstile."""

    found: Turnstile


class TurnstilePort(Protocol):
    """What experiments with a turnstile work with; every call raises TargetError."""

    def discover(self) -> Turnstile | None:
        """Read the settings in effect, None where there is no turnstile."""
        ...

    def plan_setting(self, name: str, value: Value) -> tuple[Change, ...]:
        """Return the change of one setting, () where it is so already."""
        ...

    def let_pass(self, people: int) -> float:
        """Let people through and return how long it took, seconds."""
        ...


def turnstile_port(target: Target) -> TurnstilePort:
    """Return the port of a target; raises Unsupported where it offers none."""
    port: TurnstilePort = target.ports(SYSTEM_ID)
    return port


def read_site(target: Target) -> TurnstileSite:
    """Read a turnstile; raises BadInput where there is none."""
    found = turnstile_port(target).discover()
    if found is None:
        raise BadInput(f"{target.key} has no turnstile; connect to a server that has one")
    return TurnstileSite(parameters=found.by_name, found=found)


def environment_of(target: Target, site: Site) -> Environment:
    """Return what a session keeps."""
    assert isinstance(site, TurnstileSite)
    return Environment(target.key, kept=((SYSTEM_ID, dump_json(site.found)),))


def kept_turnstile(environment: Environment) -> Turnstile | None:
    """Return what a session kept, None where it kept none; raises CodecError."""
    text = environment.text_of(SYSTEM_ID)
    return load_json(Turnstile, text) if text else None
