/*
name: database_info
purpose: name, version, edition, processors, RAC, logging and Streams pool of a database
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  global_name VARCHAR2 <database> -- global name of the database
  version VARCHAR2 <word> -- such as 11.2.0.4.0
  host_name VARCHAR2 <server> -- host of the instance
  is_rac VARCHAR2 <word> -- YES for an instance of a cluster
  banner VARCHAR2? <word> -- product and edition as the database prints them
  compatible VARCHAR2 <word> -- parameter COMPATIBLE
  cpu_count VARCHAR2 [count] <word> -- parameter CPU_COUNT, digits
  streams_pool_bytes INTEGER? [bytes] -- present size of the Streams pool, NULL where there is none
  log_mode VARCHAR2 <word> -- ARCHIVELOG or NOARCHIVELOG
  minimal_logging VARCHAR2 <word> -- YES, NO or IMPLICIT
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-INSTANCE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-DATABASE.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-VERSION.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-PARAMETER.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SGA_DYNAMIC_COMPONENTS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/GLOBAL_NAME.html
*/
-- Scalar subqueries: one row, one round trip. VERSION shows the base release from 18c on, which is what gates need.
SELECT (SELECT naming.global_name FROM global_name naming) AS global_name,
       host.version AS version,
       host.host_name AS host_name,
       host.parallel AS is_rac,
       (SELECT MIN(product.banner) FROM v$version product WHERE product.banner LIKE 'Oracle%') AS banner,
       (SELECT choice.value FROM v$parameter choice WHERE choice.name = 'compatible') AS compatible,
       (SELECT choice.value FROM v$parameter choice WHERE choice.name = 'cpu_count') AS cpu_count,
       (SELECT component.current_size
        FROM v$sga_dynamic_components component
        WHERE component.component = 'streams pool') AS streams_pool_bytes,
       base.log_mode AS log_mode,
       base.supplemental_log_data_min AS minimal_logging
FROM v$instance host
CROSS JOIN v$database base
