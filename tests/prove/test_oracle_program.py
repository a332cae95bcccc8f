"""The program as a process, over Oracle's protocol: a whole session, killed at its statements, and met by another."""

import os
import signal
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End
from app.drivers.oracle.wire.shared_lab import Rows
from tests.dying import HARDEST, is_killed
from tests.e2e.oracle_wire import LEAVES_SOCKETS, served
from tests.e2e.program import Ended, call, run_alone, spawn
from tests.patience import PATIENCE_S, PAUSE_S
from tests.prove.group_faults import SETTLE_S, differences
from tests.prove.shares import Share
from tests.prove.streams_session import PLANS, PosedStreams

pytestmark = [pytest.mark.prove, *LEAVES_SOCKETS]
MOMENTS = 9


@dataclass(frozen=True)
class Moment:
    """When the program is killed: as one of its statements arrives, or once the database has run it."""

    at: int
    comes_after: bool


class KillingLab(PosedStreams):
    """A lab that kills its client, or has it stand still.

    Attributes:
        moment: when. process_id: whom. how: by which signal.
    """

    how = HARDEST

    def __init__(self) -> None:
        super().__init__("streams-12c")
        self.moment = Moment(0, comes_after=False)
        self.process_id = 0

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
        """Run a statement, unless its sender is killed before."""
        is_due = len(self.calls) + 1 == self.moment.at
        if is_due and not self.moment.comes_after:
            os.kill(self.process_id, self.how)
        rows = super().run(statement, end, binds)
        if is_due and self.moment.comes_after:
            os.kill(self.process_id, self.how)
        return rows


def _arguments(folder: Path, key: str) -> tuple[object, ...]:
    plan = folder / "plan.toml"
    plan.write_text(PLANS["apply"].replace("PARALLELISM = [1, 4]\n", ""), encoding="utf-8")
    return "run", plan, "--target", key, "--out", folder / "out", "--journal", folder / "journal"


def _restored(folder: Path) -> Ended:
    return call("restore", "--journal", folder / "journal")


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many statements a whole session sends, which ends well, is handed over, and leaves nothing to restore."""
    folder, lab = tmp_path_factory.mktemp("whole"), KillingLab()
    before = lab.truth()
    with served(lab) as port:
        ended = run_alone(*_arguments(folder, port.key))
        assert ended.code == 0, ended
        assert {file.name for file in (folder / "out").iterdir()} >= {"report.pdf", "rollback.sql", "session.replitune"}
        count = len(lab.calls)
        assert _restored(folder).code == 0
        lab.settle(SETTLE_S)
        assert lab.truth() == before, differences(before, lab.truth())
    return count


@pytest.mark.parametrize("comes_after", [False, True], ids=["before", "after"])
def test_a_program_killed_at_a_statement_is_restored_by_the_next(
    statements: int, comes_after: bool, share: Share, tmp_path: Path
) -> None:
    """Whatever it left stands in the journal; `restore` puts both databases back, and a second one finds nothing."""
    step = statements // MOMENTS
    moments = [Moment(at, comes_after) for at in range(step // 2 + comes_after, statements, step)]
    left_open = 0
    for moment in share.of(moments, lambda one: one.at % 2):
        folder, lab = tmp_path / str(moment.at), KillingLab()
        folder.mkdir()
        before = lab.truth()
        with served(lab) as port:
            lab.moment = moment
            with closing(_Started(folder, port.key)) as started:
                lab.process_id = started.process_id
                assert is_killed(started.exit_code()), moment
            lab.moment = Moment(0, comes_after=False)
            lab.settle(SETTLE_S)
            is_same = lab.truth() == before
            ended = _restored(folder)
            assert ended.code == 0, (moment, ended)
            lab.settle(SETTLE_S)
            assert lab.truth() == before, (moment, differences(before, lab.truth()), is_same)
            assert _restored(folder).code == 0
            left_open += not is_same
    print(f"killed {'after' if comes_after else 'before'} a statement, {share}: {left_open} left something to restore")


def test_a_second_laptop_is_refused_while_a_first_one_changes_the_databases(
    statements: int, share: Share, tmp_path: Path
) -> None:
    """It is told so in one sentence and changes nothing, wherever the first one is; that one ends as ever."""
    moments = [Moment(statements * part // MOMENTS, comes_after=True) for part in (2, 5, 7)]
    for moment in share.of(moments, lambda _one: 0):
        first, second, lab = tmp_path / f"first{moment.at}", tmp_path / f"second{moment.at}", KillingLab()
        first.mkdir()
        second.mkdir()
        before = lab.truth()
        lab.how = signal.SIGSTOP
        with served(lab) as port:
            lab.moment = moment
            with closing(_Started(first, port.key)) as started:
                lab.process_id = started.process_id
                for _look in range(int(PATIENCE_S / PAUSE_S)):
                    if len(lab.calls) >= moment.at:
                        break
                    time.sleep(PAUSE_S)
                lab.moment = Moment(0, comes_after=False)
                midst = lab.truth()
                refused = call(*_arguments(second, port.key))
                assert refused.code == 2, refused
                assert "another computer or window of Replitune is changing this server" in refused.err, refused
                assert lab.truth() == midst
                os.kill(started.process_id, signal.SIGCONT)
                assert started.exit_code() == 0
            lab.settle(SETTLE_S)
            assert lab.truth() == before, (moment, differences(before, lab.truth()))


class _Started:
    """The program in a process of its own, begun at once and killed at the lab's word."""

    def __init__(self, folder: Path, key: str) -> None:
        self._process = spawn(*_arguments(folder, key))
        self.process_id = self._process.pid

    def exit_code(self) -> int:
        """Wait for its end."""
        self._process.communicate()
        return self._process.returncode

    def close(self) -> None:
        """End it, should it still run."""
        self._process.kill()
        self._process.communicate()
