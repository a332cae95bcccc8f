#!/bin/sh
# Goes on in namespaces of its own: what is mounted and started here is gone when this ends.
set -eu
root=$1
folder=$2
shift 2
system=$folder/system
python=$root/.venv/bin/python
mkdir -p "$system/python" "$system/inno" "$system/checkout" "$system/tmp/run"
mount --bind "$folder/python" "$system/python"
mount --bind "$folder/inno" "$system/inno"
cp "$root/packaging/windows_check/what_wine_lacks.py" "$folder/python/Lib/site-packages/sitecustomize.py"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
# a copy of what is checked, since what runs writes beside it
rm -rf "$folder/checkout"
mkdir "$folder/checkout"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tar -cf - -T -) | tar -xf - -C "$folder/checkout"
mount --bind "$folder/checkout" "$system/checkout"
# Tests start the program hundreds of times: its code is compiled once, also where Python is told not to keep it.
unset PYTHONDONTWRITEBYTECODE
"$python" -m compileall -q -j 0 "$folder/checkout/app" "$folder/checkout/tests"

# A screen of a run before, which ended with its namespace, is gone; its lock names a process that is another one now.
rm -rf "$system"/tmp/.X77-lock "$system"/tmp/.X11-unix/X77

export HOME=/root WINEDEBUG=-all XDG_RUNTIME_DIR=/tmp/run WINEDLLOVERRIDES="mscoree=;mshtml=" DISPLAY=:77
chroot "$system" Xvfb "$DISPLAY" -screen 0 1600x1000x24 >/dev/null 2>&1 &
# What Wine starts before there is a screen draws no windows, then or later.
until chroot "$system" xdpyinfo >/dev/null 2>&1; do sleep 0.2; done
if [ ! -e "$folder/.wine" ]; then
    rm -rf "$system/root/.wine"
    chroot "$system" sh -c ': | wine wineboot -i; : | wine winecfg -v win10; wineserver -w' >"$folder/wine.log" 2>&1
    "$python" "$root/packaging/windows_check/fill_gaps.py" libraries "$system"
    touch "$folder/.wine"
fi
cd "$root"
"$python" "$root/packaging/windows_check/check.py" "$folder" "$@"
