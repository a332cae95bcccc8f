"""What a gain is worth in the client's own hours, in whole sentences."""

from datetime import UTC, datetime, time

import pytest

from app.domain.agreed import Agreement
from app.domain.own_load import OwnLoad
from app.reporting.own_hours import own_load_text

NIGHT = datetime(2026, 1, 5, 22, 10, tzinfo=UTC)
MORNING = datetime(2026, 1, 6, 7, 50, tzinfo=UTC)
BEHIND = "Your own load: PUB1-SUB1 was behind from 2026-01-05 22:10 UTC until about 2026-01-06 07:50 UTC, while"


def at(hour: int, minute: int) -> datetime:
    """Return a time of the next morning."""
    return MORNING.replace(hour=hour, minute=minute)


@pytest.mark.parametrize(
    ("load", "says"),
    [
        (None, ""),
        (OwnLoad("PUB1-SUB1", 48.0), "In the 48 h of history kept before the run, PUB1-SUB1 was never behind"),
        (
            OwnLoad("PUB1-SUB1", 48.0, 3_124_567, NIGHT, MORNING, at(4, 10), at(3, 50), at(4, 30)),
            f"{BEHIND} 3,120,000 commands came. With this gain it has caught up at about 2026-01-06 04:10 UTC "
            "(2026-01-06 03:50 UTC to 2026-01-06 04:30 UTC). Worked out from 48 h of its history, not measured.",
        ),
        (
            OwnLoad("PUB1-SUB1", 48.0, 3_124_567, NIGHT, MORNING),
            f"{BEHIND} 3,120,000 commands came. With this gain it keeps up, also at the near end of the interval. "
            "Worked out from 48 h of its history, not measured.",
        ),
        (
            OwnLoad("PUB1-SUB1", 48.0, 3_124_567, NIGHT, MORNING, latest=at(0, 20)),
            "With this gain it keeps up; at the near end of the interval it has caught up at about 2026-01-06 00:20",
        ),
        (
            OwnLoad("PUB1-SUB1", 48.0, 3_124_567, NIGHT, MORNING, at(4, 10), None, at(4, 30)),
            "With this gain it has caught up at about 2026-01-06 04:10 UTC. Worked out",
        ),
    ],
)
def test_a_load_is_told_with_what_is_worked_out_of_it(load: OwnLoad | None, says: str) -> None:
    """What was, what would be with its interval, and that this is not measured."""
    assert says in own_load_text(load)


AS_IT_WAS = OwnLoad(
    "PUB1-SUB1", 48.0, 3_124_567, NIGHT, MORNING, at(4, 10), at(3, 50), at(6, 30), 7_200.0, (2_400.0, 4_320.0, 600.0)
)


@pytest.mark.parametrize(
    ("agreed", "says"),
    [
        (
            Agreement(due=time(6, 40)),
            "Agreed: arrived by 2026-01-06 06:40 UTC. It was missed. With this gain it is met, also at the near end",
        ),
        (
            Agreement(due=time(6, 0)),
            "It was missed. With this gain it is met, but not at the near end of the interval.",
        ),
        (Agreement(due=time(4, 0)), "It was missed. With this gain it is still missed."),
        (Agreement(due=time(22, 0)), "Agreed: arrived by 2026-01-06 22:00 UTC. It was met."),
        (
            Agreement(most_behind_min=60),
            "Agreed: at most 1 h behind. It was missed: up to 2 h. With this gain it is up to 40 min "
            "(10 min to 1 h 12 min). With this gain it is met, but not at the near end of the interval.",
        ),
        # 9 h 40 min behind, 6 h at the gain, from 5 h 40 min to 8 h 20 min
        (
            Agreement(hourly_cost=300.0, currency="EUR"),
            "At 300 EUR for an hour behind that load cost 2,900 EUR; with this gain at most 1,800 EUR "
            "(1,700 EUR to 2,500 EUR).",
        ),
    ],
)
def test_what_was_agreed_is_held_against_the_load(agreed: Agreement, says: str) -> None:
    """Met or not, as it was and with the gain and its interval; all of it worked out, and told as that."""
    told = own_load_text(AS_IT_WAS, agreed)
    assert says in told.replace("\u00a0", " ")
    assert told.endswith("Worked out from 48 h of its history, not measured.")


def test_without_a_load_nothing_is_claimed_of_what_was_agreed() -> None:
    """No history, or one in which nothing was late."""
    agreed = Agreement(due=time(6, 0))
    assert "cannot be told" in own_load_text(None, agreed)
    assert own_load_text(OwnLoad("PUB1-SUB1", 48.0), agreed).endswith("What was agreed was met all that time.")
