"""Every text that figures and the comparison of two runs in windows show, in the language of the process."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.bootstrap import build_program
from app.domain.load import Load
from app.domain.metrics import THROUGHPUT
from app.domain.plot import PlotSpec
from app.domain.session import SessionRecord
from app.domain.view import TableContent
from app.domain.work_source import SOURCE, WorkSource
from app.flows.explain.compare_view import ShownComparison, compare
from app.flows.explain.runs_overlay import overlay_runs
from app.flows.run.run_effect import effect_by_block
from app.services.hand_over.past_sessions import RunKey, list_trials
from app.store import create_session_file
from tests.unit.services.test_advising import STREAMS, measured

AGAIN = "S20261205-080000-d4e5f6"


def in_windows() -> SessionRecord:
    """Return a session of one run in windows."""
    load = Load.from_mapping({SOURCE: str(WorkSource.OWN_BACKLOG)})
    plan = replace(STREAMS, load=load, design=replace(STREAMS.design, confirm_blocks=3))
    explored = {1: (600.0, 606.0, 594.0), 8: (1_100.0, 1_111.0, 1_089.0), 16: (900.0, 909.0, 891.0)}
    return measured(plan, explored, {1: (600.0, 606.0, 594.0), 8: (1_100.0, 1_105.0, 1_095.0)}, metric=THROUGHPUT)


def texts(folder: Path) -> dict[str, list[str]]:
    """Return the texts by the figure or table that shows them."""
    session, program = in_windows(), build_program()
    path = folder / "client.replitune"
    with create_session_file(path) as store:
        store.add_session(session)
        store.add_session(replace(session, session_id=AGAIN))
    run = session.runs[0]
    effect = effect_by_block(program.families[run.plan.family], run.plan, run.trials)
    assert effect is not None
    shown = compare(path, f"{session.session_id}/{run.run_id}", f"{AGAIN}/{run.run_id}", program)
    figures = (*program.advisor.advise(session).plots, effect, *shown.plots)
    metrics = program.families[run.plan.family].main_metrics
    runs = list_trials(path, [RunKey(session.session_id, run.run_id), RunKey(AGAIN, run.run_id)], metrics)
    overlaid = overlay_runs(THROUGHPUT, [("E1", runs[0]), ("again", runs[1])])
    assert overlaid is not None
    figures = (*figures, overlaid)
    return {**{plot.plot_id: list(_of_figure(plot)) for plot in figures}, "compare": list(_compared(shown))}


def _of_figure(plot: PlotSpec) -> Iterator[str]:
    yield from (plot.title, plot.alt, plot.x_label, plot.y_label, plot.reference_label)
    yield from (text for _at, text in plot.x_ticks)
    yield from (series.label for series in plot.series)


def _compared(shown: ShownComparison) -> Iterator[str]:
    yield shown.cautions
    for table in (shown.measured, shown.differing, shown.effects):
        yield from _of_table(table)


def _of_table(table: TableContent) -> Iterator[str]:
    for column in table.columns:
        yield from (column.title, column.hint)
    for row in table.rows:
        for cell in row.cells:
            yield from (cell.text, cell.hint)


if __name__ == "__main__":
    json.dump(texts(Path(sys.argv[1])), sys.stdout)
