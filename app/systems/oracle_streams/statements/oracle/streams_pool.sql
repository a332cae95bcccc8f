/*
name: streams_pool
purpose: setting, size and use of the Streams pool, and the instance it belongs to
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  setting_bytes VARCHAR2? [bytes] <word> -- parameter STREAMS_POOL_SIZE, digits
  sga_target_bytes VARCHAR2? [bytes] <word> -- parameter SGA_TARGET, digits; above 0 the pool's setting is a floor
  size_bytes INTEGER? [bytes] -- present size
  used_bytes INTEGER? [bytes] -- in use
  granule_bytes INTEGER? [bytes] -- sizes are rounded up to whole granules
  instance_name VARCHAR2 <server> -- instance connected to
  is_rac VARCHAR2 <word> -- YES for an instance of a cluster
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-PARAMETER.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SGA_DYNAMIC_COMPONENTS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SGASTAT.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-INSTANCE.html
*/
-- V$SGASTAT counts the pool's free memory apart; what is not free is in use.
SELECT (SELECT choice.value FROM v$parameter choice WHERE choice.name = 'streams_pool_size') AS setting_bytes,
       (SELECT choice.value FROM v$parameter choice WHERE choice.name = 'sga_target') AS sga_target_bytes,
       (SELECT component.current_size
        FROM v$sga_dynamic_components component
        WHERE component.component = 'streams pool') AS size_bytes,
       (SELECT SUM(area.bytes)
        FROM v$sgastat area
        WHERE area.pool = 'streams pool'
          AND area.name <> 'free memory') AS used_bytes,
       (SELECT component.granule_size
        FROM v$sga_dynamic_components component
        WHERE component.component = 'streams pool') AS granule_bytes,
       host.instance_name AS instance_name,
       host.parallel AS is_rac
FROM v$instance host
