/*
name: pool_advice
purpose: spilling the database expects for other sizes of the Streams pool
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  size_mb NUMBER [MiB] -- size of the pool
  factor NUMBER -- as a share of the present size
  spill_count INTEGER [count] -- messages expected to spill
  spill_s NUMBER [s] -- time expected to go into spilling
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-STREAMS_POOL_ADVICE.html
*/
SELECT advice.streams_pool_size_for_estimate AS size_mb,
       advice.streams_pool_size_factor AS factor,
       advice.estd_spill_count AS spill_count,
       advice.estd_spill_time AS spill_s
FROM v$streams_pool_advice advice
ORDER BY advice.streams_pool_size_for_estimate
