"""The client's agreement held against their own load, as it was and at a gain, in words."""

from collections.abc import Iterator
from datetime import datetime

from app.domain.agreed import Agreement
from app.domain.own_load import OwnLoad
from app.foundation.texts import _
from app.reporting.numbers import duration, moment, number


def agreed_texts(load: OwnLoad, agreed: Agreement | None) -> Iterator[str]:
    """Yield whether the agreement was met, and would be, and the cost of being behind, a sentence or two each."""
    if agreed is None:
        return
    if load.began is None or load.came is None:
        yield _("What was agreed was met all that time.")
        return
    yield from _due(load, agreed, load.began, load.came)
    yield from _behind(load, agreed)
    yield from _cost(load, agreed, load.began, load.came)


def unknown_text(agreed: Agreement | None) -> str:
    """Return that nothing tells whether the agreement is met, "" where there is none."""
    if agreed is None:
        return ""
    return _("Whether what was agreed is met cannot be told: no history of the load is kept, or none that explains it.")


def clock_time(when: datetime, began: datetime) -> str:
    """Return a time of day, with its date on another day than the one it began on."""
    return f"{when:%H:%M}" if when.date() == began.date() else moment(when)


def _due(load: OwnLoad, agreed: Agreement, began: datetime, came: datetime) -> Iterator[str]:
    due = agreed.due_after(began)
    if due is None:
        return
    told = _("Agreed: arrived by {due}. It was met.") if came <= due else _("Agreed: arrived by {due}. It was missed.")
    yield told.format(due=moment(due))
    usual, near = load.comes or began, load.latest or load.comes or began
    yield _would_be(is_met=usual <= due, is_met_near=near <= due)


def _behind(load: OwnLoad, agreed: Agreement) -> Iterator[str]:
    if agreed.most_behind_min is None:
        return
    most_s = agreed.most_behind_min * 60.0
    text = _("Agreed: at most {most} behind. It was missed: up to {behind}.")
    if load.behind_s <= most_s:
        text = _("Agreed: at most {most} behind. It was met: up to {behind}.")
    yield text.format(most=duration(most_s), behind=duration(load.behind_s))
    usual, near, far = load.would_be_behind_s
    range_text = _("With this gain it is up to {usual} ({far} to {near}).")
    yield range_text.format(usual=duration(usual), far=duration(far), near=duration(near))
    yield _would_be(is_met=usual <= most_s, is_met_near=near <= most_s)


def _would_be(*, is_met: bool, is_met_near: bool) -> str:
    if is_met_near:
        return _("With this gain it is met, also at the near end of the interval.")
    if is_met:
        return _("With this gain it is met, but not at the near end of the interval.")
    return _("With this gain it is still missed.")


def _cost(load: OwnLoad, agreed: Agreement, began: datetime, came: datetime) -> Iterator[str]:
    """Yield the price of that load; at a gain it begins to wait no sooner, and the price is at most this."""
    if agreed.hourly_cost is None:
        return
    text = _("At {price} for an hour behind that load cost {today}; with this gain at most {then} ({low} to {high}).")
    ends = (came, load.comes or began, load.earliest or began, load.latest or load.comes or began)
    today, then, low, high = (_money(agreed, began, end) for end in ends)
    price = _price(agreed.hourly_cost, agreed.currency)
    yield text.format(price=price, today=today, then=then, low=low, high=high)


def _money(agreed: Agreement, began: datetime, ended: datetime) -> str:
    hours = (ended - began).total_seconds() / 3600
    return _price(float(f"{(agreed.hourly_cost or 0.0) * hours:.3g}"), agreed.currency)


def _price(amount: float, currency: str) -> str:
    return f"{number(int(amount) if amount == int(amount) else amount)}\u00a0{currency}"
