"""One reading has one value: sizes are converted in `app/domain/units.py` alone, by the unit their header declares."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.units import convert, dimension_of

APP = Path(__file__).parents[2] / "app"
SIZES = {1024, 1024**2, 1024**3, 1_000_000, 1_000_000_000}
EXCEPT = {
    "domain/units.py": "the one place",
    "reporting/numbers.py": "how a file's size is told",
    "foundation/input_file.py": "the same",
    "systems/oracle_streams/server/values.py": "K, M and G as Oracle reads them in a parameter",
    "systems/oracle_streams/rig/path.py": "the same, as Oracle shows them",
}


def test_no_size_is_converted_by_hand() -> None:
    """A factor of 1,024 in one place and of a million in another made two values of one redo queue."""
    found = [place for file in sorted(APP.rglob("*.py")) for place in _conversions(file)]
    assert not found, "\n".join(["use app.domain.units.convert:", *found])


def _conversions(file: Path) -> Iterator[str]:
    name = file.relative_to(APP).as_posix()
    # physics has constants of its own, and wires count bytes of packets
    if name in EXCEPT or "/lab/" in name or name.startswith(("lab/", "ui/")) or "/wire/" in name:
        return
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv):
            continue
        if any(isinstance(side, ast.Constant) and side.value in SIZES for side in (node.left, node.right)):
            yield f"{name}:{node.lineno}: {ast.unparse(node)}"


def test_headers_call_binary_sizes_by_their_name() -> None:
    """What SQL Server's views call KB is 1,024 bytes: KiB in a header, so that nobody takes it for 1,000."""
    columns = [line for file in APP.rglob("statements/**/*.sql") for line in file.read_text("utf-8").splitlines()]
    assert [line for line in columns if re.search(r"\[(KB|MB|GB)(/s)?\]", line)] == []
    assert [line for line in columns if "[KiB]" in line]


def test_binary_sizes_are_told_from_decimal_ones() -> None:
    """A redo queue of 1,000,000 KiB is 1,024 MB, wherever it is shown."""
    assert convert(1_000_000, "KiB", "MB") == pytest.approx(1_024.0)
    assert convert(1.0, "GiB", "MiB") == 1_024.0
    assert dimension_of("KiB/s") == dimension_of("MB/s")
    with pytest.raises(BadInput):
        convert(1.0, "KiB", "s")
