"""Watching a site: what is asked again by itself, and what is not."""

import pytest

from app.domain.errors import ConnectionLost, LoginFailed, TargetError
from app.domain.ports import StatementSink
from app.domain.target import Target
from app.services.look.discovering import Discovery
from app.services.look.watching import Watch


@pytest.mark.parametrize(("error", "asked"), [(LoginFailed("refused"), 1), (ConnectionLost("gone"), 3)])
def test_a_refused_login_is_not_asked_again(error: TargetError, asked: int) -> None:
    """A watch reads every few seconds: with a password that stopped working it would lock the account."""
    attempts: list[str] = []

    def open_target(name: str, _seed: int, _sink: StatementSink) -> Target:
        attempts.append(name)
        raise error

    watch = Watch("sqlserver://anna@db1", Discovery("sqlserver://anna@db1", ()), open_target)
    for _time in range(3):
        with pytest.raises(type(error), match=str(error)):
            watch.read()
    assert len(attempts) == asked
