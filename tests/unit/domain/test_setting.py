"""Settings: equality, order, and the limits of parameters."""

import pickle

import pytest

from app.domain.errors import BadInput
from app.domain.setting import Parameter, Setting

_PARAMETER = Parameter("ReadBatchSize", "transactions", 500, 1, 10_000, (500, 1_000), "help", "source")


def test_settings_are_equal_whatever_the_order() -> None:
    """The order in which parameters are named means nothing."""
    assert Setting.of(a=1, b=2) == Setting.from_mapping({"b": 2, "a": 1})
    assert len({Setting.of(a=1, b=2), Setting.of(b=2, a=1)}) == 1


def test_a_setting_hands_no_hash_to_another_process() -> None:
    """Texts have another hash in each process, so a kept one would hide a setting from its equals there."""
    setting = Setting.of(SubscriptionStreams=8)
    assert hash(setting) == hash(Setting.of(SubscriptionStreams=8))
    handed = pickle.loads(pickle.dumps(setting))
    assert handed == setting
    assert vars(handed) == {"values_by_name": (("SubscriptionStreams", 8),)}


def test_setting_is_a_mapping() -> None:
    """A setting answers like any mapping, and a missing parameter is a KeyError."""
    setting = Setting.of(SubscriptionStreams=8)
    assert dict(setting) == {"SubscriptionStreams": 8}
    assert setting.label() == "SubscriptionStreams 8"
    with pytest.raises(KeyError):
        setting["CommitBatchSize"]


@pytest.mark.parametrize("value", [1, 500, 10_000])
def test_parameter_accepts_its_limits(value: int) -> None:
    """Both limits are inside."""
    assert _PARAMETER.check(value, "plan.toml") == value


@pytest.mark.parametrize("value", [0, 10_001, -5])
def test_parameter_refuses_what_is_outside(value: int) -> None:
    """The sentence names the file, the parameter, the value and the limits."""
    with pytest.raises(BadInput, match=rf"plan.toml: ReadBatchSize = {value} is outside its limits, 1 to 10000"):
        _PARAMETER.check(value, "plan.toml")


@pytest.mark.parametrize("value", ["8", 8.0, True])
def test_parameter_wants_whole_numbers(value: object) -> None:
    """Text, fractions and truth values are no parameter values."""
    with pytest.raises(BadInput, match="must be a whole number"):
        _PARAMETER.check(value, "plan.toml")  # type: ignore[arg-type]  # the point of the test
