"""A simulated Oracle Streams pipeline: physics only, no SQL.

- `pipeline`: `StreamsLab`, the interface everything outside uses, with `Workload`.
- `states`: the frozen snapshots it returns, one per row of a V$ or DBA_ view.
- `scenario`: constants of a site and their TOML file; `parameter_values`, `parameters`: capture and apply parameters.
- `redo_log` → `capture` → `buffered_queue` (source) → `propagation` → `buffered_queue` (destination) →
  `apply_reader` → `coordinator` → `apply_server`, the last three under `apply`; `progress` keeps what is applied.
- `process`: status, start and stop; `database`, `pool`: the instances and their Streams pools.
- `messages`: batches and transactions; `durations`, `apply_costs`: how long things take.
"""
