"""The fault matrix of tracer tokens over TDS: whatever goes wrong, only the program's own tokens are gone then."""

from pathlib import Path

import pytest

from app.systems.transactional_replication.lab_server.state import PostedToken
from tests.e2e.posed_lab import Kind, Pose, PosedLab
from tests.prove.killing import write_steady_plan
from tests.prove.shares import Share
from tests.prove.wire_faults import cases_of, run_cases, stratum_of

STATEMENTS = ("local_time", "own_tracer_tokens", "post_tracer_token", "tracer_token", "delete_tracer_token")


def post_before(lab: PosedLab) -> None:
    """Have somebody else's token there from the day before."""
    lab.state.tokens[-1] = PostedToken(lab.state.lab.post_tracer(0), 0, "2026-01-04 12:00:00.000")


@pytest.mark.prove
@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name.lower())
def test_at_every_statement_about_tokens_only_own_ones_go(tmp_path: Path, kind: Kind, share: Share) -> None:
    """Somebody else's token stays; each of Replitune's is gone, or listed and removed by `restore`."""
    pose = Pose(adjust=post_before)
    cases = cases_of(write_steady_plan(tmp_path), [kind], pose=pose, names=STATEMENTS)
    assert len(cases) >= (4 if kind.comes_after or kind.is_late else 15)
    tally = run_cases(share.of(cases, stratum_of, list(Kind).index(kind)), tmp_path, pose)
    print(f"tracer tokens, {kind.value}, {share}: {tally}")
    assert tally.failures == ()
