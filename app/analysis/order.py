"""In which order the settings of a block are run, so that neither drift nor a rhythm of the server favours any."""

import random
from collections.abc import Iterable
from functools import lru_cache

from app.domain.setting import Setting


def block_order(settings: Iterable[Setting], baseline: Setting, block: int, seed: int) -> tuple[Setting, ...]:
    """Return the settings of one block in the order to run them, the baseline always among them.

    Each block draws an order of its own. Any systematic one meets some rhythm of the server in step: with each second
    block mirroring the one before it (ABBA), a job that comes back every four trials made false claims in up to 19 %
    of sessions; drawn anew they stay below 6.5 % at every period from 2 to 8 trials, and a steady drift costs no power
    that could be measured (by simulation, `tests/prove/noise_worlds.py`). Of two settings each goes first at least once
    in three blocks: three alike come in a quarter of draws, and a load that comes every second trial looks like an
    effect in them. The order depends on the arguments alone, and a setting that drops out between two blocks leaves the
    order of the others as it is, as long as more than two are left.

    Args:
        settings: what is to be run; repeats and the order given have no effect.
        baseline: added where it is missing, because servers drift.
        block: number of the block, from 1, counted within its phase.
        seed: another seed gives another order.

    Raises:
        ValueError: the block number is below 1.
    """
    if block < 1:
        raise ValueError(f"blocks count from 1, not {block}")
    concerned = {*settings, baseline}

    def drawn(block: int) -> tuple[Setting, ...]:
        return tuple(sorted(concerned, key=lambda setting: _lot(setting.label(), block, seed)))

    order = drawn(block)
    is_third_alike = len(order) == 2 and block % 3 == 0 and order == drawn(block - 1) == drawn(block - 2)
    return order[::-1] if is_third_alike else order


def pair_order(candidate: Setting, baseline: Setting, pair: int, seed: int) -> tuple[Setting, Setting]:
    """Return the order of a pair of windows, drawn for it alone.

    No pair makes up for those before it, as in `block_order`: where a rhythm is suspected a claim is held against all
    orders there could have been, and these must be equally likely. With every third pair turned where all would be
    alike, 6.5 % were false at periods of three and six windows (by simulation, `tests/prove/window_worlds.py`).
    """
    is_second = _lot(candidate.label(), pair, seed) > _lot(baseline.label(), pair, seed)
    return (baseline, candidate) if is_second else (candidate, baseline)


@lru_cache(maxsize=4_096)
def _lot(label: str, block: int, seed: int) -> tuple[float, str]:
    """Draw a setting's place within a block; the same on every machine and Python version."""
    return random.Random(f"{seed}/{block}/{label}").random(), label
