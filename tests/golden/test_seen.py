"""What is seen of simulated systems is, byte for byte, what was looked at."""

import pytest

from tests.golden.seen import LABS, NAMES, ROOT, produce


@pytest.mark.parametrize("name", NAMES)
def test_what_is_seen_is_as_it_was_looked_at(name: str) -> None:
    """Discovery, a look, curves and measures of trials change only on purpose."""
    assert produce(name) == (ROOT / name).read_text("utf-8")


def test_no_expected_file_is_left_over() -> None:
    """Every kept file is still produced."""
    assert sorted(path.relative_to(ROOT).as_posix() for folder in LABS for path in (ROOT / folder).iterdir()) == sorted(
        NAMES
    )
