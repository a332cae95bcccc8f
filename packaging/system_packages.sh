#!/bin/sh
# Installs the few system packages that Qt and unixODBC need on Debian and Ubuntu, as root; elsewhere says what to run.
set -eu

# Libraries Qt loads at run time, the ODBC driver manager, and Python's own venv where Debian splits it off.
# `tests` as an argument adds the second ODBC driver that tests talk through.
wanted="libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0 unixodbc"
# What Qt's window on X11 loads; without one of them the program would abort instead of showing its window.
wanted="$wanted libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0"
wanted="$wanted libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0"
[ "${1:-}" = tests ] && wanted="$wanted tdsodbc"
"${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null || wanted="$wanted python3-venv"

if ! command -v dpkg-query >/dev/null 2>&1; then
    exit 0 # not Debian: Qt's wheel brings what it needs on Windows and macOS; other systems name a missing library
fi

missing=""
for package in $wanted; do
    # libglib2.0-0 is called libglib2.0-0t64 on newer releases
    if ! dpkg-query -W -f='${Status}' "$package" "${package}t64" 2>/dev/null | grep -q 'install ok installed'; then
        missing="$missing $package"
    fi
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "Replitune needs system packages: run  sudo apt-get install$missing  and then make again." >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >/dev/null
# shellcheck disable=SC2086 # the list is meant to be split
apt-get install -y -q --no-install-recommends $missing >/dev/null
