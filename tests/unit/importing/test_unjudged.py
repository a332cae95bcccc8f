"""A parameter no family knows: its numbers are put side by side, and nothing is advised."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import read_measurements
from tests.labs import FAMILIES

COLUMNS = accepted_columns(FAMILIES)
KINDS = {
    "arms side by side": (
        "Measure\tSeed = 100,000\tSeed = 0 (control)\np50 latency\t33,869 ms\t34,548 ms\nthroughput\t383.8\t387.9\n",
        '"Seed"; the numbers say: p50 latency 33,869 ms with 100,000 against 34,548 ms with 0 (control) (−2 %, one run',
    ),
    "once each": (
        "innodb_flush_log_at_trx_commit,TPS\n1,2026\n2,3926\n",
        '"innodb_flush_log_at_trx_commit"; the numbers say: TPS 3926 with 2 against 2026 with 1 (+94 %, one run',
    ),
    "a difference": (
        "GROUPTRANSOPS,run_time_s\n1000,751\n1000,722\n1000,740\n5000,331\n5000,312\n5000,320\n",
        '"GROUPTRANSOPS"; the numbers say: run_time_s 320.9 with 5000 against 737.6 with 1000 (−56 %, they differ: −',
    ),
    "no difference to be seen": (
        "SDU,run_time_s\n8192,100\n8192,121\n8192,140\n65535,141\n65535,99\n65535,122\n",
        '"SDU"; the numbers say: run_time_s 119.4 with 65535 against 119.2 with 8192 (+0.2 %, cannot tell: −',
    ),
    "a value column": (
        "GROUPTRANSOPS,metric,value,unit\n1,throughput,100,commands/s\n4,throughput,150,commands/s\n",
        '"GROUPTRANSOPS"; the numbers say: value 150 with 4 against 100 with 1 (+50 %, one run each: cannot tell)',
    ),
    "samples": (
        "SDU,TPS\n" + "".join(f"{level},{100 + n}\n" for level in (1, 2) for n in range(30)),
        "samples, of which it is not said how many runs they are: cannot tell",
    ),
}


@pytest.mark.parametrize(("text", "said"), KINDS.values(), ids=list(KINDS))
def test_the_numbers_of_an_unknown_parameter_are_compared_without_advice(text: str, said: str, tmp_path: Path) -> None:
    """One sentence with the numbers, what they show or leave open, and which parameters advice is given on."""
    path = tmp_path / ("table.tsv" if "\t" in text else "table.csv")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_measurements(path, COLUMNS)
    sentence = str(refused.value).replace("\u00a0", " ")
    assert "there is no rule for" in sentence
    assert said in sentence
    assert 'Advice is given on parameters such as "availability_mode"' in sentence


@pytest.mark.parametrize(
    "text",
    ["name,TPS\nonly,100\nonly,101\n", "SubscriptionStrems,run_time_s\n1,100\n4,50\n", "SDU,run_time_s\n1,0\n2,10\n"],
    ids=["one level", "a slip in a name", "nothing was measured"],
)
def test_where_nothing_can_be_compared_it_is_said_what_is_missing(text: str, tmp_path: Path) -> None:
    """No comparison of what is no level, no quantity, or rather a name with a slip in it."""
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_measurements(path, COLUMNS)
    assert "there is no rule" not in str(refused.value)
