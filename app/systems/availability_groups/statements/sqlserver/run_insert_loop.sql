/*
name: run_insert_loop
purpose: insert rows of the source table into the destination table, statement by statement, each its own transaction, and time it
access: change
runs at: primary
database: master
permission: db_datareader and db_datawriter in the database
versions: SQL Server 2012 and later
form: batch
limit: 3600 s
parameters:
  @database_name sysname <database> -- name of the database
  @owner nvarchar <word> -- whose tables, the end of their names
  @inserts int [count] -- statements
  @rows_per_insert int [rows] -- rows of each, at most those of the source table
columns:
  rows_inserted bigint [rows] -- by all statements together
  elapsed_us bigint [us] -- from the first statement to the last commit
client-owned: none
source: own test workload; MicrosoftDocs/sql-docs:docs/t-sql/functions/sysutcdatetime-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @rows_inserted bigint, @elapsed_us bigint;
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
DECLARE @started datetime2(7), @finished datetime2(7), @done int, @first bigint, @starts bigint;
SELECT @starts = MAX(source.id) - @rows_per_insert + 1 FROM dbo.' + QUOTENAME(N'Replitune source ' + @owner) + N' AS source;
SET @done = 0;
SET @rows_inserted = 0;
SET @started = SYSUTCDATETIME();
WHILE @done < @inserts AND @starts > 0
BEGIN
    SET @first = (CAST(@done AS bigint) * @rows_per_insert) % @starts;
    INSERT INTO dbo.' + QUOTENAME(N'Replitune destination ' + @owner) + N' (id, payload)
    SELECT source.id, source.payload
    FROM dbo.' + QUOTENAME(N'Replitune source ' + @owner) + N' AS source
    WHERE source.id > @first AND source.id <= @first + @rows_per_insert;
    SET @rows_inserted = @rows_inserted + @@ROWCOUNT;
    SET @done = @done + 1;
END;
SET @finished = SYSUTCDATETIME();
SET @elapsed_us = CAST(DATEDIFF(SECOND, @started, @finished) AS bigint) * 1000000
                + DATEPART(MICROSECOND, @finished) - DATEPART(MICROSECOND, @started);
INSERT INTO dbo.' + QUOTENAME(N'Replitune tracer ' + @owner) + N' (started_utc, finished_utc, inserts, rows_inserted)
VALUES (@started, @finished, @done, @rows_inserted);';
EXEC sys.sp_executesql @stmt = @text,
     @params = N'@inserts int, @rows_per_insert int, @rows_inserted bigint OUTPUT, @elapsed_us bigint OUTPUT',
     @inserts = @inserts, @rows_per_insert = @rows_per_insert, @rows_inserted = @rows_inserted OUTPUT, @elapsed_us = @elapsed_us OUTPUT;
SELECT @rows_inserted AS rows_inserted, @elapsed_us AS elapsed_us;
