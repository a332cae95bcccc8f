"""Plans of session files, also of those written before."""

import pytest

from app.domain.limits import Limits
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.foundation.codec import CodecError, dump_json
from app.store.plan_text import read_plan
from app.systems.transactional_replication.load import WorkloadSpec

OLD = (
    '{"family":"log_reader","factors":[{"name":"ReadBatchSize","levels":[500,5000]}],'
    '"baseline":{"values_by_name":[["ReadBatchSize",500]]},'
    '"workload":{"commands_per_transaction":[2.5,2.5],"commands":1000000,"scenario":"drained","duration_s":1800.0,'
    '"rate_per_s":null,"agent_pairs":1},'
    '"design":{"stop":"blocks","blocks":3,"confirm_blocks":3,"further_blocks":3,"minimum_effect":0.05,"seed":1,"noise_cv":null},'
    '"limits":{"latency_s":30.0,"pending_commands":1000,"log_used_share":null,"lock_wait_share":null,'
    '"free_disk_gb":1.0,"trial_duration_s":14400.0,"commit_delay_ms":null},"load":{"values_by_name":[]}}'
)
PLAN = Plan(
    "log_reader",
    (Factor("ReadBatchSize", (500, 5_000)),),
    Setting.of(ReadBatchSize=500),
    WorkloadSpec().to_load(),
    Design(),
    Limits.of(latency_s=30.0, pending_commands=1_000, free_disk_gb=1.0, trial_duration_s=14_400.0),
)


def test_a_plan_of_before_reads_as_one_of_today() -> None:
    """Each limit by its key; null was no limit."""
    assert read_plan(OLD) == PLAN


def test_a_plan_comes_back() -> None:
    """As it is written now."""
    assert read_plan(dump_json(PLAN)) == PLAN


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"limits":{"latency_s":30.0}}', '{"limits":{"latency_s":"soon"}}'])
def test_what_is_no_plan_is_refused(text: str) -> None:
    """Damaged texts are told, whatever they hold."""
    with pytest.raises(CodecError):
        read_plan(text)
