/*
name: fill_test_database
purpose: add pages to the test database, up to a number
access: change
runs at: primary
database: master
permission: db_owner in the test database
versions: SQL Server 2012 and later
form: batch
parameters:
  @database_name sysname <database> -- name of the database, begins with 'Replitune'; any other is left alone
  @wanted_pages bigint [pages] -- pages of 8 KB it has in the end
  @most_pages int [pages] -- most pages to add in this call, one transaction, at most 10,000
  @compressible_percent int [%] -- share of the pages filled with text that compresses; the rest is random
columns:
  pages bigint [pages] -- pages it has now
client-owned: none
source: MicrosoftDocs/sql-docs:docs/t-sql/functions/crypt-gen-random-transact-sql.md; own test database
*/
SET NOCOUNT ON;
DECLARE @text nvarchar(max), @pages bigint;
SET @text = N'USE ' + QUOTENAME(@database_name) + N';
SELECT @pages = ISNULL(MAX(filled.id), 0) FROM dbo.Pages AS filled;
IF @pages < @wanted_pages
BEGIN
    INSERT INTO dbo.Pages (id, payload)
    SELECT TOP (CASE WHEN @wanted_pages - @pages < @most_pages THEN @wanted_pages - @pages ELSE @most_pages END)
           @pages + numbers.number + 1,
           CASE WHEN (@pages + numbers.number) % 100 < @compressible_percent
                THEN CAST(REPLICATE(''Order delivered to the customer in the north. '', 180) AS binary(8000))
                ELSE CAST(CRYPT_GEN_RANDOM(8000) AS binary(8000)) END
    FROM (SELECT tens.number + 10 * hundreds.number + 100 * thousands.number + 1000 * more.number AS number
          FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS tens (number)
          CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS hundreds (number)
          CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS thousands (number)
          CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS more (number)) AS numbers
    ORDER BY numbers.number;
    SET @pages = @pages + @@ROWCOUNT;
END;';
IF @database_name LIKE N'Replitune%'
    EXEC sys.sp_executesql @stmt = @text,
         @params = N'@wanted_pages bigint, @most_pages int, @compressible_percent int, @pages bigint OUTPUT',
         @wanted_pages = @wanted_pages, @most_pages = @most_pages, @compressible_percent = @compressible_percent, @pages = @pages OUTPUT;
SELECT ISNULL(@pages, 0) AS pages;
