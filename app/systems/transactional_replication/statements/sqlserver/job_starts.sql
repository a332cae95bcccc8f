/*
name: job_starts
purpose: what keeps the jobs of replication agents from being started again, or starts them unasked
access: read
runs at: distributor
database: msdb
permission: sysadmin
versions: SQL Server 2012 and later
form: batch
parameters: none
columns:
  job_id nvarchar <word> -- GUID of the job
  is_owner_known int -- 0 where the login that owns the job is gone
  proxy_name sysname? -- the proxy its agent runs as, empty for one that is gone, NULL for none
  is_proxy_usable int -- 0 where the proxy is gone or disabled, its credential is gone, or it is no longer let run such a step
  schedule_name sysname? -- the schedule that starts it most often, those left out that start it with SQL Server Agent only
  starts_every_s int? [s] -- how often that is, a day or more as a day; NULL where it does so once, or whenever the computer is idle
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobs-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobsteps-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysproxies-transact-sql.md (members of sysadmin only); MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysproxysubsystem-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-syssubsystems-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-credentials-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysjobschedules-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-tables/dbo-sysschedules-transact-sql.md; MicrosoftDocs/sql-docs:docs/t-sql/functions/suser-sname-transact-sql.md
*/
SET NOCOUNT ON;
SELECT CONVERT(nvarchar(36), job.job_id) AS job_id,
       CASE WHEN SUSER_SNAME(job.owner_sid) IS NULL THEN 0 ELSE 1 END AS is_owner_known,
       CASE WHEN step.proxy_id IS NOT NULL THEN ISNULL(proxy.name, N'') END AS proxy_name,
       CASE WHEN step.proxy_id IS NULL OR (proxy.enabled = 1 AND credential.credential_id IS NOT NULL
                                              AND EXISTS (SELECT 1
                                                          FROM msdb.dbo.sysproxysubsystem AS allowed
                                                          JOIN msdb.dbo.syssubsystems AS kind ON kind.subsystem_id = allowed.subsystem_id
                                                          WHERE allowed.proxy_id = step.proxy_id
                                                            AND kind.subsystem = step.subsystem)) THEN 1 ELSE 0 END AS is_proxy_usable,
       planned.schedule_name AS schedule_name,
       planned.starts_every_s AS starts_every_s
FROM msdb.dbo.sysjobs AS job
JOIN msdb.dbo.sysjobsteps AS step ON step.job_id = job.job_id AND step.subsystem IN (N'LogReader', N'Distribution')
LEFT JOIN msdb.dbo.sysproxies AS proxy ON proxy.proxy_id = step.proxy_id
LEFT JOIN sys.credentials AS credential ON credential.credential_id = proxy.credential_id
-- 1 once, 4 daily, 8 weekly, 16 and 32 monthly, 128 idle; within the day 2 seconds, 4 minutes, 8 hours, else once.
OUTER APPLY (SELECT TOP (1) schedule.name AS schedule_name,
                    CASE WHEN schedule.freq_type IN (1, 128) THEN NULL ELSE
                    CASE schedule.freq_subday_type WHEN 2 THEN schedule.freq_subday_interval
                                                   WHEN 4 THEN schedule.freq_subday_interval * 60
                                                   WHEN 8 THEN schedule.freq_subday_interval * 3600
                                                   ELSE 86400 END END AS starts_every_s
             FROM msdb.dbo.sysjobschedules AS attached
             JOIN msdb.dbo.sysschedules AS schedule ON schedule.schedule_id = attached.schedule_id
             WHERE attached.job_id = job.job_id
               AND job.enabled = 1
               AND schedule.enabled = 1
               AND schedule.freq_type IN (1, 4, 8, 16, 32, 128)
               AND ISNULL(schedule.active_end_date, 99991231) >= CONVERT(int, CONVERT(char(8), GETDATE(), 112))
               AND (schedule.freq_type <> 1 OR schedule.active_start_date >= CONVERT(int, CONVERT(char(8), GETDATE(), 112)))
             ORDER BY CASE WHEN schedule.freq_type IN (1, 128) THEN 1 ELSE 0 END, starts_every_s, schedule.name) AS planned
ORDER BY job.job_id;
