#!/bin/sh
# Goes on in namespaces of its own: what is mounted and started here is gone when this ends.
set -eu
root=$1
folder=$2
system=$folder/system
mkdir -p "$system/python" "$system/checkout" "$system/tmp/run"
mount --bind "$folder/python" "$system/python"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
# a copy of what is checked, since what runs writes beside it
rm -rf "$folder/checkout"
mkdir "$folder/checkout"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tar -cf - -T -) | tar -xf - -C "$folder/checkout"
mount --bind "$folder/checkout" "$system/checkout"
"$root/.venv/bin/python" "$root/packaging/windows_check/check.py" "$folder"
