"""Pipelines of stages with bounded buffers: the throughput of backup, restore and seeding.

A buffer is read, passes every stage, and is free again only when the last stage is done with it; each stage has a
number of threads, each busy with one buffer. The passage of the first buffers is followed event by event; such a
system of fixed service times soon repeats itself, and the rate is taken where it does.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_MIN_FOLLOWED: Final = 240
_ROUNDS_FOLLOWED: Final = 8


@dataclass(frozen=True)
class Stage:
    """One stage of a pipeline; MB are those of the database.

    Attributes:
        ms_per_mb: time one thread is busy with one MB.
        threads: buffers worked on at the same time.
        latency_ms: time a buffer spends after its service without occupying a thread.
    """

    name: str
    ms_per_mb: float
    threads: int = 1
    latency_ms: float = 0.0


@lru_cache(maxsize=512)
def pipeline_mb_per_s(stages: tuple[Stage, ...], buffers: int, buffer_mb: float) -> float:
    """Return the steady rate of a pipeline.

    Args:
        stages: in order of passage.
        buffers: in circulation, ≥ 1.
        buffer_mb: database content one buffer holds.
    """
    followed = max(_MIN_FOLLOWED, _ROUNDS_FOLLOWED * buffers)
    freed_s: list[list[float]] = [[] for _stage in stages]
    done_s: list[float] = []
    for number in range(followed):
        moment_s = done_s[number - buffers] if number >= buffers else 0.0
        for stage, freed in zip(stages, freed_s, strict=True):
            thread_free_s = freed[number - stage.threads] if number >= stage.threads else 0.0
            moment_s = max(moment_s, thread_free_s) + stage.ms_per_mb * buffer_mb / 1e3
            freed.append(moment_s)
            moment_s += stage.latency_ms / 1e3
        done_s.append(moment_s)
    half = followed // 2
    elapsed_s = done_s[-1] - done_s[half - 1]
    return (followed - half) * buffer_mb / elapsed_s
