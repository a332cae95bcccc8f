"""What a session keeps of where it measured."""

from typing import cast

from app.domain.events import RunStatus
from app.domain.session import Environment
from app.domain.statement import ReadingCost
from app.domain.target import Target
from app.services.run.environment import with_reading_cost


class _Counted:
    def reading_cost(self) -> tuple[ReadingCost, ...]:
        return (ReadingCost("DIST1", 2886.0, 433_140), ReadingCost("SUB1", 17.0, 2_820))


def test_what_reading_cost_is_told_in_units_a_person_uses() -> None:
    """Seconds where milliseconds grow to thousands, and grouped as the language of the program does."""
    told = with_reading_cost(Environment("lab"), cast(Target, _Counted()), RunStatus.SUCCEEDED)
    assert [text.replace("\u00a0", " ") for _name, text, _unit in told.facts] == [
        "DIST1: 2.89 s of processor time, 433,140 pages read",
        "SUB1: 17 ms of processor time, 2,820 pages read",
    ]
