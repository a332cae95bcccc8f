"""The worth of a gain in the client's own hours, in words: by the history that the server keeps."""

import math
from datetime import datetime

from app.domain.agreed import Agreement
from app.domain.own_load import OwnLoad
from app.foundation.texts import _
from app.reporting.agreed_words import agreed_texts, clock_time, unknown_text
from app.reporting.numbers import moment, number


def own_load_text(load: OwnLoad | None, agreed: Agreement | None = None) -> str:
    """Return when the heaviest load of the kept history was delivered, and when it would be; "" where unknown.

    The client's agreement is held against both.
    """
    if load is None:
        return unknown_text(agreed)
    hours = number(round(load.kept_h))
    if load.began is None or load.came is None:
        text = _(
            "In the {hours} h of history kept before the run, {place} was never behind by more than a minute: the gain "
            "shows when it is."
        )
        return " ".join((text.format(hours=hours, place=load.place), *agreed_texts(load, agreed)))
    was = _(
        "Your own load: {place} was behind from {began} until about {came}, while {commands} commands came."
    ).format(
        place=load.place,
        began=moment(load.began),
        came=clock_time(load.came, load.began),
        commands=number(_to_three_digits(load.commands)),
    )
    from_where = _("Worked out from {hours} h of its history, not measured.").format(hours=hours)
    return " ".join((was, _then(load, load.began), *agreed_texts(load, agreed), from_where))


def _then(load: OwnLoad, began: datetime) -> str:
    latest = load.latest
    if load.comes is None and latest is None:
        return _("With this gain it keeps up, also at the near end of the interval.")
    if load.comes is None and latest is not None:
        return _(
            "With this gain it keeps up; at the near end of the interval it has caught up at about {latest}."
        ).format(latest=clock_time(latest, began))
    if load.earliest is None or latest is None or load.comes is None:
        return _("With this gain it has caught up at about {comes}.").format(
            comes=clock_time(load.comes or began, began)
        )
    return _("With this gain it has caught up at about {comes} ({earliest} to {latest}).").format(
        comes=clock_time(load.comes, began), earliest=clock_time(load.earliest, began), latest=clock_time(latest, began)
    )


def _to_three_digits(count: int) -> int:
    return round(count, 2 - math.floor(math.log10(count))) if count else 0
