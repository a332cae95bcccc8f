"""Plan files: what they may say, and one sentence for each mistake."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.limits import Limits
from app.domain.plan import Design, Factor, Plan, Stop
from app.domain.setting import EMPTY_SETTING, Setting
from app.services.plan.plan_file import check_factors, dump_plan, load_plan
from app.systems.transactional_replication.load import Scenario, WorkloadSpec, workload_of
from tests.contract.families.lab_runs import FAMILIES

SMALLEST = 'family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 8]\n'


def loaded(folder: Path, text: str, encoding: str = "utf-8") -> Plan:
    """Return the plan a file with this text holds."""
    path = folder / "plan.toml"
    path.write_bytes(text.encode(encoding))
    return load_plan(path, dict(FAMILIES))


def refused(folder: Path, text: str) -> str:
    """Return the sentence a file with this text is refused with."""
    with pytest.raises(BadInput) as caught:
        loaded(folder, text)
    sentence = str(caught.value)
    assert str(folder / "plan.toml") in sentence
    assert "\n" not in sentence
    return sentence


def test_the_smallest_plan_takes_everything_else_from_the_family(tmp_path: Path) -> None:
    """Family and factors are enough; the baseline is left to the target."""
    plan = loaded(tmp_path, SMALLEST)
    assert plan == Plan(
        "distribution_agent",
        (Factor("SubscriptionStreams", (1, 8)),),
        EMPTY_SETTING,
        WorkloadSpec().to_load(),
        Design(),
        Limits.of(log_used_share=0.9, free_disk_gb=1.0, trial_duration_s=14_400.0),
    )


OWN_WORK = SMALLEST + '[workload]\nsource = "own_backlog"\n'


def test_a_plan_on_the_clients_own_work_needs_nothing_else(tmp_path: Path) -> None:
    """Its windows are guided by a model and confirm in up to twelve pairs."""
    plan = loaded(tmp_path, OWN_WORK)
    assert (plan.design.stop, plan.design.most_pairs) == (Stop.MODEL, 12)
    assert plan.design.most_confirm_blocks == 12


@pytest.mark.parametrize("stop", Stop)
def test_a_plan_on_own_work_explores_as_it_says(tmp_path: Path, stop: Stop) -> None:
    """A file that names how to explore is taken at its word, and what is written is read back."""
    plan = loaded(tmp_path, f'{OWN_WORK}[design]\nstop = "{stop}"\nmost_pairs = 6\n')
    assert (plan.design.stop, plan.design.most_pairs) == (stop, 6)
    assert loaded(tmp_path, dump_plan(plan, FAMILIES[plan.family])) == plan


def test_pairs_of_windows_are_refused_where_trials_are_none(tmp_path: Path) -> None:
    """A test table's trials confirm in blocks."""
    assert "most_pairs counts windows" in refused(tmp_path, SMALLEST + "[design]\nmost_pairs = 6\n")
    assert '"design.most_pairs"' in refused(tmp_path, OWN_WORK + "[design]\nmost_pairs = 17\n")


def test_a_full_plan_is_read_as_it_stands(tmp_path: Path) -> None:
    """Every key of every table."""
    text = """
family = "log_reader"
[factors]
ReadBatchSize = [500, 5000]
PollingInterval = [5, 1]
[baseline]
ReadBatchSize = 1000
[workload]
commands_per_transaction = [500, 1000]
commands = 2_000_000
scenario = "continuous"
duration_s = 600
rate_per_s = 1500.5
agent_pairs = 3
[design]
stop = "race"
blocks = 6
confirm_blocks = 4
minimum_effect = 0.1
seed = 9
noise_cv = 0.03
[limits]
latency_s = 30
pending_commands = 1000
log_used_share = 0.5
lock_wait_share = 0.2
free_disk_gb = 2
trial_duration_s = 900
"""
    assert loaded(tmp_path, text) == Plan(
        family="log_reader",
        factors=(Factor("ReadBatchSize", (500, 5_000)), Factor("PollingInterval", (5, 1))),
        baseline=Setting.of(ReadBatchSize=1_000),
        load=WorkloadSpec((500, 1_000), 2_000_000, Scenario.CONTINUOUS, 600.0, 1_500.5, 3).to_load(),
        design=Design(Stop.RACE, 6, 4, 3, 0.1, 9, 0.03),
        limits=Limits.of(
            latency_s=30.0,
            pending_commands=1_000,
            log_used_share=0.5,
            lock_wait_share=0.2,
            free_disk_gb=2.0,
            trial_duration_s=900.0,
        ),
    )


def test_one_number_of_commands_holds_for_every_transaction(tmp_path: Path) -> None:
    """2.5 means 2.5 for lowest and highest."""
    plan = loaded(tmp_path, SMALLEST + "[workload]\ncommands_per_transaction = 7.5\n")
    assert workload_of(plan.load).commands_per_transaction == (7.5, 7.5)


@pytest.mark.parametrize("table", ["", "[workload]\nagent_pairs = 2\n", "[workload]\nscenario = 'continuous'\n"])
def test_the_familys_transactions_hold_unless_the_plan_names_others(tmp_path: Path, table: str) -> None:
    """Naming another key of the workload does not change the size of transactions or of the backlog."""
    plan = loaded(tmp_path, 'family = "wan_delivery"\n[factors]\nSubscriptionStreams = [1, 8]\n' + table)
    usual = workload_of(FAMILIES["wan_delivery"].default_plan().load)
    assert workload_of(plan.load).commands_per_transaction == usual.commands_per_transaction == (5, 10)
    assert workload_of(plan.load).commands == usual.commands


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path: Path) -> None:
    """As an editor on Windows writes them."""
    assert loaded(tmp_path, SMALLEST.replace("\n", "\r\n"), "utf-8-sig") == loaded(tmp_path, SMALLEST)


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    """Each says what to give instead."""
    with pytest.raises(BadInput, match=r"nothing\.toml does not exist; give the path of a plan file"):
        load_plan(tmp_path / "nothing.toml", dict(FAMILIES))
    with pytest.raises(BadInput, match="is a folder; give the plan file in it"):
        load_plan(tmp_path, dict(FAMILIES))


def test_a_binary_is_told(tmp_path: Path) -> None:
    """What is no text is no plan."""
    path = tmp_path / "plan.toml"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff\xfe")
    with pytest.raises(BadInput, match="is not a text file; a plan is a TOML file in UTF-8"):
        load_plan(path, dict(FAMILIES))


def test_broken_toml_is_told_with_its_line(tmp_path: Path) -> None:
    """The parser's own position reaches the reader."""
    sentence = refused(tmp_path, 'family = "log_reader"\n[factors\n')
    assert "is not valid TOML" in sentence
    assert "line 2" in sentence


WORKLOAD = SMALLEST + "[workload]\n"
DESIGN = SMALLEST + "[design]\n"
LIMITS = SMALLEST + "[limits]\n"
FACTORS = 'family = "distribution_agent"\n[factors]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[factors]\nSubscriptionStreams = [1, 8]\n", 'key "family" is missing; a plan needs it'),
        ('family = "distribution_agent"\n', 'key "factors" is missing'),
        ('family = "distribution_agent"\nfactors = {}\n', 'key "factors"'),
        ('familly = "x"\n' + SMALLEST, 'key "familly" is unknown; remove it or correct its spelling'),
        (WORKLOAD + "comands = 5\n", 'key "workload.comands" is unknown'),
        (WORKLOAD + 'scenario = "idle"\n', "'drained', 'continuous' or 'windows'"),
        (WORKLOAD + "commands = 0\n", 'key "workload.commands"'),
        (WORKLOAD + "commands = 100_000_001\n", "must be at most 100000000"),
        (WORKLOAD + "duration_s = 59\n", 'key "workload.duration_s"'),
        (WORKLOAD + "rate_per_s = 0\n", 'key "workload.rate_per_s"'),
        (WORKLOAD + "rate_per_s = nan\n", 'key "workload.rate_per_s"'),
        (WORKLOAD + "rate_per_s = inf\n", 'key "workload.rate_per_s"'),
        (WORKLOAD + "agent_pairs = 0\n", 'key "workload.agent_pairs"'),
        (WORKLOAD + "commands_per_transaction = 0.5\n", "must be at least 1, the lower number first"),
        (WORKLOAD + "commands_per_transaction = [1000, 500]\n", "must be at least 1, the lower number first"),
        (WORKLOAD + "commands_per_transaction = [1, 2, 3]\n", 'key "workload.commands_per_transaction'),
        (WORKLOAD + "commands_per_transaction = -1\n", 'key "workload.commands_per_transaction'),
        (WORKLOAD + 'commands_per_transaction = "many"\n', 'key "workload.commands_per_transaction'),
        (DESIGN + 'stop = "soon"\n', "'blocks', 'race' or 'model'"),
        (DESIGN + "blocks = 0\n", 'key "design.blocks"'),
        (DESIGN + "confirm_blocks = -1\n", 'key "design.confirm_blocks"'),
        (DESIGN + "minimum_effect = 0\n", 'key "design.minimum_effect"'),
        (DESIGN + "minimum_effect = 1\n", 'key "design.minimum_effect"'),
        (DESIGN + "noise_cv = -0.1\n", 'key "design.noise_cv"'),
        (DESIGN + "seed = 1.5\n", 'key "design.seed"'),
        (LIMITS + "log_used_share = 1.5\n", 'key "limits.log_used_share'),
        (LIMITS + "trial_duration_s = 0\n", 'key "limits.trial_duration_s"'),
        (FACTORS + "SubscriptionStreams = []\n", "needs at least two different values, each once"),
        (FACTORS + "SubscriptionStreams = [8]\n", "needs at least two different values, each once"),
        (FACTORS + "SubscriptionStreams = [1, 8, 8]\n", "needs at least two different values, each once"),
        (FACTORS + "SubscriptionStreams = [1, 65]\n", "= 65 is outside its limits, 1 to 64 connections"),
        (FACTORS + "SubscriptionStreams = [0, 8]\n", "= 0 is outside its limits"),
        (
            FACTORS + 'SubscriptionStreams = [1, "many"]\n',
            'key "factors.SubscriptionStreams, value 2" must be a whole number',
        ),
        (
            FACTORS + "SubscriptionStreams = [1, 2.5]\n",
            'key "factors.SubscriptionStreams, value 2" must be a whole number',
        ),
        (FACTORS + "ReadBatchSize = [1, 2]\n", '"ReadBatchSize" is not a parameter of distribution_agent'),
        (
            FACTORS + "SubscriptionStreams = [1, 2]\nCommitBatchSize = [1, 2]\nCommitBatchThreshold = [1, 2]\n",
            "a plan varies one or two parameters, not 3",
        ),
        (SMALLEST + "[baseline]\nCommitBatchSize = 100\n", 'names "CommitBatchSize", which is not among the factors'),
        (SMALLEST + "[baseline]\nSubscriptionStreams = 0\n", "= 0 is outside its limits"),
        ('family = "unheard_of"\n[factors]\nX = [1, 2]\n', 'unknown family "unheard_of"; known families are'),
    ],
)
def test_each_mistake_has_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """File, key, what is wrong, what is allowed."""
    assert said in refused(tmp_path, text)


def test_the_servers_own_limits_go_first() -> None:
    """A level the documentation allows and this server does not is refused, with the server's numbers."""
    family = FAMILIES["distribution_agent"]
    plan = family.default_plan()
    check_factors(plan, family, {"SubscriptionStreams": (None, 16)}, "the plan")
    with pytest.raises(BadInput, match=r"SubscriptionStreams = 16 is outside this server's own limits, -∞ to 8"):
        check_factors(plan, family, {"SubscriptionStreams": (None, 8)}, "the plan")
    with pytest.raises(BadInput, match=r"SubscriptionStreams = 1 is outside this server's own limits, 2 to ∞"):
        check_factors(plan, family, {"SubscriptionStreams": (2, None)}, "the plan")
