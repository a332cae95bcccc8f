"""A client's agreement on delivery, as a person writes it."""

from datetime import UTC, datetime, time

import pytest

from app.domain.agreed import Agreement, agreement_of
from app.domain.errors import BadInput
from app.domain.own_words import own_words


def test_an_agreement_is_read_as_it_is_written() -> None:
    """A time, minutes, a price; each may be left out."""
    written = {"due": "6:00", "most_behind": "15", "hourly_cost": "400 eur"}
    assert agreement_of(written) == Agreement(time(6, 0), 15, 400.0, "EUR")
    assert agreement_of({"hourly_cost": "99.50€"}) == Agreement(hourly_cost=99.5, currency="€")
    assert agreement_of({"due": " ", "title": "Nights"}) is None


@pytest.mark.parametrize(
    "written",
    [{"due": "24:00"}, {"due": "early"}, {"most_behind": "-5"}, {"most_behind": "1.5"}, {"hourly_cost": "400"}],
)
def test_anything_else_is_refused(written: dict[str, str]) -> None:
    """With a sentence that quotes it and shows how it is written; a file that holds it tells of no agreement."""
    with pytest.raises(BadInput, match=f'^"{next(iter(written.values()))}": give'):
        agreement_of(written)
    assert own_words(written).agreed is None


def test_it_is_due_the_first_time_behind_the_begin() -> None:
    """A load of the night is due in the morning, one that begins at that minute the day after."""
    agreed = Agreement(due=time(6, 0))
    night = datetime(2026, 1, 5, 22, 10, tzinfo=UTC)
    assert agreed.due_after(night) == datetime(2026, 1, 6, 6, 0, tzinfo=UTC)
    assert agreed.due_after(night.replace(hour=6, minute=0)) == datetime(2026, 1, 6, 6, 0, tzinfo=UTC)
    assert Agreement(most_behind_min=5).due_after(night) is None
