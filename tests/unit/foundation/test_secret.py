"""Secrets do not leak through printing, formatting or pickling."""

import pickle

import pytest

from app.foundation.secret import Secret


def test_secret_shows_only_stars() -> None:
    """However it is printed, the password does not appear."""
    secret = Secret("hunter2")
    assert "hunter2" not in f"{secret} {secret!r} {[secret]} %s" % secret
    assert secret.reveal() == "hunter2"


def test_secret_cannot_be_pickled() -> None:
    """It cannot be copied to disk by accident."""
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(Secret("hunter2"))
