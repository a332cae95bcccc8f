/*
name: sample_streams_before_11_2
like: sample_streams
instead:
  queues of one database -> queues of one database, older releases
  11.2 to 18c -> 10.2 and 11.1
  V-STREAMS_POOL_STATISTICS -> V-SGASTAT
  pool.total_memory_allocated -> NVL(SUM(CASE WHEN area.name = 'free memory' THEN 0 ELSE area.bytes END), 0)
  pool.current_size -> NVL(SUM(area.bytes), 0)
  FROM v$streams_pool_statistics pool -> FROM v$sgastat area WHERE area.pool = 'streams pool'
*/
