#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh ARCH DIR [SUITE PACKAGE...] - the folder DIR with the files of Debian's packages for another machine: arm64, armhf.
#
# Compilers take it as --sysroot, QEMU as -L; nothing of this machine's changes, and nobody need be root. What the packages want
# comes with them; nothing in them is run. Without names they are what Delegauge is built and tested with there, of this Debian's
# suite (elsewhere: bookworm), so that its cross compilers fit. dpkg-query --admindir=DIR/var/lib/dpkg says what is there.
#
# All is made in a folder of its own beside DIR. What DIR was before goes when all is there, and stays if this ends earlier; a DIR
# that has something else than such files is refused. The status is 3 where the packages are not to be had.
set -eu
[ $# -eq 2 ] || [ $# -gt 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
# shellcheck source=scripts/package/apt.sh
. "$(dirname "$0")/apt.sh"
arch=$1 dir=$(realpath -m -- "$2")
shift 2
[ $# -gt 0 ] ||
    set -- "$(apt_suite)" libepoxy-dev libcjson-dev libcmocka-dev libpng-dev libjpeg62-turbo-dev libegl1 libegl-mesa0 libgles2 \
        libgl1-mesa-dri
suite=$1
shift
# Whether DIR may go. Where dpkg itself has installed there is a lock, too.
replaceable() {
    [ -e "$dir" ] && [ -n "$(ls -A "$dir")" ] || return 0
    [ -e "$dir/var/lib/dpkg/info/format" ] && [ ! -e "$dir/var/lib/dpkg/lock" ]
}
replaceable || {
    echo "sysroot.sh: $dir is no folder of packages for another machine, and not empty: it stays as it is" >&2
    exit 2
}
for command in apt-get dpkg-deb; do
    command -v $command >/dev/null || { echo "sysroot.sh: there is no $command, which fetches Debian's packages" >&2; exit 3; }
done
[ -e "$apt_keys" ] || { echo "sysroot.sh: there is no $apt_keys: install debian-archive-keyring" >&2; exit 3; }

# What was in DIR is below $tmp/old while there is no DIR. Who reads what this says may have been ended before it.
finish() {
    trap '' HUP INT PIPE TERM
    [ -e "$dir" ] || [ ! -e "$tmp/old" ] || mv -T "$tmp/old" "$dir" || return
    rm -rf "$tmp"
}
mkdir -p "${dir%/*}/"
tmp=$(mktemp -d "$dir.XXXXXX")
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM
new=$tmp/new info=$tmp/new/var/lib/dpkg/info
mkdir -p "$info"
apt_begin "$tmp/apt" deb "$suite"
apt_there() { apt -oAPT::Architecture="$arch" -oAPT::Architectures="$arch" -oAPT::Install-Recommends=0 "$@"; }
if ! apt_there update || ! apt_there --download-only --yes install -- "$@"; then
    echo "sysroot.sh: $arch: Debian's packages are not to be had" >&2
    exit 3
fi

# Each step into a file, and not into the next: a pipe tells how its last command went alone.
echo 1 >"$info/format"
for deb in "$tmp"/apt/cache/archives/*.deb; do
    dpkg-deb -x "$deb" "$new"
    dpkg-deb -f "$deb" >"$tmp/control"
    sed '/^Package:/a Status: install ok installed' "$tmp/control" >>"$new/var/lib/dpkg/status"
    echo >>"$new/var/lib/dpkg/status"
    name=$(sed -n 's/^Package: //p' "$tmp/control")
    ! grep -qx 'Multi-Arch: same' "$tmp/control" || name=$name:$arch
    dpkg-deb --fsys-tarfile "$deb" >"$tmp/tar"
    tar tf "$tmp/tar" >"$tmp/names"
    sed 's,^\.,,; s,/$,,; s,^$,/.,' "$tmp/names" >"$info/$name.list"
done
# Links that name a file of that machine lead to it, not to this one's.
find "$new" -type l -lname '/*' >"$tmp/links"
while IFS= read -r link; do
    ln -sfn "$(realpath -ms --relative-to="${link%/*}" "$new$(readlink "$link")")" "$link"
done <"$tmp/links"
[ -e "$new/lib" ] || ln -s usr/lib "$new/lib"
[ ! -e "$dir" ] || mv -T "$dir" "$tmp/old"
mv -T "$new" "$dir"
