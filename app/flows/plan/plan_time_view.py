"""What a plan made for the time there is comes to, in one sentence."""

from datetime import datetime

from app.flows.plan.plan_summary import clock_after
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.services.plan.plan_time import TimedPlan


def timed_sentence(timed: TimedPlan, time_s: float, now: datetime | None) -> str:
    """Return what was chosen for a time and when it would end, or that nothing fits.

    Args:
        now: the person's time of day, None where the target's time is virtual.
    """
    if not timed.fits:
        return _(
            "Even the shortest design takes up to {longest}, more than {time}; try fewer values or a smaller workload."
        ).format(longest=duration_text(timed.longest_s), time=duration_text(time_s))
    design, outlook = timed.plan.design, timed.outlook
    words = _("{blocks} exploring and {confirm} confirmation blocks: about {time}, {longest} with all further ones")
    if outlook.trials == outlook.settings * design.blocks:
        words = _("{blocks} blocks: about {time}")
    chosen = words.format(
        blocks=design.blocks,
        confirm=design.confirm_blocks,
        time=duration_text(outlook.duration_s),
        longest=duration_text(timed.longest_s),
    )
    if now is None:
        return f"{chosen}."
    clock = clock_after(now, timed.longest_s)
    return _("{chosen}. If started now, it ends at about {clock}.").format(chosen=chosen, clock=clock)
