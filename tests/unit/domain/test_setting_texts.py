"""Values of parameters: as a person reads them, as they are typed, and as they name something."""

import pytest

from app.domain.setting import Setting, Value, label_text, typed_text, value_text
from app.foundation.texts import ungrouped


@pytest.mark.parametrize(
    ("value", "read", "typed"),
    [
        (8, "8", "8"),
        (5000, "5,000", "5000"),
        (-1, "−1", "-1"),
        (1_048_576, "1,048,576", "1048576"),
        (2500.5, "2,500.5", "2500.5"),
        ("5000", "5,000", "5000"),
        ("007", "007", "007"),
        ("16.0.4085.2", "16.0.4085.2", "16.0.4085.2"),
        ("DEPENDENT_TRANSACTIONS", "DEPENDENT_TRANSACTIONS", "DEPENDENT_TRANSACTIONS"),
        ("", "", ""),
    ],
)
def test_a_value_is_grouped_for_people_and_bare_for_programs(value: Value, read: str, typed: str) -> None:
    """A word of the vendor, a version and what begins with 0 stay as they are."""
    assert value_text(value) == read
    assert typed_text(value) == typed


def test_a_setting_reads_as_its_values_do_and_is_named_as_it_is_typed() -> None:
    """Its label is a key for programs and the seed of an order: it never changes with a convention."""
    setting = Setting.of(CommitBatchSize=5000, SubscriptionStreams=8)
    assert setting.text() == "CommitBatchSize 5,000, SubscriptionStreams 8"
    assert setting.values_text() == "5,000 × 8"
    assert setting.label() == "CommitBatchSize 5000, SubscriptionStreams 8"
    assert label_text(setting.label()) == setting.text()
    assert label_text("what the model learns most from") == "what the model learns most from"
    assert label_text("") == Setting().text() == ""


def test_what_was_grouped_is_typed_again() -> None:
    """The names of an axis go to a file as they are typed."""
    assert ungrouped("5,000 × 1,048,576 : 500") == "5000 × 1048576 : 500"
    assert ungrouped("0.5 × 12,34") == "0.5 × 12,34"
