"""The order of tests over workers."""

from tests.longest_first import longest_first
from tests.rows import every_row


def _stretches(tests: list[str], workers: int) -> list[list[str]]:
    """Return what each worker is given first, as pytest-xdist does it."""
    given, left = [], tests
    for worker in range(workers):
        length = len(left) // (workers - worker)
        given.append(left[:length])
        left = left[length:]
    return given


@every_row("workers", [1, 2, 3, 4])
@every_row("count", [0, 1, 5, 40, 41, 43])
@every_row("long", [0, 1, 3, 9])
def test_every_worker_begins_with_its_share_of_the_long_ones(workers: int, count: int, long: int) -> None:
    """No test is lost, none is run twice, and the others stay beside each other."""
    tests = [f"{'long' if number < long else 'short'} {number}" for number in range(count)][::-1]
    ordered = longest_first(tests, lambda test: test.startswith("long"), workers)
    assert sorted(ordered) == sorted(tests)
    assert [test for test in ordered if test.startswith("short")] == [t for t in tests if t.startswith("short")]
    if count >= long * workers:
        for stretch in _stretches(ordered, workers):
            kinds = [test.split()[0] for test in stretch]
            assert kinds == sorted(kinds), "a short one comes before a long one"
            assert abs(kinds.count("long") - min(long, count) / workers) < 1
