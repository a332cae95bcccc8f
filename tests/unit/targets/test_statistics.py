"""Reading the statistics XML the agents write into their history."""

import pytest

from app.systems.transactional_replication.server.statistics import parse_statistics

COMPLETE = (
    '<stats state="1" work="1941" idle="7">\n  <reader fetch="717" wait="1225"/><writer write="1941" wait="3"/>'
    '<sincelaststats elapsedtime="304" work="9" cmds="52596" cmdspersec="5753.000000">'
    '<reader fetch="8" wait="193"/><writer write="12" wait="288"/></sincelaststats></stats>'
)


@pytest.mark.parametrize("text", [COMPLETE, COMPLETE[:160]])
def test_totals_are_read_also_from_a_cut_text(text: str) -> None:
    """The totals since start are read, not those since the last row, and also where the column cut the text."""
    found = parse_statistics(text)
    assert found is not None
    assert (found.work_s, found.idle_s) == (1941.0, 7.0)
    assert (found.reader_fetch_s, found.reader_wait_s) == (717.0, 1225.0)
    assert (found.writer_write_s, found.writer_wait_s) == (1941.0, 3.0)


@pytest.mark.parametrize("text", ["", "no xml", '<stats state="2" fetch="48" wait="384"/>', COMPLETE[:60]])
def test_other_texts_hold_no_totals(text: str) -> None:
    """Other states and broken texts are no totals, and no error."""
    assert parse_statistics(text) is None
