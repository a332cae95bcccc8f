"""The client's agreement on delivery, and the price of an hour behind: said once, by a person, with the own words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _

DUE, MOST_BEHIND, HOURLY_COST = "due", "most_behind", "hourly_cost"
AGREED: Final = (DUE, MOST_BEHIND, HOURLY_COST)
"""The places among a consultant's own words where it is kept."""

_TIME: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_MINUTES: Final = re.compile(r"\d{1,5}")
_MONEY: Final = re.compile(r"(\d{1,9}(?:\.\d{1,2})?) ?([A-Za-z]{3}|[€$£¥])")


@dataclass(frozen=True)
class Agreement:
    """One client's agreement.

    Attributes:
        due: by when a load must have arrived, by the clock that the report tells times in (UTC); None for no such time.
        most_behind_min: delay that is not exceeded, None where none was agreed.
        hourly_cost: of an hour behind, in `currency`; None where no price was given.
    """

    due: time | None = None
    most_behind_min: int | None = None
    hourly_cost: float | None = None
    currency: str = ""

    def due_after(self, began: datetime) -> datetime | None:
        """Return when a load that began to wait must have arrived: the first due time behind it."""
        if self.due is None:
            return None
        same_day = began.replace(hour=self.due.hour, minute=self.due.minute, second=0, microsecond=0)
        return same_day if same_day > began else same_day + timedelta(days=1)


def agreement_of(by_place: Mapping[str, str]) -> Agreement | None:
    """Return the agreement that is written there, None for none.

    Raises:
        BadInput: a time, a number of minutes or a price is not written as one.
    """
    due, behind, cost = (by_place.get(place, "").strip() for place in AGREED)
    if not (due or behind or cost):
        return None
    told, money = _TIME.fullmatch(due), _MONEY.fullmatch(cost)
    if due and told is None:
        raise BadInput(_('"{text}": give the time as 06:00').format(text=due))
    if behind and not _MINUTES.fullmatch(behind):
        raise BadInput(_('"{text}": give whole minutes, such as 15').format(text=behind))
    if cost and money is None:
        raise BadInput(_('"{text}": give a price with its currency, such as 400 EUR').format(text=cost))
    return Agreement(
        time(int(told[1]), int(told[2])) if told else None,
        int(behind) if behind else None,
        float(money[1]) if money else None,
        money[2].upper() if money else "",
    )
