"""The Distribution Agent's time per command, in closed form, for fitting a model of the site.

A commit batch of B commands is hashed over S streams; the largest share is worked off, then all meet and commit one
after the other. Constants the site knows and nobody else have broad priors. Nothing of it is read from a server but
what the plan froze at its start.

Source: the mechanisms of the published profile tests and KB953199 (streams, barrier, one commit after another,
fall-back to one stream); coherency by pairs of streams: universal scalability law (Gunther 2007, Guerrilla Capacity
Planning).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.analysis.distributions import normal_quantile
from app.domain.response import Constant
from app.domain.setting import Setting
from app.domain.units import convert
from app.systems.transactional_replication.server.documented import DELIVERING

Floats = NDArray[np.float64]

_CONSTANTS: Final = (
    Constant("apply_us_per_command", 300.0, 1.2),
    Constant("several_streams_share", 0.5, 1.0),
    Constant("lock_growth_share_per_1000_commands", 0.2, 1.3),
    Constant("interference_share_per_stream_pair", 0.015, 1.3),
    Constant("batch_ms", 8.0, 1.3),
    Constant("stream_pair_failure_probability", 3e-4, 2.0),
    Constant("hashing_share", 0.01, 1.3),
    Constant("bytes_per_command", 400.0, 0.8),
    Constant("round_trips_per_command", 0.4, 0.8),
)
"""Medians near what the published sweeps fit; a standard deviation of 1.2 spans a factor of ten to either side."""

_LIKELIEST_FAILURE: Final = 0.9


@dataclass(frozen=True)
class DeliveryConditions:
    """The properties of site and plan, as frozen at the start.

    Attributes:
        in_effect: values of those of `DELIVERING` that are not varied.
        is_rate: the measure is commands per second, not the time of all of them.
        commands: delivered in a trial.
    """

    commands_per_transaction: float
    rtt_ms: float
    network_kbps: float
    subscriber_cpus: int
    in_effect: Mapping[str, float]
    commands: float = 1.0
    is_rate: bool = False


@dataclass(frozen=True)
class DeliveryCurve:
    """Run time (s) or rate (commands/s) by the parameters of `DELIVERING`."""

    conditions: DeliveryConditions

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The constants of the site, as they are believed before any trial."""
        return _CONSTANTS

    def log_values(self, log_constants: Floats, settings: Sequence[Setting]) -> Floats:
        """Return the log of the measure, shape (draws, settings)."""
        size, threshold, streams = (self._column(settings, name) for name in DELIVERING)
        at = self.conditions
        commands = batch_commands(size, threshold, at.commands_per_transaction)
        columns = [column[:, None] for column in np.exp(log_constants).T]
        work = _Work(at, *columns)
        failing = -np.expm1(streams * (streams - 1) / 2 * np.log1p(-np.minimum(work.failure, _LIKELIEST_FAILURE)))
        batch_s = work.batch_s(commands, streams) + failing * work.batch_s(commands, np.ones_like(streams))
        logs: Floats = np.log(batch_s / commands)
        return -logs if at.is_rate else logs + np.log(at.commands)

    def _column(self, settings: Sequence[Setting], name: str) -> Floats:
        varied = [setting[name] if name in setting else self.conditions.in_effect[name] for setting in settings]
        return np.array([max(1.0, float(value)) for value in varied])


@dataclass(frozen=True)
class _Work:
    """One draw a row: every constant has shape (draws, 1)."""

    at: DeliveryConditions
    apply_us: Floats
    several: Floats
    growth: Floats
    interference: Floats
    batch_ms: Floats
    failure: Floats
    hashing: Floats
    command_bytes: Floats
    round_trips: Floats

    def batch_s(self, commands: Floats, streams: Floats) -> Floats:
        """Return the time of one commit batch, shape (draws, settings)."""
        is_split, apply_s, rtt_s = streams > 1, self.apply_us * convert(1, "us", "s"), self.at.rtt_ms / 1e3
        share = largest_share(commands, streams)
        unit_s = apply_s * (1 + self.several * is_split) * (1 + self.interference * streams * (streams - 1) / 2)
        unit_s = unit_s * np.maximum(1, streams / self.at.subscriber_cpus) * (1 + self.growth * share / 2000)
        send_s = self.command_bytes * 8 / (self.at.network_kbps * 1e3)
        work_s = np.maximum(share * (unit_s + self.round_trips * rtt_s + send_s), commands * send_s)
        total: Floats = work_s + self.hashing * commands * apply_s * is_split + self.batch_ms / 1e3 + streams * rtt_s
        return total


def batch_commands(size: Floats, threshold: Floats, per_transaction: float) -> Floats:
    """Return the commands of a commit batch: whole transactions until one of the two limits is reached."""
    commands: Floats = np.where(
        size * per_transaction <= threshold,
        size * per_transaction,
        np.ceil(threshold / per_transaction) * per_transaction,
    )
    return commands


def largest_share(commands: Floats, streams: Floats) -> Floats:
    """Return the commands of the busiest stream, hashed evenly: the expected largest of normal order statistics.

    Source: Blom, Statistical Estimates and Transformed Beta-Variables (1958), (i − 3/8)/(n + 1/4).
    """
    spread = np.sqrt(commands / streams * (1 - 1 / streams))
    largest: Floats = commands / streams + spread * np.where(
        streams > 1, normal_quantile((streams - 0.375) / (streams + 0.25)), 0.0
    )
    return largest
