"""A second process at the hand-over of a large session: the same report, and nothing but time depends on it."""

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.charts.renderer import PyqtgraphRenderer
from app.domain.plot import Figure, Mark, PlotSpec, Series
from app.runner.control import RunControl
from app.services.hand_over import second_process
from app.services.hand_over.report_and_scripts import ReportOptions, write_session_report
from app.services.hand_over.second_process import Helper, SharedRenderer, helper_for
from app.services.plan.demonstration import demo_runs
from app.services.run.guided_session import GuidedSession
from app.services.run.side_by_side import run_demonstration
from app.services.workplace import open_workplace
from app.store import open_for_reading
from tests.patience import PATIENCE_S
from tests.read_once import drawn_anew

ISSUED = re.compile(rb"\d{4}-\d\d-\d\d \d\d:\d\d")


@pytest.fixture(scope="module")
def session_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of one experiment."""
    folder, program = tmp_path_factory.mktemp("session"), build_program()
    (planned,) = demo_runs(program.families, ["seeding"], 1)
    with GuidedSession(open_workplace(folder), folder / "j", program.parts.open_target, title="x") as session:
        run_demonstration([planned], program, session, 1, RunControl(), lambda _event: None, workers=1)
    return folder / "session.replitune"


@pytest.fixture(autouse=True)
def each_figure_is_drawn() -> Iterator[None]:
    """None is taken from a test before: who draws it is what these tests are about."""
    with drawn_anew():
        yield


@pytest.fixture
def helper() -> Iterator[Helper]:
    """A process that helps."""
    made = Helper()
    yield made
    made.close()


def plots(count: int) -> list[PlotSpec]:
    """Return plots that differ."""
    line = Series("line", Mark.LINE, (0.0, 1.0, 2.0), (1.0, 3.0, 2.0))
    points = Series("points", Mark.POINTS, (0.0, 1.0), (2.0, 1.0))
    return [
        PlotSpec(
            f"F/{number}",
            f"Figure {number}",
            "A line and points.",
            "x",
            "y",
            (replace(line, x=(0.0, 1.0, 2.0 + number)), points),
        )
        for number in range(count)
    ]


class Counting:
    """A renderer that counts what it drew."""

    def __init__(self) -> None:
        self.renderer = PyqtgraphRenderer()
        self.drawn: list[str] = []
        self.before: Callable[[], object] = lambda: None

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Draw them."""
        self.before()
        self.drawn += [plot.plot_id for plot in plots]
        return self.renderer.render_svg(plots)


def test_what_it_finds_and_draws_is_what_this_process_would(helper: Helper, session_file: Path) -> None:
    """The fingerprint of the newest session, and each byte of a figure."""
    with open_for_reading(session_file) as reader:
        assert helper.fingerprint(session_file, None)() == reader.session_hash()
    (plot,) = plots(1)
    assert (helper.figure(plot),) == PyqtgraphRenderer().render_svg([plot])


def test_figures_come_in_their_order_whoever_drew_them(helper: Helper, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both draw, each figure is drawn once, and all are what one alone draws."""
    wanted, own, there = plots(12), Counting(), threading.Event()
    draw = helper.figure

    def noting(plot: PlotSpec) -> bytes | None:
        drawn = draw(plot)
        there.set()
        return drawn

    monkeypatch.setattr(helper, "figure", noting)
    own.before = lambda: there.wait(PATIENCE_S)
    assert SharedRenderer(own, helper).render_svg(wanted) == PyqtgraphRenderer().render_svg(wanted)
    assert 0 < len(own.drawn) < len(wanted)
    assert own.drawn == [plot.plot_id for plot in wanted[: len(own.drawn)]]


def test_a_helper_begins_ahead_with_what_is_probably_asked_for(helper: Helper) -> None:
    """What it drew meanwhile is not drawn again; of what it expected in vain nothing comes, what is new is drawn."""
    first, second, third, fourth = plots(4)
    own = Counting()
    shared = SharedRenderer(own, helper, [first, second])
    shared._helping.join()
    assert shared.render_svg([first, second]) == PyqtgraphRenderer().render_svg([first, second])
    assert own.drawn == []
    assert shared.render_svg([fourth, second, third]) == PyqtgraphRenderer().render_svg([fourth, second, third])
    assert set(own.drawn) <= {fourth.plot_id, third.plot_id}
    surprised = SharedRenderer(own, helper, [first, second, third])
    for plot in (first, second, third):
        assert surprised.render_svg([plot]) == PyqtgraphRenderer().render_svg([plot])


def test_a_helper_that_ends_costs_nothing_but_time(monkeypatch: pytest.MonkeyPatch, session_file: Path) -> None:
    """One that answers nothing: all is found and drawn here."""
    monkeypatch.setattr(second_process, "COMMAND", "--version")
    gone, own, wanted = Helper(), Counting(), plots(5)
    try:
        assert gone.fingerprint(session_file, None)() is None
        assert len(SharedRenderer(own, gone).render_svg(wanted)) == len(wanted)
        assert sorted(own.drawn) == [plot.plot_id for plot in wanted]
    finally:
        gone.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a process is stopped by a signal")
def test_a_helper_that_stands_still_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, helper: Helper, session_file: Path
) -> None:
    """As one a virus scanner holds: what it was asked for is done here after a while."""
    os.kill(helper._process.pid, signal.SIGSTOP)
    monkeypatch.setattr(second_process, "_PATIENCE_S", 0.1)
    own, wanted = Counting(), plots(5)
    assert helper.fingerprint(session_file, None)() is None
    assert len(SharedRenderer(own, helper).render_svg(wanted)) == len(wanted)
    assert sorted(own.drawn) == [plot.plot_id for plot in wanted]


def test_a_plot_that_cannot_be_drawn_is_told_by_its_name(helper: Helper) -> None:
    """As without a helper: it tells nothing, and whoever asked meets it."""
    wrong = replace(plots(1)[0], plot_id="F/wrong", series=(Series("s", Mark.LINE, (0.0, 1.0), (1.0,)),))
    with pytest.raises(ValueError, match="F/wrong"):
        SharedRenderer(PyqtgraphRenderer(), helper).render_svg([*plots(3), wrong])
    assert helper.figure(plots(1)[0]) is not None


def test_the_report_of_a_large_session_is_the_same(
    monkeypatch: pytest.MonkeyPatch, session_file: Path, tmp_path: Path
) -> None:
    """Alone where the file is small, by two where it is large."""
    program, started = build_program(), list[Helper]()

    class Watched(Helper):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

    monkeypatch.setattr(second_process, "Helper", Watched)
    monkeypatch.setattr(second_process, "processors", lambda: 2)
    reports = {}
    for name, large_bytes in (("alone", 10**12), ("helped", 1)):
        monkeypatch.setattr(second_process, "_LARGE_BYTES", large_bytes)
        out = tmp_path / f"{name}.html"
        write_session_report(session_file, out, program.advisor, PyqtgraphRenderer(), ReportOptions())
        reports[name] = ISSUED.sub(b"", out.read_bytes())
        assert len(started) == (name == "helped")
    assert reports["helped"] == reports["alone"]


def test_nothing_is_started_for_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Whoever reads it tells that."""
    with helper_for(tmp_path / "missing.replitune") as none:
        assert none is None
