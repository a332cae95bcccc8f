# Signs programs with the certificate in $env:CERTIFICATE (base64 of a .pfx) and its password in $env:PASSWORD.
param([Parameter(Mandatory, ValueFromRemainingArguments)][string[]]$Programs)
$ErrorActionPreference = "Stop"

$tool = (Get-ChildItem "${env:ProgramFiles(x86)}\Windows Kits\10\bin\*\x64\signtool.exe" | Sort-Object FullName)[-1].FullName
[IO.File]::WriteAllBytes("signing.pfx", [Convert]::FromBase64String($env:CERTIFICATE))
try {
    & $tool sign /fd SHA256 /f signing.pfx /p $env:PASSWORD /tr http://timestamp.digicert.com /td SHA256 @Programs
    if ($LASTEXITCODE -ne 0) { throw "signtool ended with $LASTEXITCODE" }
} finally {
    Remove-Item signing.pfx
}
