"""Secrets do not leak through printing, formatting or pickling."""

import pickle

import pytest

from app.foundation.secret import Secret, without_password, without_passwords


def test_secret_shows_only_stars() -> None:
    """However it is printed, the password does not appear."""
    secret = Secret("hunter2")
    assert "hunter2" not in f"{secret} {secret!r} {[secret]} %s" % secret
    assert secret.reveal() == "hunter2"


def test_secret_cannot_be_pickled() -> None:
    """It cannot be copied to disk by accident."""
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(Secret("hunter2"))


@pytest.mark.parametrize("part", ["pass", "=", "%25", "x%2525", "pass ", " ", "pw-"])
def test_a_long_text_is_looked_through_once(part: str) -> None:
    """With the square of its length, let alone the cube, half a million characters would not come to an end."""
    text = part * (500_000 // len(part))
    assert without_password(f"{text};Kennwort = hidden").count("hidden") == 0


@pytest.mark.parametrize("typed", ["06:00 UTC", "6:00", "22:00:00 CET", "06:00+01:00"])
def test_a_time_of_day_is_no_login(typed: str) -> None:
    """What somebody typed for a time is repeated as it was typed; a login and its password are not."""
    assert without_passwords(f'"{typed}" is no time', ("--due", typed)) == f'"{typed}" is no time'
    assert "hunter2" not in without_passwords("sa:hunter2 is no time", ("--due", "sa:hunter2"))
    assert "34abcdefg" not in without_passwords("12:34abcdefg is no time", ("--due", "12:34abcdefg"))
