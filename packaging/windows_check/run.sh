#!/bin/sh
# Builds and runs the program for Windows under Wine: a Debian with Wine of its own, Python for Windows, the wheels for
# Windows, and then what check.py does: all its rows, or those whose titles are given. Everything stands in
# build/windows/; a second run keeps what is there, the frozen programs too while nothing that goes into them changes.
# Its mounts and processes are in namespaces of their own and end with it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$root/build/windows
python=$root/.venv/bin/python
# Wine 8 of Debian 12 lacks a library that Python asks for; 13 has Wine 10.
release=trixie
packages=wine,wine64,xvfb,xauth,x11-utils,imagemagick,fonts-dejavu-core,binutils-mingw-w64-x86-64
# Inno Setup's compiler, as the package of npm wraps it.
inno=innosetup@6.4.1
inno_sha256=fc36b763a729c8964416552d733f4864ac4a4934d0a6569e20c2feb4c29b9684
jar_sha256=3263a50b256447bb7b9e604d6587627e419891370fc33b94469e6a06ff4de834

fail() {
    echo "windows-check: $1" >&2
    exit 2
}

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail "this runs on Linux on x86_64 only"
command -v apt-get >/dev/null 2>&1 || fail "this runs on Debian only; apt-get is missing"
[ "$(id -u)" -eq 0 ] || fail "this needs root, to make a Debian of its own with Wine in it; run it as root"
unshare --mount --pid --fork true 2>/dev/null || fail "this machine does not let root mount, as in a container without that right; use one that does"

missing=""
command -v debootstrap >/dev/null 2>&1 || missing="$missing debootstrap"
command -v mvn >/dev/null 2>&1 || missing="$missing maven"
command -v npm >/dev/null 2>&1 || missing="$missing npm"
command -v java >/dev/null 2>&1 || missing="$missing default-jre-headless"
if [ -n "$missing" ]; then
    apt-get update -q >/dev/null
    # shellcheck disable=SC2086 # the list is meant to be split
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
fi
mkdir -p "$folder"
exec 9>"$folder/.lock"
flock --nonblock 9 || fail "another one runs in $folder; wait for it"

# A step is done once its mark is there; one that was cut off begins anew.
system() {
    [ -e "$folder/.system" ] && return
    rm -rf "$folder/system" "$folder/.wine"
    debootstrap --variant=minbase --include="$packages" "$release" "$folder/system" >"$folder/debootstrap.log" 2>&1 ||
        fail "debootstrap could not make a Debian $release; $folder/debootstrap.log says why"
    # Setup programs are of 32 bits. Wine runs them with its own libraries for 64, beside Windows' for 32.
    chroot "$folder/system" sh -euc '
        dpkg --add-architecture i386
        apt-get update
        cd /tmp
        apt-get download libwine:i386
        dpkg-deb --fsys-tarfile libwine_*_i386.deb | tar -xf - --strip-components=4 -C /usr/lib/x86_64-linux-gnu \
            ./usr/lib/i386-linux-gnu/wine/i386-windows
        rm libwine_*_i386.deb' >>"$folder/debootstrap.log" 2>&1 ||
        fail "the libraries for programs of 32 bits could not be fetched; $folder/debootstrap.log says why"
    touch "$folder/.system"
}

python_for_windows() {
    mark=$(cat "$here/pom.xml" "$here/fill_gaps.py" "$root"/packaging/requirements*.txt | sha256sum | cut -c1-16)
    [ -e "$folder/.python-$mark" ] && return
    rm -rf "$folder/python" "$folder/jar" "$folder"/.python-* "$folder/.wine"
    mvn --batch-mode --quiet --file "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder/jar" ||
        fail "Maven could not fetch Python for Windows"
    echo "$jar_sha256  $(ls "$folder"/jar/*.jar)" | sha256sum --check --quiet || fail "Python for Windows is not the file it was"
    "$python" "$here/fill_gaps.py" unpack "$folder"/jar/*.jar "$folder/python"
    "$python" "$here/fill_gaps.py" requirements "$root/packaging" "$folder/requirements.txt"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --no-compile \
        --platform win_amd64 --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none \
        --only-binary=:all: --target "$folder/python/Lib/site-packages" -r "$folder/requirements.txt" ||
        fail "the wheels for Windows could not be fetched"
    touch "$folder/.python-$mark"
}

inno_setup() {
    [ -e "$folder/inno/bin/ISCC.exe" ] && return
    mkdir -p "$folder/inno"
    (cd "$folder/inno" && npm pack --silent "$inno" >/dev/null) || fail "npm could not fetch Inno Setup"
    echo "$inno_sha256  $(ls "$folder"/inno/*.tgz)" | sha256sum --check --quiet || fail "Inno Setup is not the file it was"
    tar -xzf "$folder"/inno/*.tgz --strip-components=1 -C "$folder/inno" package/bin package/LICENSE
}

system &
system_is_made=$!
python_for_windows
inno_setup
wait "$system_is_made"

exec unshare --mount --pid --fork --kill-child --propagation private "$here/inside.sh" "$root" "$folder" "$@"
