"""The hand-over of the sample session is, byte for byte, the one that was looked at."""

import pytest

from tests.golden.expected import FOLDER, produce


@pytest.mark.parametrize("name", sorted(produce()))
def test_hand_over_is_as_it_was_looked_at(name: str) -> None:
    """Texts, scripts and exports change only on purpose."""
    assert produce()[name].decode() == (FOLDER / name).read_bytes().decode()


def test_no_expected_file_is_left_over() -> None:
    """Every kept file is still produced."""
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(produce())
