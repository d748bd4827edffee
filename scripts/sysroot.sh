#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh ARCH DIR [SUITE PACKAGE...] - the folder DIR with the files of Debian's packages for another machine: arm64, armhf.
#
# Compilers take it as --sysroot, QEMU as -L; nothing of this machine's changes, and nobody need be root. What the packages want
# comes with them; nothing in them is run. Without names they are what Delegauge is built and tested with there, of this Debian's
# suite (elsewhere: bookworm), so that its cross compilers fit. dpkg-query --admindir=DIR/var/lib/dpkg says what is there. A DIR
# that there was goes when all is fetched.
set -eu
[ $# -eq 2 ] || [ $# -gt 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
# shellcheck source=scripts/apt.sh
. "$(dirname "$0")/apt.sh"
arch=$1 dir=$2
shift 2
[ $# -gt 0 ] ||
    set -- "$(apt_suite)" libepoxy-dev libcjson-dev libcmocka-dev libpng-dev libjpeg62-turbo-dev libegl1 libegl-mesa0 libgles2 \
        libgl1-mesa-dri
suite=$1
shift
for command in apt-get dpkg-deb; do
    command -v $command >/dev/null || { echo "sysroot.sh: there is no $command, which fetches Debian's packages" >&2; exit 2; }
done
[ -e "$apt_keys" ] || { echo "sysroot.sh: there is no $apt_keys: install debian-archive-keyring" >&2; exit 2; }

dir=$(realpath -ms "$dir") new=$dir.new
rm -rf "$new"
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$new/var/lib/dpkg/info"
apt_begin "$new/apt" deb "$suite"
apt_there() { apt -oAPT::Architecture="$arch" -oAPT::Architectures="$arch" -oAPT::Install-Recommends=0 "$@"; }
if ! apt_there update || ! apt_there --download-only --yes install -- "$@"; then
    echo "sysroot.sh: $arch: Debian's packages are not to be had" >&2
    exit 3
fi

info=$new/var/lib/dpkg/info
echo 1 >"$info/format"
for deb in "$new"/apt/cache/archives/*.deb; do
    dpkg-deb -x "$deb" "$new"
    dpkg-deb -f "$deb" | sed '/^Package:/a Status: install ok installed' >>"$new/var/lib/dpkg/status"
    echo >>"$new/var/lib/dpkg/status"
    name=$(dpkg-deb -f "$deb" Package)
    [ "$(dpkg-deb -f "$deb" Multi-Arch)" != same ] || name=$name:$arch
    dpkg-deb --fsys-tarfile "$deb" | tar t | sed 's,^\.,,; s,/$,,; s,^$,/.,' >"$info/$name.list"
done
# Links that name a file of that machine lead to it, not to this one's.
find "$new" -type l -lname '/*' | while IFS= read -r link; do
    ln -sfn "$(realpath -ms --relative-to="${link%/*}" "$new$(readlink "$link")")" "$link"
done
[ -e "$new/lib" ] || ln -s usr/lib "$new/lib"
rm -rf "$new/apt" "$dir"
mv "$new" "$dir"
