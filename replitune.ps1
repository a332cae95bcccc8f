# The window and the tests from source on Windows, as `make` does elsewhere: .\replitune.ps1 run | test | demo.
# Sets up .venv from locked versions, without administrator rights, and reinstalls nothing on a second run.
# Where scripts are not allowed: powershell -ExecutionPolicy Bypass -File .\replitune.ps1 run
param([ValidateSet("run", "test", "demo", "help")][string]$Command = "help")
$ErrorActionPreference = "Stop"
Set-Location $PSScriptRoot
$python = ".venv\Scripts\python.exe"

function Invoke-Checked {
    # A program's exit code is not an error to Windows PowerShell.
    $program, $arguments = $args
    & $program @arguments
    if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
}

function Find-Python {
    # py is the launcher of python.org's installer; python.exe in WindowsApps only opens the store.
    foreach ($candidate in @("py", "-3"), @("python"), @("python3")) {
        $program, $arguments = $candidate
        if (-not (Get-Command $program -ErrorAction SilentlyContinue)) { continue }
        try { & $program @arguments -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>$null } catch { continue }
        if ($LASTEXITCODE -eq 0) { return $candidate }
    }
    Write-Host "Replitune needs Python 3.11 or newer, 64 bit: install it from python.org for yourself, or with"
    Write-Host "  winget install Python.Python.3.12"
    exit 2
}

function Install-Locked([string]$Stamp, [string]$Requirements) {
    $locked = (Get-FileHash $Requirements -Algorithm SHA256).Hash
    $kept = ".venv\$Stamp"
    if ((Test-Path $kept) -and ((Get-Content $kept) -eq $locked)) { return }
    Invoke-Checked $python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $Requirements
    Set-Content $kept $locked
}

function Initialize-Environment {
    if (-not (Test-Path $python)) {
        $found = @(Find-Python)
        Invoke-Checked @found -m venv .venv
    }
    Install-Locked ".runtime" "packaging\requirements.txt"
}

if ($Command -eq "help") {
    Write-Host ".\replitune.ps1 run    the window"
    Write-Host ".\replitune.ps1 demo   a complete guided session on the lab; its PDF, scripts and session file stand in demo\"
    Write-Host ".\replitune.ps1 test   the tests"
    exit 0
}
Initialize-Environment
switch ($Command) {
    "run" { Invoke-Checked $python -m app }
    "demo" { Invoke-Checked $python -m app demo --out demo }
    "test" {
        Install-Locked ".test" "packaging\requirements-test.txt"
        Invoke-Checked $python -m pytest -n 3 --dist worksteal -m "not prove and not bench and not tsql and not plsql" tests
    }
}
