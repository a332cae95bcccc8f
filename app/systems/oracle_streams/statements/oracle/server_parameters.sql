/*
name: server_parameters
purpose: initialisation parameters that matter to Streams
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  name VARCHAR2 <word> -- in small letters
  value VARCHAR2? <word> -- as text, sizes in bytes
  is_default VARCHAR2 <word> -- TRUE where nobody set it
  is_modifiable VARCHAR2 <word> -- IMMEDIATE where ALTER SYSTEM changes it at once, DEFERRED, or FALSE
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-PARAMETER.html
*/
SELECT choice.name AS name,
       choice.value AS value,
       choice.isdefault AS is_default,
       choice.issys_modifiable AS is_modifiable
FROM v$parameter choice
WHERE choice.name IN ('_job_queue_interval', 'aq_tm_processes', 'compatible', 'control_management_pack_access',
                      'global_names', 'job_queue_processes', 'open_links', 'parallel_max_servers',
                      'processes', 'sga_target', 'statistics_level', 'streams_pool_size',
                      'timed_statistics')
ORDER BY choice.name
