/*
name: all_parameters
purpose: every parameter of captures and applies, hidden ones with their defaults
access: read
runs at: both
connection: control
permission: SELECT ANY DICTIONARY, or SELECT on the three tables granted by SYS
versions: 10.2 to 12.1 and later
form: select
binds: none
columns:
  component VARCHAR2 <word> -- capture or apply
  process_name VARCHAR2 <process> -- name of the process
  parameter_name VARCHAR2 <word> -- in capitals
  value VARCHAR2? -- as text
  user_changed INTEGER? -- 1 where somebody set it
client-owned: none
source: https://github.com/allenshepherd/database_performance_troubleshooting/blob/fc9c0f15e7575474475bfa3df5f5c714de63b63b/HarnessTools/scripts/awr_files/18c_admin/catapp.sql
*/
-- The base table of the parameter views. Read only, never written to.
SELECT 'capture' AS component, process.capture_name AS process_name, held.name AS parameter_name, held.value AS value,
       held.user_changed_flag AS user_changed
FROM sys.streams$_process_params held
JOIN sys.streams$_capture_process process ON process.capture# = held.process#
WHERE held.process_type = 2
UNION ALL
SELECT 'apply' AS component, process.apply_name AS process_name, held.name AS parameter_name, held.value AS value,
       held.user_changed_flag AS user_changed
FROM sys.streams$_process_params held
JOIN sys.streams$_apply_process process ON process.apply# = held.process#
WHERE held.process_type = 1
