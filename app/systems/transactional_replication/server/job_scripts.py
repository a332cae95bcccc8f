"""Scripts that stop and start an agent's job, each of which may be run twice."""

from typing import Final

from app.drivers.sqlserver.scripts import batch_script, literal

_RUNNING: Final = """EXISTS (SELECT 1
    FROM msdb.dbo.sysjobactivity AS activity
    WHERE activity.job_id = @job_id
      AND activity.session_id = (SELECT MAX(newest.session_id) FROM msdb.dbo.sysjobactivity AS newest)
      AND activity.start_execution_date IS NOT NULL
      AND activity.stop_execution_date IS NULL)"""


def stop_script(title: str, server: str, job_id: str) -> str:
    """Return a script that stops a job if it runs, and waits until it has stopped."""
    return batch_script(
        title,
        server,
        "msdb",
        f"DECLARE @job_id uniqueidentifier = {literal(job_id)};\n"
        f"IF {_RUNNING}\n    EXEC msdb.dbo.sp_stop_job @job_id = @job_id;\n"
        "-- The procedure only signals: wait until the job has ended.\n"
        f"WHILE {_RUNNING}\n    WAITFOR DELAY '00:00:01';",
    )


def restart_script(title: str, server: str, job_id: str) -> str:
    """Return a script that stops a job if it runs, waits, and starts it: what was put back counts from then on."""
    return stop_script(title, server, job_id) + start_script(title, server, job_id)


def start_script(title: str, server: str, job_id: str) -> str:
    """Return a script that starts a job unless it runs."""
    return batch_script(
        title,
        server,
        "msdb",
        f"DECLARE @job_id uniqueidentifier = {literal(job_id)};\n"
        f"IF NOT {_RUNNING}\n    EXEC msdb.dbo.sp_start_job @job_id = @job_id;",
    )
