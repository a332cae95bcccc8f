"""Tables tested as one test that names each row that fails.

For a row that is looked at within a millisecond, pytest's own work (collecting it in each process, setting it up,
reporting it) costs several times what is looked at; its subtests are reported one by one, too. A table whose rows take
long, need fixtures of their own or may be skipped is parametrised instead.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

_FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)


def every_row(
    names: str | Sequence[str], rows: Iterable[Any], *, ids: Callable[[Any], str] | Iterable[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that calls a test with each row, whatever became of those before it.

    Args:
        names: of the arguments a row holds; a row of a single one is its value.
        ids: what a failing row is called, or what calls it so; its values without.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [(row,) if len(arguments) == 1 else tuple(row) for row in rows]
    if ids is None or callable(ids):
        named = [", ".join(str(ids(value) if ids else value) for value in row) for row in table]
    else:
        named = list(ids)
    assert table, f"no row of {names}"

    def of_test(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def all_rows(**fixtures: Any) -> None:
            failed: dict[str, BaseException] = {}
            for name, row in zip(named, table, strict=True):
                try:
                    test(**fixtures, **dict(zip(arguments, row, strict=True)))
                except _FAILURES as failure:
                    failed[name] = failure
            if failed:
                told = [f"[{name}] {type(failure).__name__}: {failure}" for name, failure in failed.items()]
                first = next(iter(failed.values()))
                raise AssertionError("\n".join([f"{len(failed)} of {len(table)} rows fail:", *told])) from first

        taken = inspect.signature(test)
        others = [parameter for name, parameter in taken.parameters.items() if name not in arguments]
        all_rows.__signature__ = taken.replace(parameters=others)  # type: ignore[attr-defined]  # what pytest reads
        return all_rows

    return of_test
