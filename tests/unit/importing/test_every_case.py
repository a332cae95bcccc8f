"""Every file of the folder, by the command line and by the window's own reading: read with its answers, or refused."""

from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.flows.explain.import_view import Understanding, look_at, understand, with_common_value
from tests.e2e.program import call

IMPORTS = Path(__file__).parent / "imports"

ANSWERS = {
    "grid.csv": "metric=run_time",
    "groups_of_three_tabs.txt": "decimal_mark=point",
    "n_of_transactions.csv": "n_counts=samples",
    "plus_minus.csv": "plus_minus=left_out",
    "readings_in_time.csv": "rows_are=samples",
    "runs_side_by_side.csv": "metric=run_time",
    "samples_each_second.csv": "rows_are=samples",
    "samples_with_zeros.csv": "rows_are=samples",
    "share_in_percent.csv": "shares_are=percent",
    "thousand_rows.csv": "rows_count=commands",
    "two_sheets.ods": "sheet=WAN",
}
"""What is asked about a file, and its answer; about no other file anything is asked."""

REFUSED = {
    "brackets.log": "no column holds a parameter that was varied",
    "counters.csv": "no column holds a parameter that was varied",
    "format_list.txt": "no column holds a parameter that was varied",
    "hammerdb_alone.log": "no column holds a parameter that was varied",
    "one_measured_one_computed.csv": "one measured setting only",
    "percent_faster.csv": "is worked out from others: give the values behind it",
    "sysbench_alone.txt": "no column holds a parameter that was varied",
    "waits.txt": "no column holds a parameter that was varied",
}
"""What a file lacks."""


def _answered(path: Path) -> Understanding:
    program = build_program()
    looked = look_at(str(path), program)
    name, _equals, answer = ANSWERS.get(path.name, "").partition("=")
    if not name:
        return looked
    return understand(path, looked.raw, with_common_value(looked.mapping, name, answer), program)


@pytest.mark.parametrize("path", sorted(IMPORTS.iterdir()), ids=lambda path: path.name)
def test_a_file_is_read_or_refused_alike_everywhere(path: Path) -> None:
    """One question at most, one sentence where it is refused, and the same in window and command line."""
    say = ["--say", ANSWERS[path.name]] if path.name in ANSWERS else []
    told, understood = call("advise", path, "--json", *say), _answered(path)
    if path.name in REFUSED:
        assert (told.code, told.err.count("\n")) == (2, 1)
        assert REFUSED[path.name] in told.err
        assert REFUSED[path.name] in " ".join(understood.problems).casefold()
        return
    assert (told.code, understood.problems) == (0, ())
    assert understood.preview is not None
    assert understood.preview.experiments
    if say:
        asked = call("advise", path, "--json")
        assert (asked.code, f"--say {ANSWERS[path.name].partition('=')[0]}=" in asked.err) == (2, True)
