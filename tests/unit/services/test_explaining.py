"""Sessions read and explained once, and figures drawn once."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import StoreError
from app.domain.plot import Figure, PlotSpec
from app.services.explain.explaining import Explanations
from app.services.hand_over.report_and_scripts import KeptFigures
from app.store import create_session_file
from tests.store.sample import make_record


def _file(folder: Path, *titles: str) -> Path:
    path = folder / "s.replitune"
    with create_session_file(path) as store:
        for place, title in enumerate(titles):
            store.add_session(replace(make_record(), session_id=f"S20261121-08000{place}-aaaaaa", title=title))
    return path


def test_a_session_is_explained_once_until_its_file_changes(tmp_path: Path) -> None:
    """The same session is not computed again; a file that was added to is read again."""
    explanations = Explanations(build_program())
    path = _file(tmp_path, "first")
    once = explanations.explain(path)
    assert explanations.explain(path) is once
    assert len(once.digest) == 64
    with create_session_file(path) as store:
        store.add_session(replace(make_record(), session_id="S20261122-080000-bbbbbb", title="second"))
    assert explanations.explain(path).session.title == "second"
    assert explanations.explain(path, once.session.session_id).session.title == "first"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A missing file is an error with a sentence, each time it is asked for."""
    explanations = Explanations(build_program())
    for _attempt in range(2):
        with pytest.raises(StoreError, match="nothing"):
            explanations.explain(tmp_path / "nothing.replitune")


class _Draftsman:
    """Draws a plot as its own title, and notes how often."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Return the titles."""
        self.drawn += [plot.title for plot in plots]
        return tuple(plot.title.encode() for plot in plots)


def test_each_figure_is_drawn_once() -> None:
    """A figure asked for again, alone or among others, in any order, is not drawn again."""
    one, two = (PlotSpec(title, title, "", "", "", ()) for title in ("one", "two"))
    draftsman = _Draftsman()
    figures = KeptFigures(draftsman)
    assert figures.render_svg([one]) == (b"one",)
    assert figures.render_svg([two, one, two]) == (b"two", b"one", b"two")
    assert figures.render_svg([]) == ()
    assert draftsman.drawn == ["one", "two", "two"]
