"""Availability groups, simulated: commit path, replicas and seeding on the virtual clock; no SQL.

Map, from the outside in:

- `lab.AvailabilityLab`: everything a statement can ask or do (`advance`, readings, insert loops, modes, trace flags,
  backups, restores, joins, seedings, faults). Built from a scenario and a seed.
- `readings`: the frozen answers, units in their names; `words`: modes, states and kinds, importable from either.
- `scenario`: the constants, `load_availability_scenario(path)`; files are `resources/lab/ag-*.toml`.
- `commit_path`: one statement's log, block by block, through generation, local flush, capture, compression, the
  window, the wire, the remote flush and the acknowledgement. It decides what a statement takes.
- `stages`: pipelines of stages with bounded buffers. They decide what backup, restore and seeding move per second.
- `load`, `shipping`, `copying`, `log`, `servers`: the moving parts, each linear in time between events.
- `state`, `site`: groups, replicas, databases and copies, and everything by name; `views` makes readings of it.
- `groups`: changes of modes, flags and membership, and faults; `failover`, `synchronization`, `copies`: what follows.
- `engine`: lets time pass, and after every change sets every part's rate anew (`rates`, `flows`).
- `compression`: which product version compresses what, under which trace flags.
- `simulated`: what a trial can vary here.
- `noise`: session, drift, and run factors, all seeded.
"""
