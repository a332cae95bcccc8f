/*
name: fill_test_source
purpose: add rows of text to the source table of a commit-mode experiment, up to a number
access: change
runs at: primary
database: master
permission: db_datareader and db_datawriter in the database
versions: SQL Server 2012 and later
form: batch
parameters:
  @database_name sysname <database> -- name of the database
  @owner nvarchar <word> -- whose tables, the end of their names
  @wanted_rows bigint [rows] -- rows the table has in the end
  @most_rows int [rows] -- most rows to add in this call, one transaction, at most 100,000
columns:
  source_rows bigint [rows] -- rows of the source table now
client-owned: none
source: own test tables; MicrosoftDocs/sql-docs:docs/t-sql/statements/insert-transact-sql.md
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @source_rows bigint;
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
SELECT @source_rows = ISNULL(MAX(source.id), 0) FROM dbo.' + QUOTENAME(N'Replitune source ' + @owner) + N' AS source;
IF @source_rows < @wanted_rows
BEGIN
    INSERT INTO dbo.' + QUOTENAME(N'Replitune source ' + @owner) + N' (id, payload)
    SELECT TOP (CASE WHEN @wanted_rows - @source_rows < @most_rows THEN @wanted_rows - @source_rows ELSE @most_rows END)
           @source_rows + numbers.number + 1,
           LEFT(REPLICATE(N''Order '' + CAST(@source_rows + numbers.number AS nvarchar(20)) + N'' delivered to the customer in the north. '', 25), 1000)
    FROM (SELECT tens.number + 10 * hundreds.number + 100 * thousands.number + 1000 * more.number + 10000 * most.number AS number
          FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS tens (number)
          CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS hundreds (number)
          CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS thousands (number)
          CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS more (number)
          CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS most (number)) AS numbers
    ORDER BY numbers.number;
    SET @source_rows = @source_rows + @@ROWCOUNT;
END;';
EXEC sys.sp_executesql @stmt = @text, @params = N'@wanted_rows bigint, @most_rows int, @source_rows bigint OUTPUT',
     @wanted_rows = @wanted_rows, @most_rows = @most_rows, @source_rows = @source_rows OUTPUT;
SELECT @source_rows AS source_rows;
