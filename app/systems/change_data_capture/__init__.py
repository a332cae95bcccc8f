"""Change Data Capture of SQL Server: its capture job, which reads the log for Debezium, GoldenGate and their like."""
