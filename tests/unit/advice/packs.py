"""Rule packs made for tests: one valid pack, changed in one place, written to a real folder."""

from pathlib import Path

from app.advice import Pack, load_packs
from tests.kinds import KINDS

FAMILIES = ("log_reader", "distribution_agent")

RULE = """\
  - id: larger-batch
    version: 3
    priority: 2
    title: Raise ReadBatchSize to {best_value}
    applies_to: {engine: sqlserver, factors: [ReadBatchSize]}
    needs: [verdict, best_differs, baseline_value, best_value, gain_percent]
    wants: [commands_per_transaction, reader_wait_share]
    derives:
      best_batch: {value: best_value * commands_per_transaction, unit: commands}
    when: verdict == 'improvement' and best_differs and gain_percent >= 5
    parameter: ReadBatchSize
    from: baseline_value
    to: best_value
    recommendation: Set it to {best_value}.
    because:
      - It was {gain_percent:.1f} better than {baseline_value}.
      - A batch holds up to {best_batch}.
      - Lock waits took {reader_wait_share}.
    trade_offs: Latency.
    risk: Contention.
    undo: Set it to {baseline_value} again.
    sources: [page]
    figure: effects
    case_facts: {verdict: improvement, best_differs: true, baseline_value: 500, best_value: 5000, gain_percent: 17.7}
    cases:
      - {name: a gain, expect: fires}
      - {name: exactly five, expect: fires, facts: {gain_percent: 5}}
      - {name: no gain, expect: does_not_fire, facts: {verdict: no_difference}}
      - {name: unknown, expect: not_evaluated, facts: {gain_percent: null}}
"""

PACK = f"""\
# A comment.
title: A pack
sources:
  page: {{title: A page, section: Part 1, url: https://example.org/page}}
rules:
{RULE}"""


def write_pack(root: Path, text: str | bytes = PACK, family: str = "log_reader", name: str = "pack.yaml") -> Path:
    """Write one pack below a rules folder and return its file."""
    file = root / family / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def changed(old: str, new: str) -> str:
    """Return the valid pack with one passage replaced; the passage must be there once."""
    assert PACK.count(old) == 1, old
    return PACK.replace(old, new)


def load(root: Path, text: str = PACK) -> tuple[Pack, ...]:
    """Write a pack and load its folder."""
    write_pack(root, text)
    return load_packs((root,), FAMILIES, KINDS)
