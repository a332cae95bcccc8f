"""What tests share is what each would make: another plot is drawn, another document is set, and a refusal is told."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from app.charts.renderer import PyqtgraphRenderer
from app.domain.plot import Mark
from app.foundation.own_process import start_own
from app.foundation.typesetting import DOCUMENT, DocumentRefused, Order, typeset
from tests.read_once import drawn_anew
from tests.unit.charts.sample import plot_of, series_of


def document(folder: Path, text: str) -> Path:
    """Write a document to be set."""
    (folder / DOCUMENT).mkdir(parents=True)
    (folder / DOCUMENT / "main.typ").write_text(text, encoding="utf-8")
    return folder


def test_a_figure_is_drawn_for_each_plot() -> None:
    """What is taken is what would be drawn, to the byte."""
    drawing, plot = PyqtgraphRenderer(), plot_of(series_of(Mark.LINE))
    (first,), (again,), (other,) = map(drawing.render_svg, ([plot], [plot], [replace(plot, x_label="Other (s)")]))
    assert first is again
    assert b"Other" in other
    with drawn_anew():
        assert drawing.render_svg([plot]) == (first,)


def test_a_document_is_set_for_each_text_and_order(tmp_path: Path) -> None:
    """A second process is started where anything differs, and nowhere else."""
    with patch("app.foundation.typesetting.start_own", wraps=start_own) as starting:
        first = typeset(document(tmp_path / "first", "A text for tests of sharing."), Order())
        assert typeset(document(tmp_path / "again", "A text for tests of sharing."), Order()) == first
        assert starting.call_count == 1
        assert typeset(document(tmp_path / "other", "Another text for tests of sharing."), Order()) != first
        pictures = typeset(document(tmp_path / "drawn", "A text for tests of sharing."), Order(pixels_per_inch=20))
        assert pictures[0].startswith(b"\x89PNG")
        assert starting.call_count == 3


def test_a_refusal_is_told_each_time(tmp_path: Path) -> None:
    """It is no file that could be shared."""
    for name in ("first", "again"):
        with pytest.raises(DocumentRefused):
            typeset(document(tmp_path / name, "#nothing-of-that-name"), Order())
