"""Servers of a target, and the parameters in effect on them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ServerInfo:
    """One server of the topology.

    Attributes:
        name: the server's name.
        role: "Publisher", "Distributor" or "Subscriber".
        version: product version such as "16.0.4135.4".
        edition: edition text.
        cpu_count: logical processors.
    """

    name: str
    role: str
    version: str
    edition: str
    cpu_count: int


@dataclass(frozen=True)
class EffectiveParameter:
    """The value an agent really uses, and where it comes from.

    Attributes:
        origin: "job step", "profile", "subscription" or "default", the strongest that names it.
        low, high: limits the server itself reports (MSagentparameterlist), else the documented ones, None for none.
    """

    name: str
    value: str
    origin: str
    default: str
    low: int | None
    high: int | None
    unit: str
