#!/bin/sh
# Builds cx_Oracle from source, the optional second Oracle driver: `cx_oracle.sh PYTHON`. Where it cannot be built, its
# absence is said and the rest goes on: python-oracledb does everything, `replitune doctor` names what is there.
set -eu
python="$1"

"$python" -c 'import cx_Oracle' 2>/dev/null && exit 0
if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "cx_Oracle is left out: its last release builds up to Python 3.11; Oracle is reached with python-oracledb."
    exit 0
fi
said="$(mktemp)"
trap 'rm -f "$said"' EXIT
lists="$(dirname "$0")"
install="-m pip install --quiet --disable-pip-version-check --no-deps --require-hashes"
if ! "$python" $install -r "$lists/requirements-build.txt" >"$said" 2>&1 ||
    ! "$python" $install --no-build-isolation -r "$lists/requirements-cx_oracle.txt" >>"$said" 2>&1
then
    reason="$(grep -iE 'error|not found|no such file' "$said" | head -n 1)"
    echo "cx_Oracle is left out: it could not be built here (${reason:-no reason given}); Oracle is reached with python-oracledb."
fi
