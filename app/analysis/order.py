"""In which order the settings of a block are run, so that a drifting server favours none of them."""

import random
from collections.abc import Iterable
from functools import lru_cache

from app.domain.setting import Setting


def block_order(settings: Iterable[Setting], baseline: Setting, block: int, seed: int) -> tuple[Setting, ...]:
    """Return the settings of one block in the order to run them, the baseline always among them.

    Odd blocks are in random order, each even block mirrors the one before it: every setting is as often early as late,
    so a steady drift cancels over the two. With two settings that is ABBA. The order depends on the arguments alone,
    and a setting that drops out between two blocks leaves the order of the others as it is.

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
    pair = (block - 1) // 2
    chosen = {*settings, baseline}
    return tuple(sorted(chosen, key=lambda setting: _lot(setting.label(), pair, seed), reverse=block % 2 == 0))


@lru_cache(maxsize=4_096)
def _lot(label: str, pair: int, seed: int) -> tuple[float, str]:
    """Draw a setting's place within a pair of blocks; the same on every machine and Python version."""
    return random.Random(f"{seed}/{pair}/{label}").random(), label
