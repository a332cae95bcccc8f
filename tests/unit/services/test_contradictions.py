"""Numbers made elsewhere that cannot all hold are named, with their units; those that can are left in peace."""

from pathlib import Path

import pytest

from app.analysis.contradictions import rounding_share
from app.domain.units import Quantity
from app.foundation.paths import resource_path
from app.services.explain.gathering import gather
from app.services.explain.imported_session import read_session
from tests.labs import FAMILIES

AGENT = "family,run,metric,value,unit,SubscriptionStreams,network_kbps,commands,agent_pairs\n"
COMMIT = "family,run,metric,value,unit,availability_mode,inserts,rtt_ms\n"
SEEDING = "family,run,metric,value,unit,seeding_method,database_mb,link_mbps\n"
STREAMS = "family,run,metric,value,unit,PARALLELISM,rows,rows_per_commit\n"


def warnings_of(folder: Path, text: str) -> tuple[str, ...]:
    """Return what a reader of a file is told beside the notes on how it was read."""
    path = folder / "site.csv"
    path.write_text(text, encoding="utf-8")
    session = read_session(path, FAMILIES, None)
    told = gather(session, FAMILIES).warnings[len(session.notes) :]
    return tuple(sentence.replace("\u00a0", " ") for sentence in told)


def agents(rate: float, time_s: float, size: float, kbps: int, commands: int = 10_000, pairs: int = 1) -> str:
    """Return two runs on a slow link, the first with these numbers."""
    first = (f"throughput,{rate},commands/s", f"run_time,{time_s},s", f"command_bytes,{size},bytes")
    rows = [f"wan_delivery,a,{cells},1,{kbps},{commands},{pairs}" for cells in first]
    return "\n".join((AGENT.strip(), *rows, f"wan_delivery,b,throughput,20,commands/s,8,{kbps},{commands},{pairs}"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            agents(rate=10, time_s=2_000, size=500, kbps=512),
            "a (SubscriptionStreams 1): 10 commands/s for 2,000 s make 20,000 commands, but 10,000 commands are stated",
        ),
        (
            agents(rate=10.42, time_s=1_023.7, size=500, kbps=512),
            "10.42 commands/s for 1,024 s make 10,667 commands, but 10,000 commands are stated",
        ),
        (
            agents(rate=1_080, time_s=100, size=50, kbps=100_000, commands=100_000),
            "1,080 commands/s for 100 s make 108,000 commands, but 100,000 commands are stated",
        ),
        (
            agents(rate=2_000, time_s=48, size=50, kbps=100_000, commands=100_000),
            "2,000 commands/s for 48 s make 96,000 commands, but 100,000 commands are stated",
        ),
        (
            f"{COMMIT}commit_mode,a,shape_time,10,s,async,100,5\ncommit_mode,a,insert_rate,10.8,inserts/s,async,100,5\n"
            "commit_mode,b,shape_time,10,s,sync,100,5",
            "10.8 inserts/s for 10,000 ms make 108 inserts, but 100 inserts are stated",
        ),
        (
            f"{SEEDING}seeding,a,total_time,500,s,direct,100000,10000\nseeding,a,copy_rate,216,MB/s,direct,100000,10000\n"
            "seeding,b,total_time,1446,s,backup_restore,100000,10000",
            "216 MB/s for 500 s make 108,000 MB, but 100,000 MB are stated",
        ),
        (
            f"{STREAMS}streams_apply,a,run_time,500,s,4,1000000,500\n"
            "streams_apply,a,messages_per_min,130000,messages/min,4,1000000,500\n"
            "streams_apply,b,run_time,8,min,8,1000000,500",
            "130,000 messages/min for 500 s make 1,083,333 messages, but 1,000,000 messages are stated",
        ),
        (
            f"{SEEDING}seeding,a,total_time,487.3,s,direct,100257,10000\n"
            "seeding,a,network_rate,1743,Mbps,direct,100257,10000\n"
            "seeding,b,total_time,1446,s,backup_restore,100257,10000",
            "1,743 Mbps for 487.3 s make 106,170 MB, but 100,257 MB are stated",
        ),
        (
            agents(rate=10, time_s=1_000, size=2_000, kbps=128),
            "a (SubscriptionStreams 1): 10 commands/s of 2,000 bytes each need 160 kbps, but the link is stated to "
            "carry 128 kbps",
        ),
        (
            f"{COMMIT}commit_mode,a,shape_time,100,s,sync,100000,5\ncommit_mode,b,shape_time,90,s,async,100000,5",
            "a (availability_mode sync): a synchronous commit in 1 ms would be faster than one round trip to the "
            "secondary replica, 5 ms; check which",
        ),
        (
            f"{COMMIT}commit_mode,a,shape_time,600,s,sync,100000,5\ncommit_mode,a,sync_commit_wait,2,ms,sync,100000,5\n"
            "commit_mode,b,shape_time,90,s,async,100000,5",
            "a synchronous commit in 2 ms would be faster",
        ),
        (
            f"{COMMIT}commit_mode,a,shape_time,10,s,async,100,5\ncommit_mode,a,insert_rate,20,inserts/s,async,100,5\n"
            "commit_mode,b,shape_time,10,s,sync,100,5",
            "20 inserts/s for 10,000 ms make 200 inserts, but 100 inserts are stated",
        ),
        (
            f"{SEEDING}seeding,a,total_time,480,s,direct,100000,10000\n"
            "seeding,a,network_rate,2200,Mbps,direct,100000,10000\n"
            "seeding,b,total_time,1446,s,backup_restore,100000,10000",
            "a (seeding_method direct): 2,200 Mbps for 480 s make 132,000 MB, but 100,000 MB are stated",
        ),
        (
            f"{SEEDING}seeding,a,total_time,480,s,direct_compressed,100000,1000\n"
            "seeding,a,network_rate,1.5,Gbps,direct_compressed,100000,1000\n"
            "seeding,b,total_time,1446,s,backup_restore,100000,1000",
            "1,500 Mbps were sent, but the link is stated to carry 1,000 Mbps",
        ),
        (
            f"{STREAMS}streams_apply,a,run_time,9,min,4,1000000,500\n"
            "streams_apply,a,messages_per_min,200000,messages/min,4,1000000,500\n"
            "streams_apply,b,run_time,8,min,8,1000000,500",
            "200,000 messages/min for 540 s make 1,800,000 messages, but 1,000,000 messages are stated",
        ),
    ],
    ids=[
        "volume",
        "volume, 7 % off",
        "round time, 8 % off",
        "round rate, 4 % off",
        "round inserts, 8 % off",
        "round copy, 8 % off",
        "round messages, 8 % off",
        "size, 6 % off",
        "link",
        "commit",
        "wait",
        "inserts",
        "seeding",
        "seeding link",
        "messages",
    ],
)
def test_a_contradiction_names_the_run_and_both_numbers(tmp_path: Path, text: str, sentence: str) -> None:
    """One sentence for the run, with units and what to do."""
    (warning,) = warnings_of(tmp_path, text)
    assert sentence in warning
    assert "check" in warning


@pytest.mark.parametrize(
    "text",
    [
        agents(rate=10, time_s=1_040, size=500, kbps=512),
        agents(rate=10, time_s=2_000, size=500, kbps=512, pairs=2),
        f"{COMMIT}commit_mode,a,shape_time,600,s,sync,100000,5\ncommit_mode,b,shape_time,90,s,async,100000,5",
        f"{COMMIT}commit_mode,a,shape_time,600,s,sync,100000,0\ncommit_mode,b,shape_time,90,s,async,100000,0",
        f"{SEEDING}seeding,a,total_time,480,s,direct_compressed,100000,10000\n"
        "seeding,a,network_rate,880,Mbps,direct_compressed,100000,10000\n"
        "seeding,b,total_time,1446,s,backup_restore,100000,10000",
        f"{STREAMS}streams_apply,a,run_time,9,min,4,1000000,1\n"
        "streams_apply,a,messages_per_min,222000,messages/min,4,1000000,1\n"
        "streams_apply,b,run_time,8,min,8,1000000,1",
    ],
    ids=["rounded", "two agents", "slow commits", "same host", "compressed", "commits counted"],
)
def test_numbers_that_may_all_hold_are_left_in_peace(tmp_path: Path, text: str) -> None:
    """Rounding, several agents, compression and messages for commits explain a difference."""
    assert warnings_of(tmp_path, text) == ()


LOADS = "family,run,block,metric,value,unit,SubscriptionStreams,agent_pairs\n"


def loads(*runs: tuple[int, int, float, float], pairs: int = 1) -> str:
    """Return runs that state no amount: block, SubscriptionStreams, commands/s and s."""
    return LOADS + "\n".join(
        f"distribution_agent,r{block}{level},{block},{cells},{level},{pairs}"
        for block, level, rate, time_s in runs
        for cells in (f"throughput,{rate},commands/s", f"run_time,{time_s},s")
    )


def test_runs_that_did_unequal_work_are_named(tmp_path: Path) -> None:
    """Where no amount is stated the runs' own numbers imply it, and unequal ones make their times incomparable."""
    runs = [
        (block, level, rate + block, time_s + block)
        for block in (1, 2, 3)
        for level, rate, time_s in ((1, 500, 100), (4, 300, 60))
    ]
    (warning,) = warnings_of(tmp_path, loads(*runs))
    assert "r11 (SubscriptionStreams 1): 501 commands/s for 101 s make 50,601 commands" in warning
    assert "r14 (SubscriptionStreams 4): 301 commands/s for 61 s make 18,361 commands" in warning
    assert "check" in warning


def test_messages_of_unequal_work_are_named(tmp_path: Path) -> None:
    """A pipeline's rate and time imply its messages."""
    rows = [
        f"streams_apply,{run},{cells},{level}"
        for run, level, rate, time_s in (("a", 4, 130_000, 500), ("b", 8, 70_000, 300))
        for cells in (f"run_time,{time_s},s", f"messages_per_min,{rate},messages/min")
    ]
    warnings = warnings_of(tmp_path, "\n".join(("family,run,metric,value,unit,PARALLELISM", *rows)))
    (warning,) = warnings
    assert "130,000 messages/min for 500 s make 1,083,333 messages" in warning


@pytest.mark.parametrize(
    "text",
    [
        loads((1, 1, 500, 100), (1, 4, 800, 61)),
        loads((1, 1, 500, 100), (1, 4, 800, 100), pairs=2),
        loads((1, 1, 500, 100), (1, 4, 800, 62.5), (2, 1, 500, 50), (2, 4, 800, 31.25)),
    ],
    ids=["start of a run", "two agents", "another load in each block"],
)
def test_runs_of_equal_work_are_left_in_peace(tmp_path: Path, text: str) -> None:
    """Within a block, a tenth on either side explains a difference."""
    assert not [w for w in warnings_of(tmp_path, text) if "make" in w]


def test_very_many_contradictions_are_counted(tmp_path: Path) -> None:
    """After twenty sentences the rest is a number."""
    rows = [f"commit_mode,r{n},shape_time,{1 + n / 100},s,sync,100000,5" for n in range(30)]
    warnings = warnings_of(tmp_path, "\n".join((COMMIT.strip(), *rows, "commit_mode,b,shape_time,90,s,async,100000,5")))
    assert [w for w in warnings if "faster" in w] == list(warnings[:20])
    assert warnings[-1] == "further runs whose numbers contradict each other: 10"


def test_published_studies_contradict_themselves_in_one_place_only() -> None:
    """Of the five only the article on seeding prints a rate and a time that do not make its database."""
    told = {
        path.name: gather(read_session(path, FAMILIES, None), FAMILIES).warnings
        for path in resource_path("published").glob("*.csv")
    }
    found = {(name, w.split(" (")[0]) for name, warnings in told.items() for w in warnings if "which of these" in w}
    assert found == {("direct-seeding-2016.csv", "direct-seeding")}
    assert not any("round trip" in w or "stated to carry" in w for warnings in told.values() for w in warnings)


@pytest.mark.parametrize(
    ("numbers", "share"),
    [
        ([Quantity(540.0, "s")], 0.5 / 9),  # 9 min
        ([Quantity(7_200.0, "s")], 0.1),  # 2 h
        ([Quantity(541.0, "s")], 0.02),
        ([Quantity(540.0, "commands")], 5 / 540),
        ([Quantity(540.0, "s"), Quantity(15.0, "commands")], 0.5 / 9 + 0.5 / 15),
        ([Quantity(0.0, "s")], 0.02),
    ],
)
def test_a_time_is_rounded_in_the_unit_it_has_fewest_digits_in(numbers: list[Quantity], share: float) -> None:
    """Half a unit of each number's last digit counts, 2 % at least and 10 % at most."""
    assert rounding_share(*numbers) == pytest.approx(max(share, 0.02))


@pytest.mark.parametrize(
    ("number", "in_prose", "in_a_row"),
    [
        (Quantity(100.0, "commands"), 0.1, 0.02),
        (Quantity(2_000.0, "commands/s"), 0.1, 0.02),
        (Quantity(10.0, "commands/s"), 0.1, 0.05),
        (Quantity(540.0, "s"), 0.5 / 9, 0.5 / 9),
        (Quantity(15.0, "commands"), 0.5 / 15, 0.5 / 15),
    ],
)
def test_zeros_of_a_cell_are_digits_and_in_prose_tell_the_size(
    number: Quantity, in_prose: float, in_a_row: float
) -> None:
    """A cell has three digits where they are there; a sentence beside a table may round to one."""
    assert (rounding_share(number), rounding_share(number, told_digits=3)) == pytest.approx((in_prose, in_a_row))
