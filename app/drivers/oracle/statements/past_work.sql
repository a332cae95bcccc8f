/*
name: past_work
purpose: RMAN's work, jobs of the Scheduler and gathering of statistics within the last seconds: what else a database was busy with
access: read
runs at: both
connection: control
permission: SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY
versions: 10.2 to 12.1 and later
form: select
binds:
  :elapsed_s INTEGER [s] -- how far back, by the database's own time of day
columns:
  work VARCHAR2 <word> -- backup, log_backup, restore, job or statistics
  subject VARCHAR2? <name> -- owner and name of the job, or what statistics were gathered of
client-owned: none
source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-RMAN_STATUS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SESSION.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_SCHEDULER_JOB_RUN_DETAILS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_SCHEDULER_RUNNING_JOBS.html; https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/DBA_OPTSTAT_OPERATIONS.html
*/
-- What RMAN was doing when its session died stays RUNNING for ever, so its session must be there. Propagations are jobs
-- of the Scheduler as well (AQ_JOB$), and part of what is measured. Jobs of less than a second tell nothing.
SELECT recent.work AS work, recent.subject AS subject
FROM (SELECT CASE WHEN rman.operation LIKE 'RESTORE%' OR rman.operation LIKE 'RECOVER%' THEN 'restore'
                  WHEN rman.object_type = 'ARCHIVELOG' THEN 'log_backup' ELSE 'backup' END AS work,
             CAST(NULL AS VARCHAR2(4000)) AS subject
      FROM v$rman_status rman
      WHERE rman.row_level = 1
        AND (rman.operation LIKE 'BACKUP%' OR rman.operation LIKE 'RESTORE%' OR rman.operation LIKE 'RECOVER%')
        AND (rman.end_time >= SYSDATE - :elapsed_s / 86400
             OR (rman.status LIKE 'RUNNING%' AND EXISTS (SELECT 1 FROM v$session client WHERE client.sid = rman.sid)))
      UNION
      SELECT 'job' AS work, ended.owner || '.' || ended.job_name AS subject
      FROM dba_scheduler_job_run_details ended
      WHERE ended.log_date >= SYSTIMESTAMP - NUMTODSINTERVAL(:elapsed_s, 'SECOND')
        AND ended.run_duration >= INTERVAL '1' SECOND
        AND ended.job_name NOT LIKE 'AQ!_JOB$%' ESCAPE '!'
      UNION
      SELECT 'job' AS work, running.owner || '.' || running.job_name AS subject
      FROM dba_scheduler_running_jobs running
      WHERE running.job_name NOT LIKE 'AQ!_JOB$%' ESCAPE '!'
      UNION
      SELECT 'statistics' AS work, gathered.target AS subject
      FROM dba_optstat_operations gathered
      WHERE gathered.operation LIKE 'gather%'
        AND gathered.end_time >= SYSTIMESTAMP - NUMTODSINTERVAL(:elapsed_s, 'SECOND')) recent
WHERE ROWNUM <= 100
